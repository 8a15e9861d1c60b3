//! Imports, exports and inheritance clauses.

use crate::facts::check;
use atlas_syntax::Language;

#[test]
fn imports_of_every_form() {
    check(
        Language::TypeScript,
        r#"import def, { a, b as c, type D, default as e } from './m';
import * as ns from "./ns";
import type { F } from './types';
import './effect';
import old = require('old');
import data from './data.json' with { type: 'json' };
export * from './all';
export * as inner from './inner';
export { g, h as i, default } from './some';
export { j, k as default };
export default l;
export = m;
"#,
        &["import", "export", "base"],
        r#"
import Default ./m as def line=1
import Name ./m name=a as a line=1
import Name ./m name=b as c line=1
import Name ./m name=D as D line=1 type-only
import Default ./m as e line=1
import Module ./ns as ns line=2
import Name ./types name=F as F line=3 type-only
import Effect ./effect line=4
import Module old as old line=5
import Default ./data.json as data line=6
import Effect ./all line=7 reexport
import Module ./inner as inner line=8 reexport
import Name ./some name=g as g line=9 reexport
import Name ./some name=h as i line=9 reexport
import Default ./some as default line=9 reexport
export j = j line=10
export default = k line=10
export default = l line=11
export module.exports = m line=12
"#,
    );
}

#[test]
fn require_and_dynamic_import_of_every_form() {
    check(
        Language::JavaScript,
        r"const a = require('./a');
const { b, c: d, default: dd } = require('./b');
const e = require('./e').inner;
const f = require('./f')(1);
require('./g');
const h = await import('./h');
const { i } = await import('./i');
import('./j').then((j) => j.go());
const k = jest.requireActual('./k');
function inside() { const l = require('./l'); }
module.exports = { a, x: b, ...require('./m') };
exports.n = require('./n');
require(dynamic);
",
        &["import", "export", "base"],
        r"
import Module ./a as a line=1
import Name ./b name=b as b line=2
import Name ./b name=c as d line=2
import Default ./b as dd line=2
import Name ./e name=inner as e line=3
import Module ./f as require(./f) line=4
import Module ./g as require(./g) line=5
import Module ./h as h line=6
import Name ./i name=i as i line=7
import Module ./j as import(./j) line=8
import Module ./k as k line=9
import Module ./l as l line=10 in inside
import Module ./m as require(./m) line=11
import Effect ./m line=11 in exports reexport
import Module ./n as require(./n) line=12
export a = a line=11
export x = b line=11
export module.exports = def exports line=11
export n = require(./n) line=12
",
    );
}

#[test]
fn inheritance_of_every_form() {
    check(
        Language::TypeScript,
        r"class A extends B implements C, ns.D<E> {}
class F extends ns.G<H> {}
class I extends mixin(J) {}
interface K extends L, M<N> {}
const O = class extends P {};
",
        &["import", "export", "base"],
        r"
base A Inherit B 1:17
base A Implement C 1:30
base A Implement ns.D<E> 1:36
base F Inherit ns.G<H> 2:20
base K Inherit L 4:21
base K Inherit M<N> 4:24
base O Inherit P 5:25
",
    );
}

#[test]
fn old_inheritance() {
    check(
        Language::JavaScript,
        r"util.inherits(A, B);
C.prototype = Object.create(D.prototype);
E.prototype.__proto__ = F.prototype;
G.prototype = new H();
Object.setPrototypeOf(I.prototype, J.prototype);
",
        &["import", "export", "base"],
        r"
base type A Inherit B 1:1
base type C Inherit D 2:3
base type E Inherit F 3:13
base type G Inherit H 4:3
base type I Inherit J 5:1
",
    );
}
