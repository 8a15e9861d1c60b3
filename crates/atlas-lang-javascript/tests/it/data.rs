//! Tables that are read and written.

use crate::facts::check;
use atlas_syntax::Language;

#[test]
fn sql_in_literals() {
    check(
        Language::TypeScript,
        r"db.query('SELECT * FROM users WHERE id = ?', [id]);
db.query(`UPDATE accounts SET total = ${total} WHERE id = ${id}`);
const sql = 'INSERT INTO audit_log (a) ' + 'SELECT a FROM events ' + where;
const prose = 'Select a file from the list to update it';
client.query(sql`DELETE FROM sessions`);
",
        &["reads", "writes", "table"],
        r"
reads users 1:10 in file by sql literal
writes accounts 2:10 in file by sql literal
writes audit_log 3:13 in file by sql literal
reads events 3:13 in file by sql literal
writes sessions 5:17 in file by sql literal
",
    );
}

#[test]
fn prisma_models() {
    check(
        Language::TypeScript,
        r"const users = await prisma.user.findMany({ where: {} });
await this.prisma.order.create({ data });
await prismaService.auditLog.deleteMany();
cache.user.update(x);
",
        &["reads", "writes", "table"],
        r"
reads user 1:33 in file by prisma client call
writes order 2:25 in file by prisma client call
writes auditLog 3:30 in file by prisma client call
",
    );
}

#[test]
fn typeorm_entities_and_repositories() {
    check(
        Language::TypeScript,
        r"import { Entity, Repository } from 'typeorm';
@Entity('people')
export class Person {}
@Entity()
export class OrderLine {}
class Service {
  constructor(private people: Repository<Person>, private peopleRepository: Repository<Person>) {}
  async go(manager) {
    await this.peopleRepository.save(x);
    await getRepository(Person).find();
    await manager.save(Person, x);
    await Person.findOne({});
  }
}
",
        &["reads", "writes", "table"],
        r"
table people line=2 model=Person by typeorm entity
table order_line line=4 model=OrderLine by typeorm entity
writes model each this.peopleRepository 9:33 in Service.go by typeorm repository call
reads model Person 10:33 in Service.go by typeorm repository call
writes model Person 11:19 in Service.go by typeorm manager call
reads model Person 12:18 in Service.go by model class call
",
    );
}

#[test]
fn sequelize_and_mongoose_models() {
    check(
        Language::JavaScript,
        r"const { Sequelize } = require('sequelize');
const mongoose = require('mongoose');
const User = sequelize.define('user', { name: String });
const Legacy = sequelize.define('legacy', {}, { tableName: 'old_things' });
const Post = mongoose.model('Post', schema);
User.create({});
Post.find();
",
        &["reads", "writes", "table"],
        r"
table users line=3 model=User by sequelize define
table old_things line=4 model=Legacy by sequelize define
table posts line=5 model=Post by mongoose model
writes model User 6:6 in file by model class call
reads model Post 7:6 in file by model class call
",
    );
}

#[test]
fn knex_chains() {
    check(
        Language::JavaScript,
        r"const knex = require('knex')(config);
knex('users').where({ id }).update({ name });
knex.select('*').from('orders').join('items as i', 'a', 'b');
knex('logs').insert(row);
other('users').where(1);
",
        &["reads", "writes", "table"],
        r"
writes users 2:1 in file by knex query
reads items 3:33 in file by knex query
reads orders 3:18 in file by knex query
writes logs 4:1 in file by knex query
",
    );
}

#[test]
fn drizzle_tables() {
    check(
        Language::TypeScript,
        r"import { pgTable } from 'drizzle-orm/pg-core';
export const users = pgTable('users', { id: serial() });
await db.select().from(users).where(x);
await db.insert(users).values(y);
",
        &["reads", "writes", "table"],
        r"
table users line=2 model=users by drizzle table
reads model users 3:19 in file by drizzle query
writes model users 4:10 in file by drizzle query
",
    );
}
