//! References, what they name, and where.

use crate::facts::check;
use atlas_syntax::Language;

#[test]
fn calls_name_their_callee() {
    check(
        Language::TypeScript,
        r#"run();
a.b.run(1, 'x');
a?.b!.run?.(...rest);
new Thing('id');
new ns.Thing();
tag`x ${value}`;
fn.call(this, 1);
fn.apply(null, args);
service.call(request);
obj['run']();
obj[key]();
(a as Foo).go();
gen<string>('q');
super_();
await load();
"#,
        &["call", "construct", "read", "write", "type", "decorator"],
        r#"
call 1:1 run/0 in file
call 2:5 a.b.run/2 in file
read 2:3 a.b in file
read 2:1 a in file
call 3:7 a.b.run/* in file
read 3:4 a.b in file
read 3:1 a in file
read 3:16 rest in file
construct 4:5 Thing "id" in file
construct 5:8 ns.Thing in file
read 5:5 ns in file
call 6:1 tag/1 in file
read 6:9 value in file
call 7:1 fn/* in file
call 8:1 fn/* in file
read 8:16 args in file
call 9:9 service.call/1 in file
read 9:1 service in file
read 9:14 request in file
call 10:5 obj.run/0 in file
read 10:1 obj in file
read 11:1 obj in file
read 11:5 key in file
call 12:12 as Foo.go/0 in file
read 12:2 a in file
type 12:7 Foo in file
call 13:1 gen/1 "q" in file
call 14:1 super_/0 in file
call 15:7 load/0 in file
"#,
    );
}

#[test]
fn reads_are_names_that_may_be_definitions() {
    check(
        Language::JavaScript,
        r#"use(handler, api.load, [first], { key: second, third });
const copy = other;
function f(param) {
  const local = param;
  return outside + local;
}
export { copy };
const { a = fallback } = source;
x.addEventListener('click', this.onClick);
if (flag && ready) go(undefined);
label: for (;;) { break label; }
"#,
        &["call", "construct", "read", "write", "type", "decorator"],
        r#"
call 1:1 use/4 in file
read 1:5 handler in file
read 1:18 api.load in file
read 1:14 api in file
read 1:25 first in file
read 1:40 second in file
read 1:48 third in file
read 2:14 other in file
read 5:10 outside in f
read 8:13 fallback in file
read 8:26 source in file
call 9:3 x.addEventListener/2 "click" in file
read 9:1 x in file
read 10:5 flag in file
read 10:13 ready in file
call 10:20 go/1 in file
"#,
    );
}

#[test]
fn writes_are_of_names_outside_the_function() {
    check(
        Language::JavaScript,
        r"let total = 0;
function f(p) {
  let own = 1;
  own = 2;
  p = 3;
  total = 4;
  total += 1;
  total++;
  state.count = 1;
  state.list[0] = 2;
  [total, p] = [1, 2];
  ({ a: state.x, total } = z);
}
",
        &["call", "construct", "read", "write", "type", "decorator"],
        r"
write 6:3 total in f
write 7:3 total in f
write 8:3 total in f
write 9:9 state.count in f
read 9:3 state in f
read 10:9 state.list in f
read 10:3 state in f
write 11:4 total in f
write 12:15 state.x in f
write 12:18 total in f
read 12:9 state in f
read 12:28 z in f
",
    );
}

#[test]
fn types_are_used_in_annotations_casts_and_arguments() {
    check(
        Language::TypeScript,
        r"import type { A } from './a';
function f<T extends A>(x: T, y: B[], z: ns.C<D>): Promise<E> {
  const q = x as F;
  let w: typeof y;
  return new Map<string, G>() satisfies H;
}
type Z<U> = { [K in keyof U]: I } & U;
class K implements L {}
function isM(x: unknown): x is M { return true; }
type Fn = (arg: N) => void;
",
        &["call", "construct", "read", "write", "type", "decorator"],
        r"
type 2:22 A in f
type 2:34 B in f
type 2:45 ns.C in f
read 2:42 ns in f
type 2:47 D in f
type 2:52 Promise in f
type 2:60 E in f
type 3:18 F in f
construct 5:14 Map in f
type 5:26 G in f
type 5:41 H in f
type 7:31 I in Z
type 9:32 M in isM
type 10:17 N in Fn
",
    );
}

#[test]
fn elements_and_decorators_are_calls() {
    check(
        Language::Tsx,
        r#"@Component({ selector: 'x' })
class Page {
  @Input() name;
  @Output
  change;
  constructor(@Inject(TOKEN) private t: T) {}
}
const view = <Layout.Main title="x" {...props}>
  <div className={style}><Item key={id} onClick={() => pick(id)} /></div>
  <svg:rect />
</Layout.Main>;
"#,
        &["call", "construct", "read", "write", "type", "decorator"],
        r#"
decorator 1:2 Component/1 in Page
decorator 3:4 Input/0 in Page
decorator 4:4 Output/0 in Page
decorator 6:16 Inject/1 in Page.constructor
read 6:23 TOKEN in Page.constructor
type 6:41 T in Page.constructor
call 8:22 Layout.Main/1 in file
read 8:15 Layout in file
read 8:41 props in file
read 9:19 style in file
call 9:27 Item/1 in file
read 9:37 id in file
call 9:56 pick/1 in file
read 9:61 id in file
"#,
    );
}
