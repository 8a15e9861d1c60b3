use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn django_models_and_their_managers() {
    let source = r#"
from django.db import models
from django.shortcuts import get_object_or_404
class AuditLog(models.Model):
    event = models.CharField()
    class Meta:
        db_table = 'audit_log'
class Vote(TimeStamped):
    user = models.ForeignKey(User)
class TimeStamped(models.Model):
    class Meta:
        abstract = True
class Plain(Other):
    x = 1
def f(self, vote):
    AuditLog.objects.create(event=1)
    AuditLog.objects.filter(a=1).exclude(b=2).first()
    models.Vote.objects.select_related("x").filter(
        y=1
    ).update(z=2)
    vote.save()
    self.vote.delete()
    Vote(1).save(force=True)
    get_object_or_404(Vote, pk=1)
    d.objects
    return Vote.objects.all()[0].user
"#;
    assert_snapshot!(render::tables(&facts(source)), @r#"
    4 table audit_log of AuditLog [django model]
    8 table vote of Vote [django model]
    16:22 writes model AuditLog in f [django manager create]
    17:22 reads model AuditLog in f [django manager filter]
    20:7 writes model models.Vote in f [django manager update]
    21:10 writes model vote in f [django instance save]
    22:15 writes model self.vote in f [django instance delete]
    23:13 writes model Vote(Number) in f [django instance save]
    24:5 reads model Vote in f [django shortcut]
    26:25 reads model Vote in f [django manager all]
    "#);
}

#[test]
fn sqlalchemy_models_sessions_and_statements() {
    let source = r#"
import sqlalchemy as sa
from sqlalchemy import select, insert, Table
class User(Base):
    __tablename__ = "users"
class BlogPost(db.Model):
    id = db.Column(db.Integer)
votes = Table("votes", metadata, Column("id"))
def f(session, self):
    session.add(User(name=1))
    self.session.query(User).filter(User.id == 1).all()
    db.session.query(User.id).filter_by(x=1).delete()
    session.execute(select(User.id, BlogPost).where(x))
    session.execute(insert(User).values(a=1))
    session.execute(sa.delete(votes))
    conn.execute(votes.insert(), [])
    User.query.filter_by(a=1).first()
    session.get(User, 1)
    conn.add(User(name=2))
    seen.add(user)
"#;
    assert_snapshot!(render::tables(&facts(source)), @r#"
    4 table users of User [sqlalchemy model]
    6 table blog_post of BlogPost [flask-sqlalchemy model]
    8 table votes of votes [sqlalchemy table]
    10:13 writes model User() in f [sqlalchemy session add]
    11:18 reads model User in f [sqlalchemy query query]
    12:46 writes model User.id in f [sqlalchemy query delete]
    12:46 writes model User in f [sqlalchemy query delete]
    12:46 writes model db.session.query(User.id).filter_by() in f [django instance delete]
    13:21 reads model User.id in f [sqlalchemy select]
    13:21 reads model User in f [sqlalchemy select]
    13:21 reads model BlogPost in f [sqlalchemy select]
    14:21 writes model User in f [sqlalchemy insert]
    15:24 writes model votes in f [sqlalchemy delete]
    16:24 writes model votes in f [sqlalchemy table insert]
    17:16 reads model User in f [sqlalchemy query filter_by]
    18:13 reads model User in f [sqlalchemy session get]
    19:10 writes model User() in f [sqlalchemy session add]
    "#);
}

#[test]
fn sql_in_strings_of_every_kind() {
    let source = r#"
"""SELECT * FROM docstrings"""
def f(cur, t):
    """DELETE FROM docs"""
    cur.execute("INSERT INTO audit_log (event) VALUES (%s)", ('x',))
    cur.execute(
        "SELECT a "
        "FROM votes "
        f"WHERE id = {t.id}"
    )
    cur.execute(f"UPDATE {t} SET x = 1")
    q = "DELETE FROM " + "sessions" + " WHERE " + cond
    r = """
        WITH recent AS (SELECT * FROM votes)
        SELECT * FROM recent JOIN users ON true
    """
    print("select the best from our menu")
    b"SELECT * FROM raw_bytes"
"#;
    assert_snapshot!(render::tables(&facts(source)), @r#"
    5:17 writes audit_log in f [sql literal]
    7:9 reads votes in f [sql literal]
    12:9 writes sessions in f [sql literal]
    13:9 reads votes in f [sql literal]
    13:9 reads users in f [sql literal]
    "#);
}
