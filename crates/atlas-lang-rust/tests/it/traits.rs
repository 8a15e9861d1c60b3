//! Traits: implementations, default methods, bounds, associated types, extensions.

use super::{ask, check};

const TRAITS: &str = r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
pub trait Shape: Named {
    type Unit: Named;
    const SIDES: usize;
    fn area(&self) -> Self::Unit;
    fn twice(&self) -> Self where Self: Sized { self.area(); self.clone_it() }
                                                     ^^^^ ~ call src/lib.rs:Shape.area EXTRACTED
    fn clone_it(&self) -> Self;
    fn unit() -> Self::Unit;
}
pub trait Named { fn name(&self) -> String; }
pub struct Square;
pub struct Meter;

impl Named for Square { fn name(&self) -> String { String::new() } }
impl Named for Meter { fn name(&self) -> String { String::new() } }
impl Shape for Square {
    type Unit = Meter;
    const SIDES: usize = 4;
    fn area(&self) -> Meter { self.own(); Self::unit() }
                                   ^^^ ~ call src/lib.rs:Square.own EXTRACTED
                                                ^^^^ ~ call src/lib.rs:Square.unit EXTRACTED
    fn clone_it(&self) -> Self { Square }
    fn unit() -> Self::Unit { Meter }
}
impl Square { fn own(&self) {} fn name(&self) -> u8 { 1 } }

fn concrete(s: Square) {
    s.area().name();
      ^^^^ ~ call src/lib.rs:Square.area EXTRACTED
             ^^^^ ~ call src/lib.rs:Meter.name EXTRACTED
    s.twice().own();
      ^^^^^ ~ call src/lib.rs:Shape.twice EXTRACTED
              ^^^ ~ call src/lib.rs:Square.own EXTRACTED
    s.name();
      ^^^^ ~ call src/lib.rs:Square.name EXTRACTED
    Square::unit().name();
            ^^^^ ~ call src/lib.rs:Square.unit EXTRACTED
                   ^^^^ ~ call src/lib.rs:Meter.name EXTRACTED
}
fn generic<T: Shape + Clone, U>(t: T, u: &U, d: &dyn Shape, i: impl Named) where U: Named {
    t.area().name();
      ^^^^ ~ call src/lib.rs:Shape.area EXTRACTED
             ^^^^ ~ call src/lib.rs:Named.name EXTRACTED
    t.name();
      ^^^^ ~ call src/lib.rs:Named.name EXTRACTED
    u.name();
      ^^^^ ~ call src/lib.rs:Named.name EXTRACTED
    d.name();
      ^^^^ ~ call src/lib.rs:Named.name EXTRACTED
    i.name();
      ^^^^ ~ call src/lib.rs:Named.name EXTRACTED
    T::unit();
       ^^^^ ~ call src/lib.rs:Shape.unit EXTRACTED
    Shape::area(&t);
           ^^^^ ~ call src/lib.rs:Shape.area EXTRACTED
    <T as Named>::name(&t);
                  ^^^^ ~ call src/lib.rs:Named.name EXTRACTED
}
struct Holder<S: Shape> { shape: S, all: Vec<Box<dyn Named>> }
impl<S: Shape> Holder<S> {
    fn go(&self) {
        self.shape.area();
                   ^^^^ ~ call src/lib.rs:Shape.area EXTRACTED
        self.all[0].name();
                    ^^^^ ~ call src/lib.rs:Named.name EXTRACTED
    }
}
"#;

#[test]
fn methods_of_traits_by_type_bound_and_object() {
    check(TRAITS);
}

#[test]
fn implementers_have_the_clause_as_their_site() {
    assert_eq!(ask(TRAITS, "implementers_of: Named"), ["src/lib.rs:13", "src/lib.rs:14"]);
    assert_eq!(ask(TRAITS, "implementers_of: Shape"), ["src/lib.rs:15"]);
}

#[test]
fn deref_extension_and_blanket_implementations() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
use std::ops::Deref;
pub struct Inner;
pub struct Outer(Inner);
impl Inner { pub fn work(&self) {} }
impl Deref for Outer { type Target = Inner; fn deref(&self) -> &Inner { &self.0 } }

pub trait Ext { fn shout(&self) {} }
impl Ext for str {}
impl Ext for Vec<Inner> { fn shout(&self) {} }
pub trait Run { fn run(&self); }
pub trait RunExt { fn run_twice(&self) {} }
impl<T: Run> RunExt for T { fn run_twice(&self) { self.run(); } }
                                                       ^^^ ~ call src/lib.rs:Run.run EXTRACTED
impl Run for Inner { fn run(&self) {} }
impl<R: Run + ?Sized> Run for &R { fn run(&self) { (**self).run() } }

fn go(o: Outer, v: Vec<Inner>, i: Inner, r: &dyn Run) {
    o.work();
      ^^^^ ~ call src/lib.rs:Inner.work EXTRACTED
    v.shout();
      ^^^^^ ~ call src/lib.rs:Vec.shout EXTRACTED
    i.run_twice();
      ^^^^^^^^^ ~ call src/lib.rs:Run.run_twice EXTRACTED
    i.run();
      ^^^ ~ call src/lib.rs:Inner.run EXTRACTED
    r.run();
      ^^^ ~ call src/lib.rs:Run.run EXTRACTED
}
"#,
    );
}

#[test]
fn iterators_of_the_tree_say_what_they_give() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
pub struct Walk;
pub struct Entry;
impl Entry { pub fn open(&self) {} }
impl Iterator for Walk { type Item = Entry; fn next(&mut self) -> Option<Self::Item> { None } }

fn walk() -> impl Iterator<Item = Entry> { Walk }

fn go(mut w: Walk) {
    for e in Walk { e.open(); }
                      ^^^^ ~ call src/lib.rs:Entry.open EXTRACTED
    w.next().unwrap().open();
      ^^^^ ~ call src/lib.rs:Walk.next EXTRACTED
                      ^^^^ ~ call src/lib.rs:Entry.open EXTRACTED
    walk().for_each(|e| e.open());
                          ^^^^ ~ call src/lib.rs:Entry.open EXTRACTED
}
"#,
    );
}

#[test]
fn a_type_that_lacks_the_member_makes_no_edge() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
pub struct A;
pub struct B;
impl B { pub fn only_b(&self) {} }
#[derive(Clone)]
pub struct C;

fn go(a: A, c: C) {
    a.only_b();
      ^^^^^^ ~ call none
    c.only_b();
      ^^^^^^ ~ call none
    a.clone().only_b();
              ^^^^^^ ~ call none
    c.to_string();
      ^^^^^^^^^ ~ call none
}
"#,
    );
}

#[test]
fn several_implementations_of_one_trait_for_one_type_are_ambiguous() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
pub struct A;
impl From<u8> for A { fn from(n: u8) -> A { A } }
impl From<u16> for A { fn from(n: u16) -> A { A } }

fn go() {
    A::from(1u8);
       ^^^^ ~ call src/lib.rs:A.from | src/lib.rs:A.from AMBIGUOUS
}
"#,
    );
}

#[test]
fn generic_guards_dereference_to_what_they_hold() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
use std::ops::Deref;
pub struct Lock<T>(T);
pub struct Guard<'a, T> { held: &'a T }
impl<T> Lock<T> { pub fn lock(&self) -> Guard<'_, T> { todo!() } pub fn get(&self) -> &T { &self.0 } }
impl<'a, T> Deref for Guard<'a, T> { type Target = T; fn deref(&self) -> &T { self.held } }
pub struct Job;
impl Job { pub fn run(&self) {} }
pub trait Step { fn step(&self); }
struct Driver<S> { step: S, lock: Lock<Job> }
impl<S: Step> Driver<S> {
    fn go(&self) {
        self.lock.lock().run();
                  ^^^^ ~ call src/lib.rs:Lock.lock EXTRACTED
                         ^^^ ~ call src/lib.rs:Job.run EXTRACTED
        self.lock.get().run();
                        ^^^ ~ call src/lib.rs:Job.run EXTRACTED
        self.step.step();
                  ^^^^ ~ call src/lib.rs:Step.step EXTRACTED
    }
}
struct Loop(Box<Loop>);
impl Deref for Loop { type Target = Loop; fn deref(&self) -> &Loop { self } }
fn endless(l: Loop) { l.nothing(); }
                        ^^^^^^^ ~ call none
"#,
    );
}

#[test]
fn imports_that_cfg_chooses_between() {
    check(
        r#"
=== Cargo.toml
[package]
name = "app"
=== src/lib.rs
#[cfg(windows)]
use crate::win::open;
#[cfg(not(windows))]
use crate::nix::open;
#[cfg(test)]
use crate::mock::Clock;
#[cfg(not(test))]
use crate::nix::Clock;
mod mock;
mod nix;
mod win;
#[cfg(windows)]
#[path = "win.rs"]
mod imp;
#[cfg(unix)]
#[path = "nix.rs"]
mod imp;

fn go(c: Clock) {
    open();
    ^^^^ ~ call src/nix.rs:open EXTRACTED
    c.now();
      ^^^ ~ call src/nix.rs:Clock.now EXTRACTED
    imp::open();
         ^^^^ ~ call src/nix.rs:open EXTRACTED
}
=== src/nix.rs
pub fn open() {}
pub struct Clock;
impl Clock { pub fn now(&self) {} }
=== src/win.rs
pub fn open() {}
=== src/mock.rs
pub struct Clock;
impl Clock { pub fn now(&self) {} }
"#,
    );
}
