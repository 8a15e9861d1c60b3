//! Crates, modules, `use`, re-exports, macros, conditional compilation.

use super::{ask, check};

#[test]
fn modules_in_files_directories_by_path_and_inline() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
mod a;
mod b;
#[path = "odd/place.rs"]
mod c;
mod inline {
    pub mod deep;
    pub fn here() { super::a::run(); self::deep::run(); crate::b::sub::run(); }
                              ^^^ ~ call src/a.rs:run EXTRACTED
                                                 ^^^ ~ call src/inline/deep.rs:run EXTRACTED
                                                                       ^^^ ~ call src/b/sub.rs:run EXTRACTED
}
fn top() {
    a::run();
       ^^^ ~ call src/a.rs:run EXTRACTED
    b::sub::run();
            ^^^ ~ call src/b/sub.rs:run EXTRACTED
    c::run();
       ^^^ ~ call src/odd/place.rs:run EXTRACTED
    inline::here();
            ^^^^ ~ call src/lib.rs:inline.here EXTRACTED
    run();
    ^^^ ~ call none
}
=== src/a.rs
pub fn run() {}
=== src/b/mod.rs
pub mod sub;
fn local() { sub::run(); super::a::run() }
                  ^^^ ~ call src/b/sub.rs:run EXTRACTED
                                   ^^^ ~ call src/a.rs:run EXTRACTED
=== src/b/sub.rs
pub fn run() {}
=== src/odd/place.rs
pub fn run() {}
=== src/inline/deep.rs
pub fn run() { super::super::top() }
                             ^^^ ~ call src/lib.rs:top EXTRACTED
"#,
    );
}

#[test]
fn use_trees_with_groups_renames_globs_and_reexports() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
pub mod api;
mod imp;
pub use imp::{Engine, start as begin};
pub mod prelude { pub use crate::imp::*; pub use super::api::{self, Client}; }

fn a() {
    begin();
    ^^^^^ ~ call src/imp.rs:start EXTRACTED
    Engine::make();
            ^^^^ ~ call src/imp.rs:Engine.make EXTRACTED
}
=== src/api.rs
use crate::{imp::{self, stop as halt}, prelude::*};
use std::fmt;

pub struct Client;
impl Client { pub fn call(&self) {} }

fn b(c: Client) {
    imp::start();
         ^^^^^ ~ call src/imp.rs:start EXTRACTED
    halt();
    ^^^^ ~ call src/imp.rs:stop EXTRACTED
    start();
    ^^^^^ ~ call src/imp.rs:start EXTRACTED
    Engine::make().spin();
                   ^^^^ ~ call src/imp.rs:Engine.spin EXTRACTED
    private();
    ^^^^^^^ ~ call none
    api::b(c);
         ^ ~ call src/api.rs:b EXTRACTED
    fmt::format();
         ^^^^^^ ~ call none
    {
        use crate::begin;
        begin();
        ^^^^^ ~ call src/imp.rs:start EXTRACTED
    }
}
=== src/imp.rs
pub struct Engine;
impl Engine { pub fn make() -> Engine { Engine } pub fn spin(&self) {} }
pub fn start() {}
pub fn stop() {}
fn private() {}
"#,
    );
}

#[test]
fn crates_of_a_workspace_by_path_rename_and_inheritance() {
    check(
        r#"
=== Cargo.toml
[workspace]
members = ["crates/*"]
[workspace.dependencies]
my-core = { path = "crates/core" }
=== crates/core/Cargo.toml
[package]
name = "my-core"
=== crates/core/src/lib.rs
pub mod db;
pub use db::Db;
pub fn boot() {}
#[macro_export]
macro_rules! shout { ($x:expr) => { $crate::boot() }; }
                                            ^^^^ ~ call crates/core/src/lib.rs:boot EXTRACTED
=== crates/core/src/db.rs
pub struct Db;
impl Db { pub fn open() -> Self { Db } pub fn get(&self) {} }
=== crates/util/Cargo.toml
[package]
name = "util"
[lib]
name = "handy"
path = "lib/handy.rs"
=== crates/util/lib/handy.rs
pub fn tool() {}
=== crates/app/Cargo.toml
[package]
name = "app"
[dependencies]
my-core.workspace = true
kit = { path = "../util", package = "util" }
[[bin]]
name = "extra"
path = "bins/extra.rs"
=== crates/app/src/lib.rs
pub fn shared() {}
=== crates/app/src/main.rs
use my_core::{boot, Db};

fn main() {
    boot();
    ^^^^ ~ call crates/core/src/lib.rs:boot EXTRACTED
    my_core::db::Db::open().get();
                     ^^^^ ~ call crates/core/src/db.rs:Db.open EXTRACTED
                            ^^^ ~ call crates/core/src/db.rs:Db.get EXTRACTED
    kit::tool();
         ^^^^ ~ call crates/util/lib/handy.rs:tool EXTRACTED
    app::shared();
         ^^^^^^ ~ call crates/app/src/lib.rs:shared EXTRACTED
    my_core::shout!(1);
             ^^^^^ ~ call crates/core/src/lib.rs:shout EXTRACTED
}
=== crates/app/bins/extra.rs
fn main() { app::shared() }
                 ^^^^^^ ~ call crates/app/src/lib.rs:shared EXTRACTED
=== crates/app/tests/it.rs
mod common;
use app::shared;

#[test]
fn works() { shared(); common::setup(); }
             ^^^^^^ ~ call crates/app/src/lib.rs:shared EXTRACTED
             ^^^^^^ ~ test crates/app/src/lib.rs:shared EXTRACTED
                               ^^^^^ ~ call crates/app/tests/common/mod.rs:setup EXTRACTED
=== crates/app/tests/common/mod.rs
pub fn setup() {}
"#,
    );
}

#[test]
fn tests_see_what_is_above_them() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
use std::fmt::Debug;
fn helper() -> Thing { Thing }
pub struct Thing;
impl Thing { fn poke(&self) {} }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::other::fixture;

    #[test]
    fn works() {
        let t = helper();
                ^^^^^^ ~ call src/lib.rs:helper EXTRACTED
        t.poke();
          ^^^^ ~ call src/lib.rs:Thing.poke EXTRACTED
        fixture();
        ^^^^^^^ ~ call src/other.rs:fixture EXTRACTED
        assert_eq!(helper().poke(), Thing.poke(), "{}", other::fixture());
                   ^^^^^^ ~ call src/lib.rs:helper EXTRACTED
                            ^^^^ ~ call src/lib.rs:Thing.poke EXTRACTED
                                          ^^^^ ~ call src/lib.rs:Thing.poke EXTRACTED
                                                               ^^^^^^^ ~ call src/other.rs:fixture EXTRACTED
    }
}
mod other;
=== src/other.rs
pub fn fixture() {}
"#,
    );
}

#[test]
fn macros_by_text_by_path_and_by_crate() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
#[macro_use]
mod macros;
mod user;
=== src/macros.rs
macro_rules! local { () => {} }
#[macro_export]
macro_rules! public { () => {} }
=== src/user.rs
use crate::public as renamed;

fn twice() {}
macro_rules! twice { () => {} }

fn go() {
    local!();
    ^^^^^ ~ call src/macros.rs:local EXTRACTED
    crate::public!();
           ^^^^^^ ~ call src/macros.rs:public EXTRACTED
    renamed!();
    ^^^^^^^ ~ call src/macros.rs:public EXTRACTED
    println!("{}", 1);
    ^^^^^^^ ~ call none
    twice!();
    ^^^^^ ~ call src/user.rs:twice EXTRACTED
    twice();
    ^^^^^ ~ call src/user.rs:twice EXTRACTED
}
"#,
    );
}

#[test]
fn the_definition_of_the_default_build_stands_for_the_others() {
    let text = r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
#[cfg(unix)]
fn sys() {}
#[cfg(not(unix))]
fn sys() {}

#[cfg(windows)]
mod imp { pub fn open() {} }
#[cfg(not(windows))]
mod imp { pub fn open() {} }

fn go() {
    sys();
    ^^^ ~ call src/lib.rs:sys EXTRACTED
}
"#;
    check(text);
    assert_eq!(ask(text, "callers_of: sys"), ["src/lib.rs:12"]);
}

#[test]
fn items_in_the_input_of_macros_count() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
macro_rules! cfg_rt { ($($item:item)*) => { $($item)* } }
cfg_rt! {
    pub mod rt;
    pub use rt::spawn;
    pub fn launch(n: usize) -> Thing { helper(n) }
                                       ^^^^^^ ~ call src/lib.rs:helper EXTRACTED
}
pub struct Thing;
impl Thing { fn poke(&self) {} }
fn helper(n: usize) -> Thing { Thing }
fn go() {
    launch(1).poke();
    ^^^^^^ ~ call src/lib.rs:launch EXTRACTED
              ^^^^ ~ call src/lib.rs:Thing.poke EXTRACTED
    spawn();
    ^^^^^ ~ call src/rt.rs:spawn EXTRACTED
}
=== src/rt.rs
pub fn spawn() {}
"#,
    );
}

#[test]
fn a_tree_without_a_manifest_is_read_by_its_directories() {
    check(
        r#"
=== src/main.rs
mod util;
fn main() { util::run(); crate::util::deep::dig() }
                  ^^^ ~ call src/util.rs:run EXTRACTED
                                            ^^^ ~ call src/util/deep.rs:dig EXTRACTED
=== src/util.rs
pub fn run() { deep::dig() }
                     ^^^ ~ call src/util/deep.rs:dig EXTRACTED
=== src/util/deep.rs
pub fn dig() {}
"#,
    );
}

#[test]
fn writers_and_readers_of_a_static() {
    let text = r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
pub mod conf;
fn w() { unsafe { conf::COUNT = 1; conf::COUNT += 1; } }
fn r(n: u32) { let x = conf::COUNT; let COUNT = 3; }
=== src/conf.rs
pub static mut COUNT: u32 = 0;
fn also() -> u32 { unsafe { COUNT } }
"#;
    assert_eq!(ask(text, "writers_to: COUNT"), ["src/lib.rs:2"]);
    assert_eq!(ask(text, "readers_of: COUNT"), ["src/conf.rs:2", "src/lib.rs:3"]);
}
