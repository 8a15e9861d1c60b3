//! Definitions of every kind, with their lines, names and flags.

use crate::facts::check;
use atlas_syntax::Language;

#[test]
fn functions_take_the_name_they_are_given() {
    check(
        Language::JavaScript,
        r"/** Adds. */
function add(a, b = 1, ...rest) {
  function inner() {}
}
export const arrow = async (x) => x,
  second = function () {};
const own = function named() {};
let late;
late = () => 1;
export default function () {}
function* generate() {}
(function iife() {})();
call(function callback() {});
",
        &["def"],
        r"
def function add 2-4 @2:10 arity=0..* doc=1-1 file-local
def function add.inner 3-3 @3:12 arity=0..0
def function arrow 5-5 @5:14 arity=0..1 exported async
def function second 6-6 @6:3 arity=0..0 exported
def function own 7-7 @7:7 arity=0..0 file-local
def variable late 8-8 @8:5 file-local
def function late 9-9 @9:1 owner=? arity=0..0 file-local
def function default 10-10 @10:16 owner=? arity=0..0 exported default-export
def function generate 11-11 @11:11 arity=0..0 file-local
def function iife 12-12 @12:11 owner=? arity=0..0 file-local
def function callback 13-13 @13:15 owner=? arity=0..0 file-local
",
    );
}

#[test]
fn classes_have_members_of_every_kind() {
    check(
        Language::TypeScript,
        r"@Injectable()
export abstract class Store<T> extends Base<T> implements Port, Other {
  static count = 0;
  #secret = 1;
  declare items: Item[];
  handler = (e: Event) => e;
  readonly 'quoted-key': string;
  constructor(private readonly api: Api, public name = 'x', plain?: string) {
    super();
    this.cache = new Map();
    this.bound = () => this.name;
  }
  /** Size. */
  get size(): number { return 1; }
  set size(value: number) {}
  static async create(): Promise<Store<any>> { return new this(); }
  protected abstract load(id: string): void;
  @Get('/x')
  private *walk() {}
  [Symbol.iterator]() {}
}
const Anonymous = class { run() {} };
export default class extends Store<string> {}
",
        &["def"],
        r"
def class Store 1-21 @2:23 sig=2 exported
def field Store.count 3-3 @3:10 static
def field Store.#secret 4-4 @4:3
def field Store.items 5-5 @5:11 ty=[Item]
def method Store.handler 6-6 @6:3 arity=1..1
def field Store.quoted-key 7-7 @7:12 ty=string
def constructor Store.constructor 8-12 @8:3 arity=1..3
def field Store.api 8-8 @8:32 ty=Api
def field Store.name 8-8 @8:49
def field Store.cache 10-10 @10:10
def method Store.constructor.bound 11-11 @11:10 owner=this arity=0..0
def method Store.size 14-14 @14:7 arity=0..0 ty=number doc=13-13 getter
def method Store.size 15-15 @15:7 arity=1..1
def method Store.create 16-16 @16:16 arity=0..0 ty=Promise<Store<?>> static async
def method Store.load 17-17 @17:22 arity=1..1 declaration
def method Store.walk 18-19 @19:12 sig=19 arity=0..0
def method Store.Symbol.iterator 20-20 @20:3 arity=0..0
def class Anonymous 22-22 @22:7 file-local
def method Anonymous.run 22-22 @22:27 arity=0..0
def class default 23-23 @23:16 owner=? exported default-export
",
    );
}

#[test]
fn types_enums_and_namespaces() {
    check(
        Language::TypeScript,
        r"export interface Shape extends Base {
  area(unit?: string): number;
  readonly name: string;
  onChange: (a: Shape) => void;
  [key: string]: unknown;
  new (x: number): Shape;
}
type Alias<T> = { value: T; run(): void } | Shape;
type Plain = Shape;
const enum Level { Low, High = 2, 'odd-key' }
declare module 'virtual:x' { export function load(): string; }
declare global { interface Window { app: App } }
namespace A.B { export const v = 1; function hidden() {} }
declare function ambient(x: number): string;
export function over(x: string): void;
export function over(x: any) {}
",
        &["def"],
        r"
def interface Shape 1-7 @1:18 exported
def method Shape.area 2-2 @2:3 arity=0..1 ty=number declaration
def field Shape.name 3-3 @3:12 ty=string declaration
def field Shape.onChange 4-4 @4:3 ty=fn -> () declaration
def type_alias Alias 8-8 @8:6 ty=Shape file-local
def field Alias.value 8-8 @8:19 ty=T declaration
def method Alias.run 8-8 @8:29 arity=0..0 declaration
def type_alias Plain 9-9 @9:6 ty=Shape file-local
def enum Level 10-10 @10:12 file-local
def enum_member Level.Low 10-10 @10:20
def enum_member Level.High 10-10 @10:25
def enum_member Level.odd-key 10-10 @10:35
def namespace virtual:x 11-11 @11:16 file-local
def function virtual:x.load 11-11 @11:46 arity=0..0 ty=string exported declaration
def interface Window 12-12 @12:28 file-local
def field Window.app 12-12 @12:37 ty=App declaration
def namespace A 13-13 @13:1 file-local
def namespace A.B 13-13 @13:11
def constant A.B.v 13-13 @13:30 exported
def function A.B.hidden 13-13 @13:46 arity=0..0
def function ambient 14-14 @14:18 arity=1..1 ty=string file-local declaration
def function over 15-15 @15:17 arity=1..1 exported declaration
def function over 16-16 @16:17 arity=1..1 exported
",
    );
}

#[test]
fn object_literals_give_their_functions_a_place() {
    check(
        Language::JavaScript,
        r"export const api = {
  load() {},
  get: () => 1,
  http: { post: function () {} },
  get size() { return 1; },
  data: { a: 1 },
};
register({ stop() {}, 'on-start': () => {} });
function factory() {
  const local = { go() {} };
  return { run() {}, local };
}
export default { save() {} };
",
        &["def"],
        r"
def constant api 1-7 @1:14 exported
def method api.load 2-2 @2:3 owner=? arity=0..0
def method api.get 3-3 @3:3 owner=? arity=0..0
def property api.http 4-4 @4:3
def method api.http.post 4-4 @4:11 owner=? arity=0..0
def method api.size 5-5 @5:7 owner=? arity=0..0 getter
def method stop 8-8 @8:12 owner=? arity=0..0 file-local
def method on-start 8-8 @8:23 owner=? arity=0..0 file-local
def function factory 9-12 @9:10 arity=0..0 file-local
def method factory.go 10-10 @10:19 owner=? arity=0..0
def method factory.run 11-11 @11:12 owner=? arity=0..0
def variable default 13-13 @13:1 owner=? exported default-export
def method default.save 13-13 @13:18 owner=? arity=0..0
",
    );
}

#[test]
fn commonjs_and_prototypes_name_their_functions() {
    check(
        Language::JavaScript,
        r"exports.one = function () {};
module.exports.two = () => {};
Foo.prototype.bar = function () {};
Foo.prototype = { baz() {} };
Foo.make = function make() {};
app.handle = function handle(req) {};
module.exports = function build() {};
this.x = function () {};
a.b.c = () => {};
exports.settings = load();
exports.plain = one;
",
        &["def"],
        r"
def function one 1-1 @1:9 owner=exports arity=0..0 exported
def function two 2-2 @2:16 owner=exports arity=0..0 exported
def method bar 3-3 @3:15 owner=Foo arity=0..0 file-local
def method baz 4-4 @4:19 owner=Foo arity=0..0 file-local
def method make 5-5 @5:5 owner=Foo arity=0..0 file-local
def method handle 6-6 @6:5 owner=app arity=0..1 file-local
def function build 7-7 @7:27 owner=? arity=0..0 exported default-export
def method x 8-8 @8:6 owner=this arity=0..0 file-local
def method c 9-9 @9:5 owner=a.b arity=0..0 file-local
def variable settings 10-10 @10:9 owner=exports exported
",
    );
}

#[test]
fn a_commonjs_module_that_is_an_object() {
    check(
        Language::JavaScript,
        r"module.exports = {
  start() {},
  stop: function () {},
  limit: compute(),
  other,
};
",
        &["def"],
        r"
def variable exports 1-6 @1:8 owner=module exported default-export
def method exports.start 2-2 @2:3 owner=? arity=0..0 exported
def method exports.stop 3-3 @3:3 owner=? arity=0..0 exported
def property exports.limit 4-4 @4:3 exported
",
    );
}

#[test]
fn wrapped_functions_are_known_by_the_variable() {
    check(
        Language::Tsx,
        r"const Save = memo(() => <p />);
export const debounced = debounce(function () {}, 10);
const list = items.filter((x) => x.ok);
const value = (() => 1)();
const select = createSelector(a, (s) => s.b, (b) => b.c);
const Lazy = React.lazy(() => import('./page'));
function outer() { const cb = useCallback(() => {}, []); }
",
        &["def"],
        r"
def function Save 1-1 @1:7 arity=0..0 file-local
def function debounced 2-2 @2:14 arity=0..0 exported
def function list 3-3 @3:7 arity=1..1 file-local getter
def function value 4-4 @4:7 arity=0..0 file-local getter
def function select 5-5 @5:7 arity=1..1 file-local
def function Lazy 6-6 @6:7 arity=0..0 file-local getter
def function outer 7-7 @7:10 arity=0..0 file-local
def function outer.cb 7-7 @7:26 arity=0..0
",
    );
}

#[test]
fn tests_and_hooks_are_definitions_of_their_own() {
    check(
        Language::TypeScript,
        r"describe('math', () => {
  beforeEach(async () => {});
  it('adds', () => {});
  test.each([1])('doubles %s', (n) => {});
  it.only(`skips ${x}`, function () {});
  it('is pending');
});
",
        &["def"],
        r"
def function beforeEach 2-2 @2:3 owner=? arity=0..0 async test
def function adds 3-3 @3:6 owner=? arity=0..0 test
def function doubles %s 4-4 @4:18 owner=? arity=1..1 test
def function skips ${x} 5-5 @5:11 owner=? arity=0..0 test
",
    );
}

#[test]
fn modules_hide_what_they_do_not_export() {
    check(
        Language::TypeScript,
        r"import x from './x';
function hidden() {}
export { later };
function later() {}
export const { a, b: [c] } = x;
",
        &["def"],
        r"
def function hidden 2-2 @2:10 arity=0..0 file-local
def function later 4-4 @4:10 arity=0..0 exported
def constant a 5-5 @5:16 exported
def constant c 5-5 @5:23 exported
",
    );
}
