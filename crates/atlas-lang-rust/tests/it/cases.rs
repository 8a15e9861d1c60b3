//! Contract cases, and the same kinds of fault in Rust.

use super::{ask, check};
use crate::harness;

#[test]
fn contract_cases_hold() {
    let json = include_str!("data/contract_cases.json");
    harness::contract_cases(json, atlas_lang_rust::extract, &atlas_lang_rust::RustSemantics);
}

const SIX_TYPES: &str = r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
pub mod store;
use store::{Disk, Mem, Store};
use std::{collections::HashMap, sync::Arc};

pub struct App { disk: Disk, any: Box<dyn Store>, shared: Arc<Mem>, by_name: HashMap<String, store::Net> }

impl App {
    pub fn run(&self, all: Vec<store::Null>, log: &mut store::Log) -> Result<(), String> {
        self.disk.save("a");
                  ^^^^ ~ call src/store.rs:Disk.save EXTRACTED
        self.any.save("b");
                 ^^^^ ~ call src/store.rs:Store.save EXTRACTED
        self.shared.save("c");
                    ^^^^ ~ call src/store.rs:Mem.save EXTRACTED
        self.by_name["x"].save("d");
                          ^^^^ ~ call src/store.rs:Net.save EXTRACTED
        if let Some(net) = self.by_name.get("x") {
            net.save("e");
                ^^^^ ~ call src/store.rs:Net.save EXTRACTED
        }
        for null in &all {
            null.save("f");
                 ^^^^ ~ call src/store.rs:Null.save EXTRACTED
        }
        all.iter().filter(|n| n.ok()).for_each(|n| n.save("g"));
                                ^^ ~ call src/store.rs:Null.ok EXTRACTED
                                                     ^^^^ ~ call src/store.rs:Null.save EXTRACTED
        log.save("h");
            ^^^^ ~ call src/store.rs:Log.save EXTRACTED
        let net = store::open()?;
                         ^^^^ ~ call src/store.rs:open EXTRACTED
        net.save("i");
            ^^^^ ~ call src/store.rs:Net.save EXTRACTED
        Mem::new().save("j");
             ^^^ ~ call src/store.rs:Mem.new EXTRACTED
                   ^^^^ ~ call src/store.rs:Mem.save EXTRACTED
        Ok(())
    }
}
=== src/store.rs
pub struct Mem;
pub struct Disk;
pub struct Net { inner: Disk }
pub struct Null(u8);
pub enum Log { Off, On(Mem) }
pub trait Store { fn save(&self, k: &str); }

impl Mem { pub fn new() -> Self { Self } pub fn save(&self, k: &str) {} }
impl Disk { pub fn save(&self, k: &str) {} }
impl Store for Net { fn save(&self, k: &str) { self.inner.save(k) } }
                                                          ^^^^ ~ call src/store.rs:Disk.save EXTRACTED
impl Null { pub fn save(&self, k: &str) {} pub fn ok(&self) -> bool { true } }
impl Log {
    pub fn save(&mut self, k: &str) {
        match self { Self::Off => {}, Log::On(mem) => mem.save(k) }
                                                          ^^^^ ~ call src/store.rs:Mem.save EXTRACTED
    }
}
pub fn open() -> Result<Net, String> { Ok(Net { inner: Disk }) }
"#;

#[test]
fn types_that_share_a_method_name_are_told_apart() {
    check(SIX_TYPES);
    assert_eq!(ask(SIX_TYPES, "callers_of: Disk::save"), ["src/lib.rs:9", "src/store.rs:10"]);
}

#[test]
fn crates_that_share_names_stay_apart() {
    check(
        r#"
=== Cargo.toml
[workspace]
members = ["*"]
=== x/Cargo.toml
[package]
name = "x"
=== x/src/lib.rs
pub fn helper() {}
pub fn go() { helper(); }
              ^^^^^^ ~ call x/src/lib.rs:helper EXTRACTED
=== y/Cargo.toml
[package]
name = "y"
=== y/src/lib.rs
pub fn helper() {}
pub fn go() { helper(); unknown().frobnicate(); }
              ^^^^^^ ~ call y/src/lib.rs:helper EXTRACTED
pub struct B;
=== z/Cargo.toml
[package]
name = "z"
=== z/src/lib.rs
pub struct Z;
impl Z { pub fn frobnicate(&self) {} }
pub fn go(b: y::B) { x::helper(); }
                        ^^^^^^ ~ call none
"#,
    );
}

#[test]
fn a_member_of_an_outside_value_is_no_edge_by_its_name() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
[dependencies]
reqwest = "1"
=== src/lib.rs
use reqwest::Client;

pub struct Store;
impl Store { pub fn frobnicate(&self) {} pub fn get(&self) {} }

pub fn go(c: Client, m: std::collections::HashMap<u8, u8>) {
    c.frobnicate();
      ^^^^^^^^^^ ~ call none
    Client::new().frobnicate();
                  ^^^^^^^^^^ ~ call none
    let r = reqwest::get("x");
    r.frobnicate();
      ^^^^^^^^^^ ~ call none
    m.get(&1);
      ^^^ ~ call none
    "text".frobnicate();
           ^^^^^^^^^^ ~ call none
}
"#,
    );
}
