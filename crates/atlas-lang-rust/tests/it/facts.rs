//! What one Rust file says, fact by fact.

use atlas_lang_rust::extract;
use atlas_syntax::{Language, dump};

/// The facts of a file that start with one of these words, in order.
fn facts(source: &str, wanted: &[&str]) -> String {
    let facts = extract(source.as_bytes(), Language::Rust).expect("the grammar loads");
    let text = dump(&facts);
    let kept: Vec<&str> = text.lines().filter(|line| wanted.iter().any(|word| line.starts_with(word))).collect();
    kept.join("\n")
}

fn check(source: &str, wanted: &[&str], expected: &str) {
    let found = facts(source, wanted);
    let expected = expected.trim();
    assert!(found == expected, "found:\n{found}\n\nexpected:\n{expected}\n");
}

#[test]
fn definitions_with_spans_attributes_and_owners() {
    check(
        r#"//! Crate documentation.

/// A thing.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct Foo<T: Bar> {
    /// Inner.
    pub inner: T,
    other: u8,
}

pub struct Tuple(pub Foo<u8>, u32);
struct Unit;
union Bits { a: u8, b: i8 }

#[derive(Default)]
enum Msg {
    #[default]
    Quit,
    Text(String),
    Move { x: Tuple },
}

pub trait Run: Base + Send {
    type Item: Thing;
    const N: usize = 1;
    fn run(&self, n: usize) -> Self::Item;
    fn twice(self: Box<Self>) {}
}

impl<T: Bar> Foo<T> {
    const MAX: u8 = 3;
    /// Makes one.
    #[inline]
    pub const fn new(
        inner: T,
    ) -> Self {
        fn nested(a: u8, _: u8) {}
        Self { inner, other: 1 }
    }
    async unsafe fn go(&mut self) {}
}

impl Run for Foo<u8> {
    type Item = Unit;
    fn run(&self, n: usize) -> Unit { Unit }
}

impl<T: Run> Ext for T { fn ext(&self) {} }
impl<'a> From<&'a str> for Box<Foo<u8>> { fn from(s: &'a str) -> Self { todo!() } }
impl !Send for Unit {}
impl std::ops::Deref for Tuple { type Target = Foo<u8>; fn deref(&self) -> &Foo<u8> { &self.0 } }

pub type Alias<T> = Result<T, Msg>;
pub static LIMIT: usize = 3;
static mut COUNT: Foo<u8> = x();
const _: () = {};
extern "C" { fn foreign(x: u8, ...); }

#[macro_export]
macro_rules! shout { ($x:expr) => { $crate::store::f($x); $crate::n!() }; }

mod inline {
    fn inside() {}
    #[cfg(windows)]
    fn elsewhere() {}
}

#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn works() {}
}
"#,
        &["def", "base"],
        r#"
def struct Foo 4-10 @6:12 sig=6 doc=3-3 exported
def field Foo.inner 8-8 @8:9 ty=T doc=7-7 exported
def field Foo.other 9-9 @9:5 ty=u8
def struct Tuple 12-12 @12:12 exported
def struct Unit 13-13 @13:8
def union Bits 14-14 @14:7
def field Bits.a 14-14 @14:14 ty=u8
def field Bits.b 14-14 @14:21 ty=i8
def enum Msg 16-22 @17:6 sig=17
def enum_member Msg.Quit 18-19 @19:5 exported
def enum_member Msg.Text 20-20 @20:5 exported
def enum_member Msg.Move 21-21 @21:5 exported
def field Msg.Move.x 21-21 @21:12 ty=Tuple
def trait Run 24-29 @24:11 exported
def type_alias Run.Item 25-25 @25:10 ty=Thing exported
def constant Run.N 26-26 @26:11 ty=usize exported
def method Run.run 27-27 @27:8 arity=1..1 ty=Run.Item exported declaration
def method Run.twice 28-28 @28:8 arity=0..0 exported
def constant MAX 32-32 @32:11 owner=Foo<T> ty=u8
def method new 35-40 @35:18 sig=37 owner=Foo<T> arity=1..1 ty=This doc=33-33 exported static
def function new.nested 38-38 @38:12 arity=2..2
def method go 41-41 @41:21 owner=Foo<T> arity=0..0 async
def type_alias Item 45-45 @45:10 owner=Foo<u8> ty=Unit exported
def method run 46-46 @46:8 owner=Foo<u8> arity=1..1 ty=Unit exported
def method ext 49-49 @49:29 owner=Run arity=0..0 exported
def method from 50-50 @50:46 owner=Box arity=1..1 ty=This exported static
def type_alias Target 52-52 @52:39 owner=Tuple ty=Foo<u8> exported
def method deref 52-52 @52:60 owner=Tuple arity=0..0 ty=Foo<u8> exported
def type_alias Alias 54-54 @54:10 ty=Result<T, Msg> exported
def variable LIMIT 55-55 @55:12 ty=usize exported
def variable COUNT 56-56 @56:12 ty=Foo<u8>
def function foreign 58-58 @58:17 arity=1..* declaration
def macro shout 61-61 @61:14 arity=0..* exported
def namespace inline 63-67 @63:5
def function inline.inside 64-64 @64:8 arity=0..0
def function inline.elsewhere 66-66 @66:8 arity=0..0 conditional
def namespace tests 69-73 @70:5 test
def function tests.works 72-72 @72:14 arity=0..0 async test
base Foo Implement Debug 4:1
base Foo Implement Clone 4:1
base Msg Implement Default 16:1
base Run Inherit Base 24:16
base Run Inherit Send 24:23
base type Foo<u8> Implement Run 44:6
base type Run Implement Ext 49:14
base type Box Implement From<str> 50:10
base type Tuple Implement std.ops.Deref 52:6
base type Tuple Include Foo<u8> 52:48
"#,
    );
}

#[test]
fn references_of_every_kind() {
    check(
        r#"use crate::store;

fn go(d: &Db, f: fn(u8) -> u8) {
    plain(1, 2);
    d.method("x").chain::<u8>(callback)?;
    store::open(&store::LIMIT);
    Vec::<Item>::with(Some(3));
    <Db as Store>::save(d);
    Db { name: "x".into(), size, ..Default::default() };
    Msg::Text(helper);
    d.field = GLOBAL;
    store::COUNT += 1;
    TABLE[0] = d.list[1].name;
    (d.hook)(1);
    f(2);
    let g = |x| inner(x);
    g(1);
    match d { Msg::Quit => {}, Msg::Move { x, .. } | Db { x } => use_it(x), LIMIT => {} }
    let x: store::Kind = d.await as Wide;
    shout!(d.size(), other::call(1), Pair { a: 1 }, callback);
    tracing::debug!(d.name);
    Self::assoc();
    return finish;
}
"#,
        &["call", "construct", "read", "write", "type", "macro", "decorator"],
        r#"
type 3:11 Db in go
call 4:5 plain/2 in go
call 5:7 d#1.method/1 "x" in go
call 5:19 d#1.method(<String>).chain/1 in go
read 5:31 callback in go
call 6:12 store.open/1 in go
read 6:25 store.LIMIT in go
type 7:5 Vec in go
type 7:11 Item in go
call 7:18 Vec.with/1 in go
type 8:6 Db in go
type 8:12 Store in go
call 8:20 Store.save/1 in go
construct 9:5 Db in go
write 9:10 new Db.name in go
call 9:20 <String>.into/0 in go
write 9:28 new Db.size in go
read 9:28 size in go
type 9:36 Default in go
call 9:45 Default.default/0 in go
type 10:5 Msg in go
call 10:10 Msg.Text/1 in go
read 10:15 helper in go
write 11:7 d#1.field in go
read 11:15 GLOBAL in go
write 12:12 store.COUNT in go
write 13:5 TABLE in go
read 13:18 d#1.list in go
read 13:26 d#1.list.#index().name in go
read 14:8 d#1.hook in go
call 15:5 f#1/1 in go
call 16:17 inner/1 in go
type 18:15 Msg in go
read 18:20 Msg.Quit in go
type 18:32 Msg in go
type 18:37 Msg.Move in go
type 18:54 Db in go
call 18:66 use_it/1 in go
read 18:77 LIMIT in go
type 19:19 store.Kind in go
type 19:37 Wide in go
macro 20:5 shout/* in go
call 20:14 d#1.size/0 in go
call 20:29 other.call/1 in go
construct 20:38 Pair in go
read 20:53 callback in go
macro 21:14 tracing.debug/* in go
read 21:23 d#1.name in go
call 22:11 Self.assoc/0 in go
read 23:12 finish in go
"#,
    );
}

#[test]
fn attributes_name_functions_and_macros() {
    check(
        r#"#[derive(Serialize)]
struct Conf {
    #[serde(default = "defaults::port", skip_serializing_if = "Option::is_none")]
    port: u16,
}
#[tokio::main]
#[my_macro(x)]
async fn main() {}
"#,
        &["read", "decorator", "root"],
        r#"
read 3:23 defaults.port in Conf
read 3:63 Option.is_none in Conf
decorator 6:10 tokio.main/* in file
decorator 7:3 my_macro/* in file
root cli main line=8 def=main by tokio::main attribute
"#,
    );
}

#[test]
fn bindings_are_exact_by_block() {
    check(
        r#"fn go(x: T, (a, mut b): (A, B), _: C) -> Result<D> {
    let x = x.next()?;
    let Some(y) = find(&x) else { return };
    if let Ok(z) = y.parse() && let Tuple(p, _, q) = z {}
    while let Some(w) = stack.pop() {}
    for (i, item) in x.items.iter().enumerate() {}
    match m.await {
        Msg::Text(t) => t,
        Msg::Move { x: Tuple(n, ..), ref by } => n,
        whole @ Msg::Other(_) => 1,
        Err(e) | Ok(e) => e,
        [first, .., last] => first,
    };
    list.iter().map(|v| v.a()).fold(0, |acc, v| acc);
    map.retain(|k, v| true);
    let c = if x { New } else { make(1) };
    let v: Vec<u8> = vec![Foo::new()];
    let (l, r) = (1, Foo { a: 1 });
    let n = { let inner = 3; inner };
    let u = unsafe { raw() };
    const LOCAL: u8 = 1;
}
"#,
        &["bind"],
        r#"
bind Param(0) "x#1" in go line=1: T
bind Local "a#1" in go line=1 = as (A, B)#0
bind Local "b#1" in go line=1 = as (A, B)#1
bind Local "x#2" in go line=2 = x#1.next().#try()
bind Local "y#1" in go line=3 = find(x#2).#Some()
bind Local "z#1" in go line=4 = y#1.parse().#Ok()
bind Local "p#1" in go line=4 = Tuple.0
bind Local "q#1" in go line=4 = Tuple.2
bind Local "w#1" in go line=5 = stack.pop().#Some()
bind Local "i#1" in go line=6 = x#2.items.iter().enumerate().#item()#0
bind Local "item#1" in go line=6 = x#2.items.iter().enumerate().#item()#1
bind Local "t#1" in go line=8 = Msg.Text.0
bind Local "n#1" in go line=9 = Tuple.0
bind Local "by#1" in go line=9 = Msg.Move.by
bind Local "whole#1" in go line=10 = await m
bind Local "e#1" in go line=11 = await m.#Err()
bind Local "e#2" in go line=11 = await m.#Ok()
bind Local "first#1" in go line=12 = await m.#item()
bind Local "last#1" in go line=12 = await m.#item()
bind Local "v#1" in go line=14 = list.iter().#item()
bind Local "acc#1" in go line=14
bind Local "v#2" in go line=14 = list.iter().map(<Function>).#item()
bind Local "k#1" in go line=15 = map.#item()#0
bind Local "v#3" in go line=15 = map.#item()#1
bind Local "c#1" in go line=16 = new New | make(<Number>)
bind Local "v#4" in go line=17: Vec<u8>
bind Local "l#1" in go line=18 = (<Number>, new Foo)#0
bind Local "r#1" in go line=18 = (<Number>, new Foo)#1
bind Local "inner#1" in go line=19 = <Number>
bind Local "n#2" in go line=19 = inner#1
bind Local "u#1" in go line=20 = raw()
bind Local "LOCAL" in go line=21: u8
"#,
    );
}

#[test]
fn use_in_every_form() {
    check(
        r#"use std::{collections::HashMap, io::{self, Read as _}};
use crate::store::{self, Db as Database, *};
pub use super::x::y;
pub(crate) use self::z::*;
use ::serde;
extern crate foo as bar;
mod child;
#[path = "other/y.rs"]
pub mod y;
mod inline {
    use super::*;
    mod deep;
}
fn f() { use crate::local; }
cfg_rt! {
    pub mod rt;
    pub(crate) use rt::{a, b};
}
"#,
        &["import"],
        r#"
import Name std::collections name=HashMap as HashMap line=1
import Name std name=io as io line=1
import Name std::io name=Read line=1
import Name crate name=store as store line=2
import Name crate::store name=Db as Database line=2
import Wildcard crate::store line=2
import Name super::x name=y as y line=3 reexport
import Wildcard self::z line=4 reexport
import Name  name=serde as serde line=5
import Name  name=foo as bar line=6
import ChildModule child name=child as child line=7
import ChildModule other/y.rs level=1 name=y as y line=9 reexport
import Wildcard super line=11 in inline
import ChildModule deep name=deep as deep line=12 in inline
import Name crate name=local as local line=14 in f
import ChildModule rt name=rt as rt line=16 reexport
import Name rt name=a as a line=17 reexport
import Name rt name=b as b line=17 reexport
"#,
    );
}

#[test]
fn items_and_expressions_in_macros() {
    check(
        r#"lazy_static! {
    pub static ref CACHE: Store<u8> = Store::open();
}
cfg_rt! {
    pub async fn spawned<T>(a: Db, b: T) -> Out { a.run(b) }
}
fn go(s: &S) {
    tokio::select! {
        r = s.rx.recv() => { let q = s.next(); q.work(); }
    }
    assert_eq!(s.get(&k).unwrap().x(), Foo::<u8>::make(1, compute(2)), "x {}", s.f());
    m!($crate::a(1), a..b, if x { Y } else { z });
    vec![make(), s.clone()];
}
"#,
        &["def", "call", "construct", "read", "macro", "bind"],
        r#"
def variable CACHE 2-2 @2:20 ty=Store<u8> exported
def function spawned 5-5 @5:18 arity=2..2 ty=Out exported async
def function go 7-14 @7:4 arity=1..1
macro 1:1 lazy_static/* in file
call 2:46 Store.open/0 in CACHE
macro 4:1 cfg_rt/* in file
call 5:53 a#1.run/1 in spawned
macro 8:12 tokio.select/* in go
read 9:15 s#1.rx in go
call 9:18 s#1.rx.recv/0 in go
call 9:40 s#1.next/0 in go
call 9:50 q#1.work/0 in go
macro 11:5 assert_eq/* in go
call 11:18 s#1.get/1 in go
read 11:23 k in go
call 11:26 s#1.get().unwrap/0 in go
call 11:35 s#1.get().unwrap().x/0 in go
call 11:51 Foo.make/2 in go
call 11:59 compute/1 in go
call 11:82 s#1.f/0 in go
macro 12:5 m/* in go
call 12:16 crate.a/1 in go
read 12:35 Y in go
read 12:46 z in go
macro 13:5 vec/* in go
call 13:10 make/0 in go
call 13:20 s#1.clone/0 in go
bind Local "CACHE" in file line=2: Store<u8>
bind TypeParam(0) "T" in spawned line=5
bind Param(0) "a#1" in spawned line=5: Db
bind Param(1) "b#1" in spawned line=5: T
bind Param(0) "s#1" in go line=7: S
bind Local "q#1" in go line=9 = s#1.next()
"#,
    );
}

#[test]
fn routes_and_commands() {
    check(
        r#"use axum::{routing::get, Router};
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "tool")]
struct Cli {
    #[command(subcommand)]
    command: Commands,
}

#[derive(Subcommand)]
enum Commands {
    AddUser { name: String },
    #[command(name = "rm")]
    Remove,
}

#[tokio::main]
async fn main() {
    let app = Router::new()
        .route("/users/{id}", get(show).post(handlers::create))
        .route("/x", axum::routing::delete(|| async {}))
        .route_service("/static", serve);
    map.route("key", value);
}

#[test]
fn works() {}

#[rstest]
fn cases() {}
"#,
        &["root"],
        r#"
root cli tool line=6 def=Cli by clap derive
root cli add-user line=13 def=Commands.AddUser by clap subcommand
root cli rm line=15 def=Commands.Remove by clap subcommand
root cli main line=19 def=main by tokio::main attribute
root http_route show line=21 "GET" "/users/{id}" handler=show by axum route
root http_route create line=21 "POST" "/users/{id}" handler=handlers.create by axum route
root http_route DELETE /x line=22 "DELETE" "/x" def=main by axum route
root test works line=28 def=works by rust test
root test cases line=31 def=cases by rstest attribute
"#,
    );
}

#[test]
fn routes_of_actix_and_rocket() {
    check(
        r#"use actix_web::{get, web, App};

#[get("/hello/{name}")]
async fn hello() {}

#[actix_web::route("/multi", method = "GET")]
async fn multi() {}

fn config(cfg: &mut web::ServiceConfig) {
    cfg.route("/a", web::get().to(index));
    cfg.service(web::resource("/b").route(web::post().to(create)).to(other));
}

#[derive(Debug)]
#[get]
struct NotARoute;
"#,
        &["root"],
        r#"
root http_route hello line=4 "GET" "/hello/{name}" def=hello by actix route attribute
root http_route multi line=7 "GET" "/multi" def=multi by actix route attribute
root http_route index line=10 "GET" "/a" handler=index by actix route
root http_route create line=11 "POST" "/b" handler=create by actix route
root http_route other line=11 "ANY" "/b" handler=other by actix resource
"#,
    );
}

#[test]
fn tables_of_diesel_and_sql() {
    check(
        r##"use diesel::prelude::*;

diesel::table! {
    users (id) { id -> Int4, name -> Text, }
}

#[derive(Queryable, Insertable)]
#[diesel(table_name = users)]
struct User { id: i32 }

#[derive(Insertable)]
struct BlogPost { id: i32 }

fn go(conn: &mut Conn, post: BlogPost) {
    diesel::insert_into(users::table).values(&post).execute(conn);
    diesel::update(users.find(1)).set(x).execute(conn);
    diesel::delete(posts::table.filter(y)).execute(conn);
    users::table.load::<User>(conn);
    sqlx::query!("SELECT id FROM orders WHERE x = $1", 1);
    conn.execute("INSERT INTO events (a) \
                  VALUES (?)", []);
    conn.query(r#"UPDATE accounts SET x = 1"#);
    log("select a file from the list");
}
"##,
        &["table", "reads", "writes"],
        r##"
table users line=4 by diesel table!
table users line=9 model=User by diesel table_name
table blog_posts line=12 model=BlogPost by diesel derive
writes users 15:5 in go by diesel insert
writes users 16:5 in go by diesel update
writes posts 17:5 in go by diesel delete
reads users 18:12 in go by diesel query
reads orders 19:18 in go by sql literal
writes events 20:18 in go by sql literal
writes accounts 22:16 in go by sql literal
"##,
    );
}
