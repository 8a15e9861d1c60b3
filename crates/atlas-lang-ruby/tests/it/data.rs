use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn active_record_models_queries_and_records() {
    let source = r#"
class AuditLog < ApplicationRecord
  self.table_name = "audit_log"
end
class Category < ActiveRecord::Base
  def touch_it
    update!(x: 1)
    self.save
  end
end
class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true
end
class Other < Plain
end
def f(user, vote)
  AuditLog.create!(event: 1)
  AuditLog.where(a: 1).order(:b).first
  Admin::Vote.where(a: 1)
    .update_all(b: 2)
  vote.save!
  @vote.destroy
  Vote.new(a: 1).save
  user.votes.create(x: 1)
  Vote.find(1).update(x: 2)
  AuditLog.name
  list.first
end
"#;
    assert_snapshot!(render::tables(&facts(source)), @r#"
    2 table audit_log of AuditLog [activerecord table name]
    5 table categories of Category [activerecord model]
    7:5 writes model @self in Category.touch_it [activerecord update!]
    8:10 writes model @self in Category.touch_it [activerecord save]
    17:12 writes model AuditLog in f [activerecord create!]
    18:12 reads model AuditLog in f [activerecord where]
    20:6 writes model Admin.Vote in f [activerecord update_all]
    21:8 writes model vote in f [activerecord save!]
    22:9 writes model @self.@vote in f [activerecord destroy]
    22:9 writes model each @self.@vote in f [activerecord destroy]
    23:18 writes model Vote in f [activerecord save]
    24:14 writes model each user.votes() in f [activerecord create]
    25:16 writes model Vote in f [activerecord update]
    "#);
}

#[test]
fn migrations_and_sql() {
    let source = r#"
class CreateVotes < ActiveRecord::Migration[7.0]
  def change
    create_table :votes do |t|
      t.string :name
    end
    add_column :users, :age, :integer
  end
end
def f(id)
  execute("INSERT INTO audit_log (event) VALUES (#{id})")
  find_by_sql(<<~SQL, id)
    SELECT * FROM votes
    WHERE id = #{id}
  SQL
  q = "DELETE FROM " + "sessions" + " WHERE " + c
  "SELECT a " \
    "FROM users"
  puts "select the best from our menu"
end
"#;
    assert_snapshot!(render::tables(&facts(source)), @r#"
    4 table votes of - [rails migration]
    4:18 writes votes in CreateVotes.change [rails migration]
    7:16 writes users in CreateVotes.change [rails migration]
    11:11 writes audit_log in f [sql literal]
    12:26 reads votes in f [sql literal]
    16:7 writes sessions in f [sql literal]
    17:3 reads users in f [sql literal]
    "#);
}
