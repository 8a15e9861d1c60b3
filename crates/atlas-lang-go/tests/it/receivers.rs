//! What a receiver is: locals, results, fields, embedding, interfaces, generics, closures.

use super::{ask, check};

const HEAD: &str = r#"
=== go.mod
module ex.org/app
=== t.go
package app

type Conn struct{ peer *Conn; log Logger }
type Logger struct{}
type Pool struct{ conns []*Conn; byID map[int]Conn; next chan *Conn }

func (c *Conn) Ping() error { return nil }
func (c *Conn) Peer() *Conn { return c.peer }
func (l Logger) Info(s string) {}
func dial(s string) (*Conn, error) { return nil, nil }
func one() *Conn { return nil }
func three() (a int, c Conn, err error) { return }
"#;

fn with_head(body: &str) {
    check(&format!("{HEAD}=== u.go\npackage app\n{body}"));
}

#[test]
fn locals_take_their_types_from_calls_literals_and_declarations() {
    with_head(
        r#"
func use() {
    a, err := dial("x")
    _ = err
    a.Ping()
      ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    b := &Conn{}
    b.Peer().Peer().Ping()
      ^^^^ ~ call t.go:Conn.Peer EXTRACTED
                    ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    var c Conn
    c.Ping()
      ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    d := new(Conn)
             ^^^^ ~ construct t.go:Conn EXTRACTED
    d.log.Info("x")
          ^^^^ ~ call t.go:Logger.Info EXTRACTED
    _, e, _ := three()
    e.Ping()
      ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    f := *one()
    f.Ping()
      ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    (&f).Ping()
         ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    (*Conn).Ping(d)
            ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    var g, _ = dial("y")
    g.Ping()
      ^^^^ ~ call t.go:Conn.Ping EXTRACTED
}
"#,
    );
}

#[test]
fn elements_of_slices_maps_and_channels() {
    with_head(
        r#"
func use(p *Pool, grid [][]Conn, done <-chan struct{}) {
    for _, c := range p.conns {
        c.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
    for i := range p.conns {
        i.Ping()
          ^^^^ ~ call none
        p.conns[i].Ping()
                   ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
    for c := range p.next {
        c.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
    if c, ok := p.byID[3]; ok {
        c.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
    select {
    case c := <-p.next:
        c.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    case <-done:
    }
    (<-p.next).Ping()
               ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    grid[0][1].Ping()
               ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    list := append(p.conns[:2], one())
    list[0].Ping()
            ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    made := make(map[string]*Conn)
    made["x"].Ping()
              ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    for _, row := range []struct{ c *Conn }{} {
        _ = row
    }
}
"#,
    );
}

#[test]
fn blocks_shadow_and_end() {
    with_head(
        r#"
func use(x Logger) {
    x.Info("a")
      ^^^^ ~ call t.go:Logger.Info EXTRACTED
    if x := one(); x != nil {
        x.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
        x.Info("no")
          ^^^^ ~ call none
    } else {
        x.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
    x.Info("b")
      ^^^^ ~ call t.go:Logger.Info EXTRACTED
    for _, x := range []*Conn{} {
        x.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
    func(x *Conn) {
        x.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }(nil)
    {
        one := Logger{}
        one.Info("c")
            ^^^^ ~ call t.go:Logger.Info EXTRACTED
    }
    one().Ping()
    ^^^ ~ call t.go:one EXTRACTED
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    x.Info("d")
      ^^^^ ~ call t.go:Logger.Info EXTRACTED
}
"#,
    );
}

#[test]
fn type_switches_and_assertions() {
    with_head(
        r#"
func use(v any) {
    switch t := v.(type) {
    case *Conn:
        t.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    case Logger:
        t.Info("x")
          ^^^^ ~ call t.go:Logger.Info EXTRACTED
    case nil, Pool:
        t.Ping()
          ^^^^ ~ call none
    }
    if c, ok := v.(*Conn); ok {
        c.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
    v.(Logger).Info("y")
               ^^^^ ~ call t.go:Logger.Info EXTRACTED
}
"#,
    );
}

const INTERFACES: &str = r#"
=== go.mod
module ex.org/app
=== io/io.go
package io

type Closer interface{ Close() error }

type File interface {
    Closer
    Read(p []byte) (int, error)
}

type hidden interface{ secret() }
=== disk/disk.go
package disk

import "ex.org/app/io"

type Disk struct{ base }
type base struct{}
type Half struct{}
type Wrong struct{}
type Fake struct{ io.File }

func (b *base) Close() error { return nil }
func (d *Disk) Read(buf []uint8) (n int, err error) { return 0, nil }
func (d *Disk) secret() {}
func (h Half) Close() error { return nil }
func (w Wrong) Close() {}
func (w Wrong) Read(p string) (int, error) { return 0, nil }

func use(f io.File, c io.Closer, d *Disk, k Fake) {
    f.Read(nil)
      ^^^^ ~ call io/io.go:File.Read EXTRACTED
    f.Close()
      ^^^^^ ~ call io/io.go:Closer.Close EXTRACTED
    c.Close()
      ^^^^^ ~ call io/io.go:Closer.Close EXTRACTED
    d.Close()
      ^^^^^ ~ call disk/disk.go:base.Close EXTRACTED
    k.Read(nil)
      ^^^^ ~ call io/io.go:File.Read EXTRACTED
}
"#;

#[test]
fn calls_through_an_interface_mean_its_method() {
    check(INTERFACES);
}

#[test]
fn interfaces_are_satisfied_by_method_set() {
    assert_eq!(
        ask(INTERFACES, "implementers_of: File"),
        ["disk/disk.go:5", "disk/disk.go:9"],
        "Disk by itself and its base, Fake by embedding; Wrong has other parameters"
    );
    assert_eq!(
        ask(INTERFACES, "implementers_of: Closer"),
        ["disk/disk.go:5", "disk/disk.go:6", "disk/disk.go:7", "disk/disk.go:9", "io/io.go:6"],
        "File by embedding it"
    );
    assert_eq!(
        ask(INTERFACES, "implementers_of: hidden"),
        [] as [&str; 0],
        "an unexported method stays in its package"
    );
}

#[test]
fn embedding_lends_methods_and_fields() {
    with_head(
        r#"
type Server struct {
    *Conn
    Pool
    extra struct{ inner Logger }
}

type Alias = Server
type Own Server
type IDs []*Conn

func (i IDs) first() *Conn { return i[0] }

func use(s Server, a *Alias, o Own, ids IDs) {
    s.Ping()
      ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    s.Conn.Peer().log.Info("x")
           ^^^^ ~ call t.go:Conn.Peer EXTRACTED
                      ^^^^ ~ call t.go:Logger.Info EXTRACTED
    s.conns[0].Ping()
               ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    s.extra.inner.Info("y")
                  ^^^^ ~ call t.go:Logger.Info EXTRACTED
    a.Ping()
      ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    o.Conn.Ping()
           ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    ids.first().Ping()
        ^^^^^ ~ call u.go:IDs.first EXTRACTED
                ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    for _, c := range ids {
        c.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
}
"#,
    );
}

#[test]
fn generics_by_constraint_and_instantiation() {
    with_head(
        r#"
type Pinger interface{ Ping() error }

func all[T Pinger](xs []T) {
    for _, x := range xs {
        x.Ping()
          ^^^^ ~ call u.go:Pinger.Ping EXTRACTED
    }
}

func keep[K comparable, V any](m map[K]V) V { var v V; return v }

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) *Stack[T] { return s }

func use(cs []*Conn) {
    all(cs)
    ^^^ ~ call u.go:all EXTRACTED
    all[*Conn](cs)
    ^^^ ~ call u.go:all EXTRACTED
    keep[string, int](nil)
    ^^^^ ~ call u.go:keep EXTRACTED
    s := Stack[*Conn]{}
         ^^^^^ ~ construct u.go:Stack EXTRACTED
    s.Push(nil).Push(nil)
      ^^^^ ~ call u.go:Stack.Push EXTRACTED
                ^^^^ ~ call u.go:Stack.Push EXTRACTED
}
"#,
    );
}

#[test]
fn method_values_callbacks_and_function_results() {
    with_head(
        r#"
type Hook func(c *Conn) Logger
type Opts struct{ OnOpen Hook; make func() *Conn }

func (h Hook) Fire() {}
func onOpen(c *Conn) Logger { return Logger{} }
func each(f func()) {}
func maker() func() *Conn { return one }

func use(c *Conn, o Opts) {
    ping := c.Ping
              ^^^^ ~ read t.go:Conn.Ping EXTRACTED
    ping()
    ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    each(func() { c.Ping() })
                    ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    o2 := Opts{OnOpen: onOpen, make: one}
               ^^^^^^ ~ write u.go:Opts.OnOpen EXTRACTED
                       ^^^^^^ ~ read u.go:onOpen EXTRACTED
    o2.OnOpen.Fire()
              ^^^^ ~ call u.go:Hook.Fire EXTRACTED
    o.make().Ping()
      ^^^^ ~ call u.go:Opts.make EXTRACTED
             ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    Hook(onOpen).Fire()
    ^^^^ ~ construct u.go:Hook EXTRACTED
                 ^^^^ ~ call u.go:Hook.Fire EXTRACTED
    go c.Ping()
         ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    defer c.Peer().Ping()
                   ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    f := onOpen
    f(c).Info("x")
    ^ ~ call u.go:onOpen EXTRACTED
         ^^^^ ~ call t.go:Logger.Info EXTRACTED
}
"#,
    );
}

#[test]
fn nested_literals_know_their_element_types() {
    with_head(
        r#"
func use() {
    cases := []struct{ name string }{{name: "x"}}
    _ = cases
    pools := map[string]Pool{"a": {conns: nil}}
                                   ^^^^^ ~ write t.go:Pool.conns EXTRACTED
    pools["a"].conns[0].Ping()
                        ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    for _, c := range []Conn{{log: Logger{}}} {
                              ^^^ ~ write t.go:Conn.log EXTRACTED
        c.Ping()
          ^^^^ ~ call t.go:Conn.Ping EXTRACTED
    }
}
"#,
    );
}

#[test]
fn a_method_that_no_type_of_the_tree_has_is_unresolved() {
    let text = format!("{HEAD}=== u.go\npackage app\n\nfunc use(c *Conn) {{\n    c.Missing()\n}}\n");
    let answer = crate::harness::ask(&text, "callees_of: use", atlas_lang_go::extract, &atlas_lang_go::GoSemantics);
    assert_eq!(answer.edges.len(), 0);
    assert_eq!(answer.unresolved_refs, 1);
}

#[test]
fn a_distinctive_method_of_an_unknown_receiver_is_inferred_near_by_alone() {
    check(
        r#"
=== go.mod
module ex.org/app
=== a/a.go
package a

type T struct{}

func (t T) Frobnicate(n int) {}
func (t T) Close() {}

func use(x T) {
    y, ok := undefined(x)
    y.Frobnicate(1)
      ^^^^^^^^^^ ~ call a/a.go:T.Frobnicate INFERRED
    y.Close()
      ^^^^^ ~ call a/a.go:T.Close AMBIGUOUS
}
=== b/b.go
package b

func use(x any) {
    y := undefined(x)
    y.Frobnicate(1)
      ^^^^^^^^^^ ~ call a/a.go:T.Frobnicate AMBIGUOUS
}
"#,
    );
}

#[test]
fn structs_without_tags_are_rows_where_gorm_is_given_them() {
    let files = r#"
=== go.mod
module ex.org/app
=== models.go
package app
type UserAccount struct { ID int }
type Plain struct { ID int }
=== store.go
package app
import "gorm.io/gorm"
func f(db *gorm.DB) {
	db.Create(&UserAccount{})
	var u UserAccount
	db.First(&u)
}
=== other.go
package app
func g(store *Store) {
	store.Save(&Plain{})
}
"#;
    let sites = |query: &str| ask(files, query);
    assert_eq!(sites("writers_to: user_accounts"), ["store.go:4"]);
    assert_eq!(sites("writers_to: UserAccount"), ["store.go:4"]);
    assert_eq!(sites("readers_of: user_accounts"), ["store.go:6"]);
    assert!(sites("writers_to: Plain").is_empty());
}
