//! Names with a value, and what that is.

use crate::facts::check;
use atlas_syntax::Language;

#[test]
fn every_declaration_binds() {
    check(
        Language::TypeScript,
        r##"const a = load(), b: Foo = x;
const { c, d: { e }, ...others } = await fetchAll();
const [f, , g = 1] = pair();
function run(p: P, { q, r = 2 }: Q, [s]: S[], t = new T(), ...u: U[]) {
  for (const v of list) {}
  for (const k in map) {}
  try { go(); } catch (err) {}
  return p ?? t;
}
items.map((i, n) => i.id).then((res) => res);
pairs.forEach(([key, value]) => key);
list.reduce((sum, one) => sum, 0);
"##,
        &["bind"],
        r##"
bind Local "a" in file line=1 = load()
bind Local "b" in file line=1: Foo = x
bind Local "c" in file line=2 = await fetchAll().c
bind Local "e" in file line=2 = await fetchAll().d.e
bind Local "others" in file line=2
bind Local "f" in file line=3 = pair()#0
bind Local "g" in file line=3 = pair()#2
bind Param(0) "p" in run line=4: P
bind Param(1) "#1" in run line=4: Q
bind Local "q" in run line=4 = #1.q
bind Local "r" in run line=4 = #1.r
bind Param(2) "#2" in run line=4: [S]
bind Local "s" in run line=4 = #2#0
bind Param(3) "t" in run line=4 = new T
bind Param(4) "#4" in run line=4: [U]
bind Local "u" in run line=4: [U]
bind Local "v#1" in run line=5 = each list
bind Local "k#1" in run line=6 = <String>
bind Local "err#1" in run line=7
bind Return "" in run line=8 = p | t
bind Local "i#1" in file line=10 = each items
bind Local "n#1" in file line=10
bind Local "res#1" in file line=10 = await items.map(<Function>)
bind Local "key#1" in file line=11 = each pairs#0
bind Local "value#1" in file line=11 = each pairs#1
bind Local "sum#1" in file line=12
bind Local "one#1" in file line=12 = each list
"##,
    );
}

#[test]
fn fields_are_bound_in_their_type() {
    check(
        Language::TypeScript,
        r#"class A {
  x: X;
  y = new Y();
  constructor(private z: Z) { this.w = z; }
  set() { this.v = make(); const self = this; self.u = 1; }
}
function Old() { this.engine = new Engine(); }
"#,
        &["bind"],
        r#"
bind Field "x" in A line=2: X
bind Field "y" in A line=3 = new Y
bind Param(0) "z" in A.constructor line=4: Z
bind Field "z" in A line=4: Z
bind Field "w" in A line=4 = z
bind Field "v" in A line=5 = make()
bind Local "self" in A.set line=5 = this
bind Field "u" in A line=5 = <Number>
bind Field "engine" in Old line=7 = new Engine
"#,
    );
}

#[test]
fn inner_blocks_have_names_of_their_own() {
    check(
        Language::JavaScript,
        r#"function f(x) {
  { let x = one(); { let x = two(); } }
  call(function (x) { return x; });
  call((y) => y, (y) => y);
}
if (a) { const top = 1; var wide = 2; }
"#,
        &["bind"],
        r#"
bind Param(0) "x" in f line=1
bind Local "x#1" in f line=2 = one()
bind Local "x#2" in f line=2 = two()
bind Local "x#3" in f line=3
bind Local "y#1" in f line=4
bind Local "y#2" in f line=4
bind Local "top#1" in file line=6 = <Number>
bind Local "wide" in file line=6 = <Number>
"#,
    );
}

#[test]
fn functions_return_values() {
    check(
        Language::TypeScript,
        r#"const one = () => new A();
function two(): B { if (x) return; return y; }
const three = async () => { return await load(); };
function four() { const api = { go() {} }; return api; }
const five = () => ({ a: 1, b: six });
class C { self() { return this; } }
"#,
        &["bind"],
        r#"
bind Return "" in one line=1 = new A
bind Return "" in two line=2 = y
bind Return "" in three line=3 = await load()
bind Local "api" in four line=4 = <Map>
bind Field "go" in four line=4 = def four.go
bind Return "" in four line=4 = made four
bind Field "b" in five line=5 = six
bind Return "" in five line=5 = made five
bind Return "" in C.self line=6 = this
"#,
    );
}
