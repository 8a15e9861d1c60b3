//! Who reads and writes a table, asked by the table or by its model.

use crate::linked::check;

#[test]
fn entities_of_typeorm_are_written_through_repositories_managers_and_themselves() {
    let fixture = "\
=== entity.ts
import { Entity, BaseEntity } from 'typeorm';
@Entity('audit_log')
export class AuditLog extends BaseEntity {}
=== service.ts
import { Repository, getRepository } from 'typeorm';
import { AuditLog } from './entity';
export class Audit {
  constructor(@InjectRepository(AuditLog) private readonly auditRepository: Repository<AuditLog>) {}
  async write(entry: AuditLog, manager) {
    await this.auditRepository.save(entry);
    await getRepository(AuditLog).insert(entry);
    await manager.delete(AuditLog, 1);
    await entry.remove();
    return this.auditRepository.findOne({});
  }
  all() { return AuditLog.find(); }
}
";
    let writers =
        ["service.ts:6 EXTRACTED", "service.ts:7 EXTRACTED", "service.ts:8 EXTRACTED", "service.ts:9 EXTRACTED"];
    check(fixture, "writers_to: audit_log", &writers);
    check(fixture, "writers_to: AuditLog", &writers);
    check(fixture, "readers_of: audit_log", &["service.ts:10 EXTRACTED", "service.ts:12 EXTRACTED"]);
}

#[test]
fn models_of_sequelize_and_mongoose_are_variables() {
    let fixture = "\
=== models.js
const { DataTypes } = require('sequelize');
const AuditLog = sequelize.define('AuditLog', {}, { tableName: 'audit_log' });
module.exports = { AuditLog };
=== post.js
const mongoose = require('mongoose');
module.exports = mongoose.model('Post', new mongoose.Schema({}));
=== use.js
const { AuditLog } = require('./models');
const Post = require('./post');
async function go() {
  await AuditLog.create({});
  await Post.deleteMany({});
  return AuditLog.findAll();
}
";
    check(fixture, "writers_to: audit_log", &["use.js:4 EXTRACTED"]);
    check(fixture, "writers_to: AuditLog", &["use.js:4 EXTRACTED"]);
    check(fixture, "readers_of: audit_log", &["use.js:6 EXTRACTED"]);
    check(fixture, "writers_to: posts", &["use.js:5 EXTRACTED"]);
}

#[test]
fn prisma_knex_and_sql_name_their_table() {
    let fixture = "\
=== a.ts
import knex from 'knex';
export async function go(prisma, db) {
  await prisma.auditLog.create({ data });
  await db('audit_log').insert({});
  await pool.query('INSERT INTO audit_log (a) VALUES ($1)', [a]);
  return sql`SELECT * FROM audit_log WHERE id = ${id}`;
}
";
    check(fixture, "writers_to: audit_log", &["a.ts:4 EXTRACTED", "a.ts:5 EXTRACTED"]);
    check(fixture, "writers_to: AuditLog", &["a.ts:3 EXTRACTED"]);
    check(fixture, "readers_of: audit_log", &["a.ts:6 EXTRACTED"]);
}
