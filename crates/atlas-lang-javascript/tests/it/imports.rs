//! How modules and packages give their names, one construct a test.

use crate::linked::check;

#[test]
fn default_imports_reach_named_and_anonymous_exports() {
    let fixture = "\
=== a.ts
export default function run() {}
=== b.ts
export default () => 1;
=== c.ts
import go from './a';
import other from './b';
go();
other();
";
    check(fixture, "callers_of: run", &["c.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: b.ts:default", &["c.ts:4 EXTRACTED"]);
}

#[test]
fn a_default_export_by_name_or_alias_is_followed() {
    let fixture = "\
=== a.ts
function run() {}
function stop() {}
export { run as default, stop as halt };
=== b.ts
function only() {}
export default only;
=== c.ts
import go, { halt } from './a';
import o from './b';
go(); halt(); o();
";
    check(fixture, "callers_of: run", &["c.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: stop", &["c.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: only", &["c.ts:3 EXTRACTED"]);
}

#[test]
fn barrels_are_followed_through_cycles() {
    let fixture = "\
=== lib/a.ts
export * from './index';
export function deep() {}
=== lib/b.ts
export { deep as renamed } from './a';
=== lib/index.ts
export * from './a';
export * from './b';
export * as inner from './a';
=== app.ts
import { deep, renamed, inner } from './lib';
import * as lib from './lib/index.js';
deep();
renamed();
inner.deep();
lib.deep();
lib.inner.deep();
";
    check(
        fixture,
        "callers_of: deep",
        &["app.ts:3 EXTRACTED", "app.ts:4 EXTRACTED", "app.ts:5 EXTRACTED", "app.ts:6 EXTRACTED", "app.ts:7 EXTRACTED"],
    );
}

#[test]
fn two_barrel_sources_of_one_name_are_ambiguous() {
    let fixture = "\
=== a.ts
export function same() {}
=== b.ts
export function same() {}
=== index.ts
export * from './a';
export * from './b';
=== app.ts
import { same } from './index';
same();
";
    check(fixture, "callers_of: a.ts:same", &["app.ts:2 AMBIGUOUS"]);
}

#[test]
fn commonjs_forms_of_export_and_import() {
    let fixture = "\
=== a.js
exports.one = function () {};
module.exports.two = () => {};
function three() {}
exports.three = three;
=== b.js
function four() {}
module.exports = { four, five() { this.six(); }, six: function () {}, renamed: four };
=== c.js
module.exports = class Thing { go() {} };
=== d.js
module.exports = function build() {};
module.exports.extra = function extra() {};
=== main.js
const a = require('./a');
const { two, three: drei } = require('./a');
const b = require('./b');
const Thing = require('./c');
const build = require('./d');
a.one();
two();
drei();
b.four();
b.five();
b.renamed();
new Thing().go();
build();
build.extra();
require('./d')();
require('./a').one();
";
    check(fixture, "callers_of: one", &["main.js:6 EXTRACTED", "main.js:16 EXTRACTED"]);
    check(fixture, "callers_of: two", &["main.js:7 EXTRACTED"]);
    check(fixture, "callers_of: three", &["main.js:8 EXTRACTED"]);
    check(fixture, "callers_of: four", &["main.js:9 EXTRACTED", "main.js:11 EXTRACTED"]);
    check(fixture, "callers_of: five", &["main.js:10 EXTRACTED"]);
    check(fixture, "callers_of: six", &["b.js:2 EXTRACTED"]);
    check(fixture, "callers_of: go", &["main.js:12 EXTRACTED"]);
    check(fixture, "callers_of: build", &["main.js:13 EXTRACTED", "main.js:15 EXTRACTED"]);
    check(fixture, "callers_of: extra", &["main.js:14 EXTRACTED"]);
}

#[test]
fn es_imports_of_commonjs_modules_take_the_whole() {
    let fixture = "\
=== a.js
module.exports = { load() {} };
=== b.cjs
function make() {}
module.exports = make;
=== c.mjs
import a, { load } from './a.js';
import make from './b.cjs';
a.load();
load();
make();
";
    check(fixture, "callers_of: load", &["c.mjs:3 EXTRACTED", "c.mjs:4 EXTRACTED"]);
    check(fixture, "callers_of: make", &["c.mjs:5 EXTRACTED"]);
}

#[test]
fn typescript_import_equals_and_export_equals() {
    let fixture = "\
=== a.ts
function build() {}
export = build;
=== b.ts
import build = require('./a');
build();
";
    check(fixture, "callers_of: build", &["b.ts:2 EXTRACTED"]);
}

#[test]
fn dynamic_imports_are_modules() {
    let fixture = "\
=== a.ts
export function run() {}
export default function main() {}
=== b.ts
export async function go() {
  const a = await import('./a');
  a.run();
  const { run, default: start } = await import('./a');
  run();
  start();
  (await import('./a')).run();
  import('./a').then((m) => m.run());
}
";
    check(
        fixture,
        "callers_of: run",
        &["b.ts:3 EXTRACTED", "b.ts:5 EXTRACTED", "b.ts:7 EXTRACTED", "b.ts:8 EXTRACTED"],
    );
    check(fixture, "callers_of: main", &["b.ts:6 EXTRACTED"]);
}

#[test]
fn a_js_specifier_may_mean_a_ts_file() {
    let fixture = "\
=== src/a.ts
export function a() {}
=== src/b/index.tsx
export function b() {}
=== src/c.mts
export function c() {}
=== src/main.ts
import { a } from './a.js';
import { b } from './b/index.jsx';
import { b as b2 } from './b';
import { c } from './c.mjs';
a(); b(); b2(); c();
";
    check(fixture, "callers_of: a", &["src/main.ts:5 EXTRACTED"]);
    check(fixture, "callers_of: b", &["src/main.ts:5 EXTRACTED", "src/main.ts:5 EXTRACTED"]);
    check(fixture, "callers_of: c", &["src/main.ts:5 EXTRACTED"]);
}

#[test]
fn typescript_wins_over_its_compiled_neighbour() {
    let fixture = "\
=== a.js
export function x() {}
=== a.ts
export function x() {}
=== b.ts
import { x } from './a';
x();
";
    check(fixture, "callers_of: a.ts:x", &["b.ts:2 EXTRACTED"]);
    check(fixture, "callers_of: a.js:x", &[]);
}

#[test]
fn tsconfig_paths_come_through_extends() {
    let fixture = "\
=== config/base.json
{}
=== tsconfig.base.json
{
  /* shared */
  \"compilerOptions\": { \"baseUrl\": \".\", \"paths\": { \"@lib/*\": [\"libs/*/src\"], \"@one\": [\"libs/one/main.ts\"], } },
}
=== apps/web/tsconfig.json
{ \"extends\": \"../../tsconfig.base.json\" }
=== libs/log/src/index.ts
export function log() {}
=== libs/one/main.ts
export function one() {}
=== apps/web/src/a.ts
import { log } from '@lib/log';
import { one } from '@one';
import { log as viaBase } from 'libs/log/src/index';
log();
one();
viaBase();
";
    check(fixture, "callers_of: log", &["apps/web/src/a.ts:4 EXTRACTED", "apps/web/src/a.ts:6 EXTRACTED"]);
    check(fixture, "callers_of: one", &["apps/web/src/a.ts:5 EXTRACTED"]);
}

#[test]
fn workspaces_give_packages_by_name() {
    let fixture = "\
=== package.json
{ \"name\": \"root\", \"workspaces\": [\"packages/*\"] }
=== packages/core/package.json
{ \"name\": \"@x/core\", \"main\": \"dist/index.js\", \"exports\": { \".\": { \"import\": \"./dist/index.js\" }, \"./util/*\": \"./dist/util/*.js\" } }
=== packages/core/src/index.ts
export function core() {}
=== packages/core/src/util/text.ts
export function text() {}
=== packages/app/package.json
{ \"name\": \"app\" }
=== packages/app/main.ts
import { core } from '@x/core';
import { text } from '@x/core/util/text';
core();
text();
=== fixtures/other/package.json
{ \"name\": \"lodash\", \"main\": \"index.js\" }
=== fixtures/other/index.js
export function debounce() {}
=== packages/app/second.ts
import { debounce } from 'lodash';
debounce();
";
    check(fixture, "callers_of: core", &["packages/app/main.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: text", &["packages/app/main.ts:4 EXTRACTED"]);
    check(fixture, "callers_of: debounce", &[]);
}

#[test]
fn pnpm_workspaces_and_links_count_too() {
    let fixture = "\
=== pnpm-workspace.yaml
packages:
  - 'libs/**'
=== libs/a/package.json
{ \"name\": \"a\", \"types\": \"./a.ts\" }
=== libs/a/a.ts
export function fromA() {}
=== tools/b/package.json
{ \"name\": \"b\" }
=== tools/b/index.ts
export function fromB() {}
=== apps/x/package.json
{ \"name\": \"x\", \"dependencies\": { \"b\": \"file:../../tools/b\" }, \"imports\": { \"#inner/*\": \"./in/*.ts\" } }
=== apps/x/in/z.ts
export function inner() {}
=== apps/x/main.ts
import { fromA } from 'a';
import { fromB } from 'b';
import { inner } from '#inner/z';
fromA(); fromB(); inner();
";
    check(fixture, "callers_of: fromA", &["apps/x/main.ts:4 EXTRACTED"]);
    check(fixture, "callers_of: fromB", &["apps/x/main.ts:4 EXTRACTED"]);
    check(fixture, "callers_of: inner", &["apps/x/main.ts:4 EXTRACTED"]);
}
