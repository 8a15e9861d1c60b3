//! Contract cases, and the same kinds of fault in Python.

use super::{ask, check};
use crate::harness;

#[test]
fn contract_cases_hold() {
    let json = include_str!("data/contract_cases.json");
    harness::contract_cases(json, atlas_lang_python::extract, &atlas_lang_python::PythonSemantics);
}

const SIX_TYPES: &str = r#"
=== store.py
class Mem:
    def save(self, k): pass
class Disk:
    def save(self, k): pass
class Net:
    def __init__(self, inner: Disk):
        self.inner = inner
    def save(self, k): return self.inner.save(k)
                                         ^^^^ ~ call store.py:Disk.save EXTRACTED
class Cache(Mem):
    pass
class Log:
    back: Mem
    def save(self, k): self.back.save(k)
                                 ^^^^ ~ call store.py:Mem.save EXTRACTED
class Null:
    def save(self, k): pass
def open_net() -> Net: ...
=== main.py
import store
from store import Mem, Null, Log as Journal, open_net

class App:
    disk: store.Disk
    def run(self, m: Mem, all: list[Null], by_name: dict[str, store.Net], any):
        m.save("a")
          ^^^^ ~ call store.py:Mem.save EXTRACTED
        self.disk.save("b")
                  ^^^^ ~ call store.py:Disk.save EXTRACTED
        open_net().save("c")
                   ^^^^ ~ call store.py:Net.save EXTRACTED
        for null in all:
            null.save("d")
                 ^^^^ ~ call store.py:Null.save EXTRACTED
        by_name["x"].save("e")
                     ^^^^ ~ call store.py:Net.save EXTRACTED
        for name in by_name:
            name.save("f")
                 ^^^^ ~ call none
        c = store.Cache()
        c.save("g")
          ^^^^ ~ call store.py:Mem.save EXTRACTED
        Journal().save("h")
                  ^^^^ ~ call store.py:Log.save EXTRACTED
        f = m.save
        f("i")
        ^ ~ call store.py:Mem.save EXTRACTED
        any.save("j")
            ^^^^ ~ call store.py:Mem.save | store.py:Disk.save | store.py:Net.save | store.py:Log.save | store.py:Null.save AMBIGUOUS
        "text".save("k")
               ^^^^ ~ call none
"#;

#[test]
fn six_types_that_share_a_method_name_are_told_apart() {
    check(SIX_TYPES);
    assert_eq!(ask(SIX_TYPES, "callers_of: Disk.save"), ["main.py:8", "store.py:8"]);
}

#[test]
fn a_method_of_an_unknown_receiver_is_no_function_of_that_name() {
    check(
        r#"
=== m.py
import requests

def get(url): pass
def frobnicate(x): pass

class Odd:
    def get(self, k): pass

def f(d, x):
    d.get("x")
      ^^^ ~ call m.py:Odd.get AMBIGUOUS
    x.frobnicate()
      ^^^^^^^^^^ ~ call none
    requests.get("u")
             ^^^ ~ call none
    {}.get("k")
       ^^^ ~ call none
    return get("u")
           ^^^ ~ call m.py:get EXTRACTED
"#,
    );
}

#[test]
fn two_packages_of_one_repository_never_meet_by_name() {
    check(
        r#"
=== a/pyproject.toml
[project]
name = "a"
=== a/app.py
class Sender:
    def transmit_all(self): pass
def helper(): pass
=== b/pyproject.toml
[project]
name = "b"
=== b/app.py
from app import helper
def go(x):
    x.transmit_all()
      ^^^^^^^^^^^^ ~ call none
    helper()
    ^^^^^^ ~ call none
"#,
    );
}

#[test]
fn a_parameter_or_local_hides_what_is_outside() {
    check(
        r#"
=== m.py
def run(): pass
def target(): pass

def by_parameter(run):
    run()
    ^^^ ~ call none

def by_local(make):
    run = make()
    run()
    ^^^ ~ call none

def by_nested():
    def run(): pass
    run()
    ^^^ ~ call m.py:by_nested.run EXTRACTED

def by_loop(all):
    for run in all:
        run()
        ^^^ ~ call none

def by_comprehension(all):
    [run() for run in all]
    run()
    ^^^ ~ call m.py:run EXTRACTED

def by_lambda():
    return lambda run: run()

class C:
    def target(self): pass
    def go(self):
        target()
        ^^^^^^ ~ call m.py:target EXTRACTED
"#,
    );
}

#[test]
fn several_possible_values_are_all_kept() {
    check(
        r#"
=== m.py
class A:
    def go(self): pass
class B:
    def go(self): pass

def f(flag):
    x = A() if flag else B()
    x.go()
      ^^ ~ call m.py:A.go | m.py:B.go AMBIGUOUS
    y = A()
    if flag:
        y = B()
    y.go()
      ^^ ~ call m.py:A.go | m.py:B.go AMBIGUOUS
    z = None
    z = A()
    z.go()
      ^^ ~ call m.py:A.go EXTRACTED
"#,
    );
}

#[test]
fn a_default_value_says_little_of_a_parameter() {
    check(
        r#"
=== m.py
class A:
    def go(self): pass
def f(x=A()):
    x.go()
      ^^ ~ call m.py:A.go INFERRED
"#,
    );
}

#[test]
fn a_placed_name_means_the_definition_that_is_called_just_so() {
    let files = r#"
=== a.py
def f(): pass
def g():
    def f(): pass
    f()
def h():
    f()
class S:
    def only(self): pass
    def run(self):
        self.only()
"#;
    assert_eq!(ask(files, "callers_of: a.py:f"), ["a.py:6"]);
    assert_eq!(ask(files, "callers_of: a.py:g.f"), ["a.py:4"]);
    assert_eq!(ask(files, "callers_of: f"), ["a.py:4", "a.py:6"]);
    // One inside something is meant where nothing else is called so.
    assert_eq!(ask(files, "callers_of: a.py:only"), ["a.py:10"]);
}
