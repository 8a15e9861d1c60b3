//! Contract cases, and the same kinds of fault in Go.

use super::{ask, check};
use crate::harness;

#[test]
fn contract_cases_hold() {
    let json = include_str!("data/contract_cases.json");
    harness::contract_cases(json, atlas_lang_go::extract, &atlas_lang_go::GoSemantics);
}

const SIX_TYPES: &str = r#"
=== go.mod
module ex.org/app
=== store/store.go
package store

type Mem struct{}
type Disk struct{}
type Net struct{ inner *Disk }
type Cache[K comparable] struct{ back Store }
type Log struct{ *Mem }
type Null int
type Store interface {
    Save(k string) error
}

func (m *Mem) Save(k string) error { return nil }
func (d Disk) Save(k string) error { return nil }
func (n *Net) Save(k string) error { return n.inner.Save(k) }
                                                    ^^^^ ~ call store/store.go:Disk.Save EXTRACTED
func (c *Cache[K]) Save(k string) error { return c.back.Save(k) }
                                                        ^^^^ ~ call store/store.go:Store.Save EXTRACTED
func (n Null) Save(k string) error { return nil }
func Open() (*Net, error) { return &Net{}, nil }
=== main.go
package main

import "ex.org/app/store"

type app struct {
    disk store.Disk
    any  store.Store
}

func newCache() *store.Cache[string] { return nil }

func (a *app) run(m *store.Mem, all []store.Null, byName map[string]*store.Net) {
    m.Save("a")
      ^^^^ ~ call store/store.go:Mem.Save EXTRACTED
    a.disk.Save("b")
           ^^^^ ~ call store/store.go:Disk.Save EXTRACTED
    a.any.Save("c")
          ^^^^ ~ call store/store.go:Store.Save EXTRACTED
    n, err := store.Open()
    if err != nil {
        return
    }
    n.Save("d")
      ^^^^ ~ call store/store.go:Net.Save EXTRACTED
    newCache().Save("e")
               ^^^^ ~ call store/store.go:Cache.Save EXTRACTED
    for _, null := range all {
        null.Save("f")
             ^^^^ ~ call store/store.go:Null.Save EXTRACTED
    }
    byName["x"].Save("g")
                ^^^^ ~ call store/store.go:Net.Save EXTRACTED
    log := store.Log{}
    log.Save("h")
        ^^^^ ~ call store/store.go:Mem.Save EXTRACTED
    store.Null(3).Save("i")
                  ^^^^ ~ call store/store.go:Null.Save EXTRACTED
    f := m.Save
    f("j")
    ^ ~ call store/store.go:Mem.Save EXTRACTED
}
"#;

#[test]
fn six_types_that_share_a_method_name_are_told_apart() {
    check(SIX_TYPES);
    assert_eq!(ask(SIX_TYPES, "callers_of: Disk.Save"), ["main.go:14", "store/store.go:15"]);
    assert_eq!(ask(SIX_TYPES, "callers_of: Store.Save"), ["main.go:15", "store/store.go:16"]);
}

#[test]
fn a_local_definition_wins_over_one_of_the_same_name_elsewhere() {
    check(
        r#"
=== go.mod
module ex.org/app
=== a/a.go
package a

func Run() {}
func use() { Run() }
             ^^^ ~ call a/a.go:Run EXTRACTED
=== b/b.go
package b

func Run() {}
func use() { Run() }
             ^^^ ~ call b/b.go:Run EXTRACTED
"#,
    );
}

#[test]
fn modules_of_one_repository_with_equal_names_stay_apart() {
    check(
        r#"
=== x/go.mod
module ex.org/x
=== x/util/util.go
package util

func Do() {}
=== x/main.go
package main

import "ex.org/x/util"

func main() { util.Do() }
                   ^^ ~ call x/util/util.go:Do EXTRACTED
=== y/go.mod
module ex.org/y
=== y/util/util.go
package util

func Do() {}
=== y/main.go
package main

import "ex.org/y/util"

func main() { util.Do() }
                   ^^ ~ call y/util/util.go:Do EXTRACTED
"#,
    );
}

#[test]
fn a_member_of_an_outside_value_is_no_edge_by_its_name() {
    check(
        r#"
=== go.mod
module ex.org/app
=== a.go
package app

import (
    "net"
    "ex.org/other/lib"
)

type Store struct{}

func (s *Store) Frobnicate() {}

func use(c net.Conn, x lib.Thing) {
    c.Frobnicate()
      ^^^^^^^^^^ ~ call none
    x.Frobnicate()
      ^^^^^^^^^^ ~ call none
    y, _ := lib.Make()
    y.Frobnicate()
      ^^^^^^^^^^ ~ call none
    for _, z := range lib.All() {
        z.Frobnicate()
          ^^^^^^^^^^ ~ call none
    }
    lib.Frobnicate()
        ^^^^^^^^^^ ~ call none
}
"#,
    );
}

#[test]
fn a_map_of_the_same_name_as_a_method_is_no_call_of_it() {
    check(
        r#"
=== go.mod
module ex.org/app
=== a.go
package app

type Store struct{}

func (s *Store) get(k string) string { return "" }

func use(m map[string]func()) {
    get := func(k string) {}
    get("x")
    ^^^ ~ call none
    m["get"]()
}
"#,
    );
}
