//! Modules, packages, imports, build constraints.

use super::{ask, check};

#[test]
fn imports_by_path_alias_dot_and_clause() {
    check(
        r#"
=== go.mod
module ex.org/app

go 1.22
=== store/store.go
package store

type DB struct{}

func Open() *DB { return nil }
func Close(d *DB) {}
=== deep/v2/deep.go
package deep

func Dig() {}
=== go-odd/odd.go
package strange

func Odd() {}
=== internal/secret/s.go
package secret

func Keep() {}
=== main.go
package main

import (
    st "ex.org/app/store"
    ^ ~ import none
    "ex.org/app/deep/v2"
    . "ex.org/app/internal/secret"
    "ex.org/app/go-odd"
)

func main() {
    db := st.Open()
             ^^^^ ~ call store/store.go:Open EXTRACTED
    st.Close(db)
       ^^^^^ ~ call store/store.go:Close EXTRACTED
    deep.Dig()
         ^^^ ~ call deep/v2/deep.go:Dig EXTRACTED
    Keep()
    ^^^^ ~ call internal/secret/s.go:Keep EXTRACTED
    strange.Odd()
            ^^^ ~ call go-odd/odd.go:Odd EXTRACTED
    store.Open()
          ^^^^ ~ call none
}
"#,
    );
}

#[test]
fn importers_are_files() {
    let text = r#"
=== go.mod
module ex.org/app
=== store/a_test.go
package store
=== store/b.go
package store
=== main.go
package main

import "ex.org/app/store"

var x = store.X
"#;
    assert_eq!(ask(text, "importers_of: store/b.go"), ["main.go:3"]);
}

#[test]
fn files_of_a_package_see_each_other_and_tests_see_more() {
    check(
        r#"
=== go.mod
module ex.org/app
=== p/a.go
package p

func a() { b(); helper() }
           ^ ~ call p/b.go:b EXTRACTED
                ^^^^^^ ~ call none
=== p/b.go
package p

func b() {}
=== p/p_test.go
package p

import "testing"

func helper() {}

func TestA(t *testing.T) {
    helper()
    ^^^^^^ ~ call p/p_test.go:helper EXTRACTED
    a()
    ^ ~ call p/a.go:a EXTRACTED
    ^ ~ test p/a.go:a EXTRACTED
}
=== p/x_test.go
package p_test

import "ex.org/app/p"

func use() {
    p.Exported()
      ^^^^^^^^ ~ call none
    helper()
    ^^^^^^ ~ call none
}
"#,
    );
}

#[test]
fn replaced_and_nested_modules_and_vendored_packages() {
    check(
        r#"
=== go.mod
module ex.org/app

replace ex.org/lib => ./third/lib

replace (
    ex.org/gone v1.0.0 => ../outside
)
=== third/lib/go.mod
module ex.org/lib
=== third/lib/sub/s.go
package sub

func Lib() {}
=== tools/go.mod
module ex.org/app/tools
=== tools/gen/g.go
package gen

func Gen() {}
=== vendor/ex.org/dep/d.go
package dep

func Dep() {}
=== main.go
package main

import (
    "ex.org/lib/sub"
    "ex.org/app/tools/gen"
    "ex.org/dep"
    "ex.org/gone"
)

func main() {
    sub.Lib()
        ^^^ ~ call third/lib/sub/s.go:Lib EXTRACTED
    gen.Gen()
        ^^^ ~ call tools/gen/g.go:Gen EXTRACTED
    dep.Dep()
        ^^^ ~ call vendor/ex.org/dep/d.go:Dep EXTRACTED
    gone.Gen()
         ^^^ ~ call none
}
"#,
    );
}

#[test]
fn a_tree_without_go_mod_is_read_as_part_of_a_workspace() {
    check(
        r#"
=== store/s.go
package store

func Open() {}
=== cmd/x/main.go
package main

import "github.com/me/proj/store"

func main() { store.Open() }
                    ^^^^ ~ call store/s.go:Open EXTRACTED
"#,
    );
}

#[test]
fn the_definition_of_the_default_build_stands_for_the_others() {
    let text = r#"
=== go.mod
module ex.org/app
=== a.go
package app

func use(d dev) {
    open()
    ^^^^ ~ call open_linux.go:open EXTRACTED
    mode()
    ^^^^ ~ call mode_unix.go:mode EXTRACTED
    d.sync()
      ^^^^ ~ call open_linux.go:dev.sync EXTRACTED
}
=== open_linux.go
package app

type dev struct{}

func open() {}
func (d dev) sync() {}
=== open_windows.go
package app

type dev struct{}

func open() {}
func (d dev) sync() {}
=== mode_unix.go
//go:build unix

package app

func mode() {}
=== mode_other.go
//go:build !unix

package app

func mode() {}
=== gen.go
//go:build ignore

package main

func main() {}
"#;
    check(text);
    assert_eq!(ask(text, "callers_of: open_windows.go:open"), ["a.go:4"]);
}

#[test]
fn programs_and_generators_do_not_hide_the_package_beside_them() {
    check(
        r#"
=== go.mod
module ex.org/app
=== p/gen.go
//go:build ignore

package main

func Make() {}
=== p/p.go
package p

func Make() {}
=== main.go
package main

import "ex.org/app/p"

func main() { p.Make() }
                ^^^^ ~ call p/p.go:Make EXTRACTED
"#,
    );
}

#[test]
fn package_variables_functions_in_them_and_init() {
    check(
        r#"
=== go.mod
module ex.org/app
=== a.go
package app

type Reg struct{}

func (r *Reg) Add(f func()) {}
func newReg() *Reg { return nil }
func handler() {}

var Default = newReg()
              ^^^^^^ ~ call a.go:newReg EXTRACTED
var typed, other Reg
var Run = func(n int) *Reg { return Default }
                                    ^^^^^^^ ~ read a.go:Default EXTRACTED

func init() {
    Default.Add(handler)
            ^^^ ~ call a.go:Reg.Add EXTRACTED
                ^^^^^^^ ~ read a.go:handler EXTRACTED
    other.Add(nil)
          ^^^ ~ call a.go:Reg.Add EXTRACTED
    Run(1).Add(nil)
    ^^^ ~ call a.go:Run EXTRACTED
           ^^^ ~ call a.go:Reg.Add EXTRACTED
    Default = nil
    ^^^^^^^ ~ write a.go:Default EXTRACTED
}

func init() {}
"#,
    );
}

#[test]
fn writers_and_readers_of_a_package_variable() {
    let text = r#"
=== go.mod
module ex.org/app
=== p/p.go
package p

var Count int

func bump() { Count++ }
=== main.go
package main

import "ex.org/app/p"

func main() {
    p.Count = 3
    println(p.Count)
    Count := 1
    Count++
}
"#;
    assert_eq!(ask(text, "writers_to: Count"), ["main.go:6", "p/p.go:5"]);
    assert_eq!(ask(text, "readers_of: Count"), ["main.go:7"]);
}
