//! How receivers and scoped names resolve, one construct a test.

use crate::linked::check;

#[test]
fn receivers_are_typed_by_annotations_constructors_fields_and_results() {
    let fixture = "\
=== svc.ts
export class Mailer { send() {} }
export class Queue { send() {} }
export function makeQueue(): Queue { return new Queue(); }
export async function loadMailer() { return new Mailer(); }
=== app.ts
import { Mailer, Queue, makeQueue, loadMailer } from './svc';
class App {
  private queue = new Queue();
  other: Mailer;
  constructor(private readonly mailer: Mailer) { this.late = new Queue(); }
  late;
  async go(m: Mailer, list: Queue[], map: Map<string, Mailer>) {
    m.send();
    this.mailer.send();
    this.queue.send();
    this.other.send();
    this.late.send();
    makeQueue().send();
    const x = await loadMailer();
    x.send();
    for (const q of list) q.send();
    list.forEach((q) => q.send());
    list.filter((q) => q.send()).map((q) => q.send());
    map.get('a').send();
    (m as unknown as Queue).send();
  }
}
";
    check(
        fixture,
        "callers_of: Mailer.send",
        &[
            "app.ts:8 EXTRACTED",
            "app.ts:9 EXTRACTED",
            "app.ts:11 EXTRACTED",
            "app.ts:15 INFERRED",
            "app.ts:19 EXTRACTED",
        ],
    );
    check(
        fixture,
        "callers_of: Queue.send",
        &[
            "app.ts:10 EXTRACTED",
            "app.ts:12 EXTRACTED",
            "app.ts:13 EXTRACTED",
            "app.ts:16 EXTRACTED",
            "app.ts:17 EXTRACTED",
            "app.ts:18 EXTRACTED",
            "app.ts:18 EXTRACTED",
            "app.ts:20 EXTRACTED",
        ],
    );
}

#[test]
fn object_literals_are_namespaces() {
    let fixture = "\
=== api.ts
import { helper } from './helper';
export const api = {
  load() { return this.get(); },
  get: () => 1,
  http: { post() {} },
  help: helper,
};
export default { save() {} };
=== helper.ts
export function helper() {}
=== app.ts
import { api } from './api';
import other from './api';
api.load();
api.http.post();
api.help();
other.save();
function save() {}
";
    check(fixture, "callers_of: api.load", &["app.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: api.get", &["api.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: post", &["app.ts:4 EXTRACTED"]);
    check(fixture, "callers_of: helper", &["app.ts:5 EXTRACTED"]);
    check(fixture, "callers_of: api.ts:save", &["app.ts:6 EXTRACTED"]);
    check(fixture, "callers_of: app.ts:save", &[]);
}

#[test]
fn a_method_of_a_literal_is_not_a_bare_name() {
    let fixture = "\
=== a.js
const handlers = { run() {} };
register({ stop() {} });
run();
stop();
";
    check(fixture, "callers_of: run", &[]);
    check(fixture, "callers_of: stop", &[]);
}

#[test]
fn what_a_factory_returns_has_members() {
    let fixture = "\
=== store.ts
function reset() {}
export function useStore() {
  const load = () => 1;
  function hidden() {}
  return { load, reset, save() { this.load(); }, erase: () => hidden() };
}
=== app.ts
import { useStore } from './store';
const store = useStore();
store.load();
store.save();
const { reset, erase } = useStore();
reset();
erase();
";
    check(fixture, "callers_of: load", &["app.ts:3 INFERRED", "store.ts:5 EXTRACTED"]);
    check(fixture, "callers_of: save", &["app.ts:4 INFERRED"]);
    check(fixture, "callers_of: store.ts:reset", &["app.ts:6 INFERRED"]);
    check(fixture, "callers_of: store.ts:erase", &["app.ts:7 INFERRED"]);
    check(fixture, "callers_of: hidden", &["store.ts:5 EXTRACTED"]);
}

#[test]
fn prototypes_and_constructor_functions_are_types() {
    let fixture = "\
=== a.js
function Shape() { this.engine = new Engine(); }
Shape.prototype.draw = function () { this.fill(); this.engine.start(); };
Shape.prototype.fill = function () {};
Shape.of = function () { return new Shape(); };
function Engine() {}
Engine.prototype = { start: function () {} };
function Circle() { Shape.call(this); }
Circle.prototype = Object.create(Shape.prototype);
new Circle().draw();
Shape.of().fill();
";
    check(fixture, "callers_of: draw", &["a.js:9 EXTRACTED"]);
    check(fixture, "callers_of: fill", &["a.js:2 EXTRACTED", "a.js:10 INFERRED"]);
    check(fixture, "callers_of: start", &["a.js:2 EXTRACTED"]);
    check(fixture, "callers_of: Shape", &["a.js:4 EXTRACTED", "a.js:7 EXTRACTED"]);
    check(fixture, "subclasses_of: Shape", &["a.js:8 EXTRACTED"]);
}

#[test]
fn members_assigned_to_an_object_are_its_own() {
    let fixture = "\
=== application.js
var app = exports = module.exports = {};
app.init = function init() { this.setup(); };
app.setup = function setup() {};
=== main.js
var proto = require('./application');
proto.init();
";
    check(fixture, "callers_of: init", &["main.js:2 EXTRACTED"]);
    check(fixture, "callers_of: setup", &["application.js:2 EXTRACTED"]);
}

#[test]
fn inheritance_and_super() {
    let fixture = "\
=== base.ts
export abstract class Base {
  constructor(name: string) {}
  run() { this.step(); }
  abstract step(): void;
  static create() { return new this(''); }
}
=== sub.ts
import { Base } from './base';
export class Sub extends Base {
  constructor() { super('x'); }
  step() { super.run(); }
}
new Sub().run();
Sub.create();
=== other.ts
import { Base } from './base';
function use(b: Base) { b.step(); }
";
    check(fixture, "callers_of: Base.run", &["sub.ts:4 EXTRACTED", "sub.ts:6 EXTRACTED"]);
    check(fixture, "callers_of: Base.step", &["base.ts:3 EXTRACTED", "other.ts:2 EXTRACTED"]);
    check(fixture, "callers_of: Base.create", &["sub.ts:7 EXTRACTED"]);
    check(fixture, "callers_of: Base.constructor", &["sub.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: Sub", &["sub.ts:6 EXTRACTED"]);
    check(fixture, "subclasses_of: Base", &["sub.ts:2 EXTRACTED"]);
}

#[test]
fn interfaces_and_implementers() {
    let fixture = "\
=== a.ts
interface Store { put(): void }
class Memory implements Store { put() {} }
function use(store: Store) { store.put(); }
use(new Memory());
";
    check(fixture, "implementers_of: Store", &["a.ts:2 EXTRACTED"]);
    check(fixture, "callers_of: Store.put", &["a.ts:3 EXTRACTED"]);
}

#[test]
fn overloads_stand_for_their_implementation() {
    let fixture = "\
=== a.ts
export function f(x: string): void;
export function f(x: number): void;
export function f(x: any) {}
class C {
  m(x: string): void;
  m(x: any) {}
}
f('a');
new C().m('x');
";
    check(fixture, "callers_of: f", &["a.ts:8 EXTRACTED"]);
    check(fixture, "callers_of: m", &["a.ts:9 EXTRACTED"]);
}

#[test]
fn a_type_and_a_value_may_share_a_name() {
    let fixture = "\
=== a.ts
export type Point = { x: number };
export const Point = (x: number) => ({ x });
=== b.ts
import { Point } from './a';
const p: Point = Point(1);
";
    check(fixture, "callers_of: Point", &["b.ts:2 EXTRACTED"]);
}

#[test]
fn namespaces_hold_their_members() {
    let fixture = "\
=== a.ts
export namespace Text { export function trim() {} export namespace Deep { export function cut() {} } }
function inside() { Text.trim(); }
=== b.ts
import { Text } from './a';
import Short = Text.Deep;
Text.trim();
Text.Deep.cut();
Short.cut();
";
    check(fixture, "callers_of: trim", &["a.ts:2 EXTRACTED", "b.ts:3 EXTRACTED"]);
    check(fixture, "callers_of: cut", &["b.ts:4 EXTRACTED", "b.ts:5 EXTRACTED"]);
}

#[test]
fn locals_shadow_what_is_outside() {
    let fixture = "\
=== b.ts
export function load() {}
=== a.ts
import { load } from './b';
export function use(load: () => void) { load(); }
export function block() {
  { const load = () => 1; load(); }
  load();
  items.map((load) => load());
  try { x(); } catch (load) { load(); }
}
";
    check(fixture, "callers_of: b.ts:load", &["a.ts:5 EXTRACTED"]);
}

#[test]
fn functions_of_one_name_in_two_scopes_are_told_apart() {
    let fixture = "\
=== a.ts
it('one', () => { function helper() {} helper(); });
it('two', () => { const helper = () => 1; helper(); });
it('three', () => { other(); });
";
    check(fixture, "callers_of: one.helper", &["a.ts:1 EXTRACTED"]);
    check(fixture, "callers_of: two.helper", &["a.ts:2 EXTRACTED"]);
}

#[test]
fn a_method_of_an_unknown_receiver_is_no_function() {
    let fixture = "\
=== a.ts
export function get(url: string) {}
export function load(d) { return d.get('x'); }
export function fetchIt() { return get('u'); }
";
    check(fixture, "callers_of: get", &["a.ts:3 EXTRACTED"]);
}

#[test]
fn the_only_method_near_by_is_inferred_and_two_are_ambiguous() {
    let fixture = "\
=== a.ts
export class Ledger { reconcileAll() {} postEntry() {} }
export class Journal { postEntry() {} }
export function go(x) { x.reconcileAll(); x.postEntry(); }
";
    check(fixture, "callers_of: reconcileAll", &["a.ts:3 INFERRED"]);
    check(fixture, "callers_of: Ledger.postEntry", &["a.ts:3 AMBIGUOUS"]);
}

#[test]
fn jsx_elements_call_their_components() {
    let fixture = "\
=== ui.tsx
export const Button = () => <button />;
export class Panel { render() {} }
export const Menu = { Item: () => null };
=== app.tsx
import { Button, Panel, Menu } from './ui';
import * as ui from './ui';
export function App() {
  return <Panel><Button onClick={run} /><Menu.Item></Menu.Item><ui.Button /></Panel>;
}
function run() {}
";
    check(fixture, "callers_of: Button", &["app.tsx:4 EXTRACTED", "app.tsx:4 EXTRACTED"]);
    check(fixture, "callers_of: Panel", &["app.tsx:4 EXTRACTED"]);
    check(fixture, "callers_of: Menu.Item", &["app.tsx:4 EXTRACTED"]);
    check(fixture, "readers_of: run", &["app.tsx:4 EXTRACTED"]);
}

#[test]
fn wrapped_functions_keep_their_name() {
    let fixture = "\
=== a.tsx
export const Save = memo(() => null);
export const later = debounce(function () { now(); }, 10);
function now() {}
export const Lazy = lazy(() => import('./page'));
=== page.tsx
export default function Page() {}
=== b.tsx
import { Save, later, Lazy } from './a';
later();
const x = <><Save /><Lazy /></>;
";
    check(fixture, "callers_of: Save", &["b.tsx:3 EXTRACTED"]);
    check(fixture, "callers_of: later", &["b.tsx:2 EXTRACTED"]);
    check(fixture, "callers_of: now", &["a.tsx:2 EXTRACTED"]);
    check(fixture, "callers_of: Page", &["b.tsx:3 INFERRED"]);
}

#[test]
fn callbacks_are_read_where_they_are_given() {
    let fixture = "\
=== a.ts
export function onData() {}
export class View {
  handle() {}
  bind(el) { el.addEventListener('click', this.handle); el.on('data', onData); }
}
";
    check(fixture, "readers_of: onData", &["a.ts:4 EXTRACTED"]);
    check(fixture, "readers_of: handle", &["a.ts:4 EXTRACTED"]);
}

#[test]
fn reading_and_setting_an_accessor_calls_it() {
    let fixture = "\
=== a.ts
export class Box {
  get size() { return 1; }
  set size(v) {}
  go() { this.size = this.size + 1; }
}
";
    check(fixture, "callers_of: size", &["a.ts:4 EXTRACTED", "a.ts:4 EXTRACTED"]);
}

#[test]
fn scripts_of_a_package_share_their_globals() {
    let fixture = "\
=== a/package.json
{ \"name\": \"a\" }
=== a/one.js
function shared() {}
=== a/two.js
shared();
=== b/package.json
{ \"name\": \"b\" }
=== b/three.js
shared();
=== a/module.js
import './one';
shared();
";
    check(fixture, "callers_of: shared", &["a/two.js:1 EXTRACTED"]);
}

#[test]
fn components_use_their_scripts() {
    let fixture = "\
=== api.ts
export function load() {}
=== Page.vue
<template><p>{{ x }}</p></template>
<script setup lang=\"ts\">
import { load } from './api';
import Child from './Child.vue';
load();
</script>
=== Child.vue
<script>
import { load } from './api';
export default { methods: { go() { this.stop(); load(); }, stop() {} } };
</script>
";
    check(fixture, "callers_of: load", &["Child.vue:3 EXTRACTED", "Page.vue:5 EXTRACTED"]);
    check(fixture, "callers_of: stop", &["Child.vue:3 EXTRACTED"]);
    check(fixture, "importers_of: Child.vue", &["Page.vue:4 EXTRACTED"]);
}

#[test]
fn hook_results_and_references_are_typed() {
    let fixture = "\
=== a.tsx
class Player { play() {} stop() {} }
export function App() {
  const ref = useRef<Player>(null);
  ref.current.play();
  const player = useMemo(() => new Player(), []);
  player.stop();
}
";
    check(fixture, "callers_of: play", &["a.tsx:4 EXTRACTED"]);
    check(fixture, "callers_of: stop", &["a.tsx:6 INFERRED"]);
}

#[test]
fn names_never_cross_packages_by_themselves() {
    let fixture = "\
=== a/package.json
{ \"name\": \"a\" }
=== a/x.ts
export class A { reconcile() {} }
=== b/package.json
{ \"name\": \"b\" }
=== b/y.ts
export function go(x) { x.reconcile(); }
";
    check(fixture, "callers_of: reconcile", &[]);
}

#[test]
fn aliases_of_functions_and_classes_are_followed() {
    let fixture = "\
=== a.ts
export function fn() {}
export class K { m() {} }
=== b.ts
import { fn, K } from './a';
const g = fn;
const L = K;
g();
new L().m();
const { fn: h } = { fn };
fn.call(null, 1);
";
    check(fixture, "callers_of: fn", &["b.ts:4 EXTRACTED", "b.ts:7 EXTRACTED"]);
    check(fixture, "callers_of: m", &["b.ts:5 EXTRACTED"]);
    check(fixture, "callers_of: K", &["b.ts:5 EXTRACTED"]);
}

#[test]
fn functions_of_a_block_are_known_before_they_are_declared() {
    let fixture = "\
=== bundle.js
(function () {
  function run() { return helper(); }
  function helper() {}
})();
(function () {
  run();
  function run() { return helper(); }
  function helper() {}
})();
";
    check(fixture, "callers_of: helper", &["bundle.js:2 EXTRACTED", "bundle.js:7 EXTRACTED"]);
    check(fixture, "callees_of: run", &["bundle.js:2 EXTRACTED", "bundle.js:7 EXTRACTED"]);
}

#[test]
fn a_frozen_object_is_the_object() {
    let fixture = "\
=== a.js
export function field() {
  const f = { add: (l, r) => l + r, sub() {} };
  return Object.freeze(f);
}
export const fixed = Object.freeze({ mul() {} });
=== b.js
import { field, fixed } from './a';
const f = field();
f.add(1, 2);
fixed.mul();
";
    check(fixture, "callers_of: add", &["b.js:3 INFERRED"]);
    check(fixture, "callers_of: mul", &["b.js:4 EXTRACTED"]);
}

#[test]
fn type_arguments_reach_members_and_results() {
    let fixture = "\
=== lib.ts
export class Lazy<T> {
  constructor(private make: () => T) {}
  get(): T { return this.make(); }
  async load(): Promise<T> { return this.make(); }
  all: T[] = [];
}
export class Base<E> { one(): E { return null; } }
export type Maker<T> = () => T;
export function pick<T>(from: T): T { return from; }
=== app.ts
import { Lazy, Base, Maker, pick } from './lib';
class Engine { start() {} }
class Store extends Base<Engine> {}
class App {
  constructor(private lazy: Lazy<Engine>, private store: Store, private maker: Maker<Engine>) {}
  async go() {
    this.lazy.get().start();
    (await this.lazy.load()).start();
    this.lazy.all.forEach((e) => e.start());
    this.store.one().start();
    this.maker().start();
    pick(new Engine()).start();
  }
}
function use<T extends Engine>(x: T) { x.start(); }
";
    check(
        fixture,
        "callers_of: start",
        &[
            "app.ts:7 EXTRACTED",
            "app.ts:8 EXTRACTED",
            "app.ts:9 EXTRACTED",
            "app.ts:10 EXTRACTED",
            "app.ts:11 EXTRACTED",
            "app.ts:12 EXTRACTED",
            "app.ts:15 EXTRACTED",
        ],
    );
}

#[test]
fn types_written_in_place_and_types_of_members_are_followed() {
    let fixture = "\
=== a.ts
class Scene { draw() {} }
class App { scene: Scene; }
type Props = { scene: App['scene'] };
const shared = new Scene();
function one(props: Props) { props.scene.draw(); }
function two({ scene }: { scene: Scene; other: string }) { scene.draw(); }
const three = ({ app: { scene } }: { app: App } & Extra) => scene.draw();
let four: typeof shared;
function five() { four.draw(); }
";
    check(
        fixture,
        "callers_of: draw",
        &["a.ts:5 EXTRACTED", "a.ts:6 EXTRACTED", "a.ts:7 EXTRACTED", "a.ts:9 EXTRACTED"],
    );
}

#[test]
fn functions_in_a_types_place_take_its_parameters() {
    let fixture = "\
=== types.ts
export class Context { emit() {} }
export type Transform = (node: string, context: Context) => void;
export interface Plugin { name: string; setup(context: Context): void; close: (context: Context) => void }
export interface Visitor { (context: Context): void }
=== a.ts
import { Transform, Plugin, Visitor } from './types';
export const one: Transform = (node, context) => { context.emit(); };
const two: Plugin = {
  name: 'x',
  setup(context) { context.emit(); },
  close: (context) => context.emit(),
};
const three = { setup(c) { c.emit(); } } satisfies Plugin;
class Four { visit: Visitor = (context) => context.emit(); }
";
    check(
        fixture,
        "callers_of: emit",
        &["a.ts:2 EXTRACTED", "a.ts:5 EXTRACTED", "a.ts:6 EXTRACTED", "a.ts:8 EXTRACTED", "a.ts:9 EXTRACTED"],
    );
}
