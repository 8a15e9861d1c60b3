//! PHP: which definition each name means.

use super::{ask, check};

#[test]
fn names_resolve_through_use_clauses_and_namespaces() {
    check(
        r#"
=== src/A/Store.php
<?php
namespace App\A;
class Store {
    public static function open(): self { return new self(); }
    public function put(string $key): void {}
}
function helper() {}
const LIMIT = 1;
=== src/B/Store.php
<?php
namespace App\B;
class Store { public function put(string $key): void {} }
=== src/C/Use.php
<?php
namespace App\C;
use App\A\Store;
use App\B\Store as Other;
use App\A;
use function App\A\helper;
class User {
    public function go(Other $other, Missing $none, ?A\Store $third) {
        Store::open()->put('x');
                       ^^^ ~ call src/A/Store.php:Store.put EXTRACTED
               ^^^^ ~ call src/A/Store.php:Store.open EXTRACTED
        ^^^^^ ~ read src/A/Store.php:Store EXTRACTED
        $other->put('y');
                ^^^ ~ call src/B/Store.php:Store.put EXTRACTED
        $third->put('y');
                ^^^ ~ call src/A/Store.php:Store.put EXTRACTED
        $none->put('z');
               ^^^ ~ call none
        $a = new \App\B\Store();
                        ^^^^^ ~ construct src/B/Store.php:Store EXTRACTED
        $a?->put('w');
             ^^^ ~ call src/B/Store.php:Store.put EXTRACTED
        helper();
        ^^^^^^ ~ call src/A/Store.php:helper EXTRACTED
        A\helper();
          ^^^^^^ ~ call src/A/Store.php:helper EXTRACTED
        strlen('x');
        ^^^^^^ ~ call none
        return A\LIMIT;
                 ^^^^^ ~ read src/A/Store.php:LIMIT EXTRACTED
    }
}
"#,
    );
}

#[test]
fn names_of_classes_and_functions_do_not_tell_cases_apart() {
    check(
        r#"
=== a.php
<?php
namespace N;
class Store { static function make() {} }
function go() {}
=== b.php
<?php
namespace N;
STORE::make();
       ^^^^ ~ call a.php:Store.make EXTRACTED
Go();
^^ ~ call a.php:go EXTRACTED
"#,
    );
}

#[test]
fn a_function_of_the_namespace_comes_before_the_global_one() {
    check(
        r#"
=== a.php
<?php
namespace N;
function f() {}
=== g.php
<?php
function f() {}
function h() {}
=== b.php
<?php
namespace N;
f();
^ ~ call a.php:f EXTRACTED
h();
^ ~ call g.php:h EXTRACTED
\f();
 ^ ~ call g.php:f EXTRACTED
"#,
    );
}

#[test]
fn receivers_are_typed_by_properties_parameters_results_and_doc_comments() {
    check(
        r#"
=== a.php
<?php
namespace N;
interface Repo { public function find(int $id): ?Item; /** @return Item[] */ public function all(): array; }
class Item { public function title(): string {} public function twin(): static { return $this; } }
class Box { public function title() {} }
=== b.php
<?php
namespace N;
class Svc {
    private Repo $repo;
    /** @var Box[] */
    private $boxes;
    private $late;
    /** @param array<int, Item> $items */
    public function __construct(Repo $repo, private Item $own, array $items) {
        $this->repo = $repo;
               ^^^^ ~ write b.php:Svc.repo EXTRACTED
        $this->late = new Box();
        foreach ($items as $k => $item) {
            $item->title();
                   ^^^^^ ~ call a.php:Item.title EXTRACTED
        }
    }
    public function go($any) {
        $this->repo->find(1)->title();
                              ^^^^^ ~ call a.php:Item.title EXTRACTED
                     ^^^^ ~ call a.php:Repo.find EXTRACTED
        $this->own->twin()->title();
                            ^^^^^ ~ call a.php:Item.title EXTRACTED
        $this->late->title();
                     ^^^^^ ~ call a.php:Box.title EXTRACTED
        foreach ($this->boxes as $box) { $box->title(); }
                                               ^^^^^ ~ call a.php:Box.title EXTRACTED
        $first = $this->repo->all()[0];
        $first->title();
                ^^^^^ ~ call a.php:Item.title EXTRACTED
        /** @var Box $odd */
        $odd = unknown();
        $odd->title();
              ^^^^^ ~ call a.php:Box.title EXTRACTED
        $any->title();
              ^^^^^ ~ call a.php:Item.title | a.php:Box.title AMBIGUOUS
    }
}
"#,
    );
}

#[test]
fn tests_of_a_type_hold_inside_their_block_alone() {
    check(
        r#"
=== a.php
<?php
class A { function f() {} }
class B { function f() {} }
function g($x, $y, $z) {
    if ($x instanceof A) {
        $x->f();
            ^ ~ call a.php:A.f EXTRACTED
    } else {
        $x->f();
            ^ ~ call a.php:A.f | a.php:B.f AMBIGUOUS
    }
    if (!$y instanceof B) {
        return;
    }
    $y->f();
        ^ ~ call a.php:B.f EXTRACTED
    $v = $z instanceof A ? $z->f() : 1;
                               ^ ~ call a.php:A.f EXTRACTED
    return $z instanceof B && $z->f();
                                  ^ ~ call a.php:B.f EXTRACTED
}
"#,
    );
}

#[test]
fn closures_have_variables_of_their_own() {
    check(
        r#"
=== a.php
<?php
class A { function f() {} function g() { return function () { $this->f(); }; } }
                                                                     ^ ~ call a.php:A.f EXTRACTED
class B { function f() {} }
function go(A $x, A $y) {
    $one = function (B $x) use ($y) {
        $x->f();
            ^ ~ call a.php:B.f EXTRACTED
        $y->f();
            ^ ~ call a.php:A.f EXTRACTED
    };
    $two = fn (B $y) => [$x->f(), $y->f()];
                             ^ ~ call a.php:A.f EXTRACTED
                                      ^ ~ call a.php:B.f EXTRACTED
    $x->f();
        ^ ~ call a.php:A.f EXTRACTED
}
"#,
    );
}

#[test]
fn own_members_come_before_traits_and_traits_before_the_parent() {
    check(
        r#"
=== a.php
<?php
namespace N;
class Base { public function __construct() {} public function a() {} public function b() {} public function c() {} }
trait Blend { public function a() {} public function b() {} public function own() { $this->abstractOne(); } }
class Kid extends Base {
                  ^^^^ ~ inherit a.php:Base EXTRACTED
    use Blend;
        ^^^^^ ~ include a.php:Blend EXTRACTED
    public function a() { parent::a(); }
                                  ^ ~ call a.php:Base.a EXTRACTED
    public function abstractOne() {}
    public function go() {
        $this->a();
               ^ ~ call a.php:Kid.a EXTRACTED
        $this->b();
               ^ ~ call a.php:Blend.b EXTRACTED
        self::c();
              ^ ~ call a.php:Base.c EXTRACTED
        return new static();
                   ^^^^^^ ~ construct a.php:Kid EXTRACTED
                   ^^^^^^ ~ call a.php:Base.__construct EXTRACTED
    }
}
"#,
    );
}

#[test]
fn enums_constants_static_properties_and_anonymous_classes() {
    check(
        r#"
=== a.php
<?php
enum Suit { case Hearts; const Wild = self::Hearts; public function label() {} }
class A { public static ?B $b = null; const K = 1; }
class B { public function f() {} }
=== b.php
<?php
Suit::Hearts->label();
              ^^^^^ ~ call a.php:Suit.label EXTRACTED
      ^^^^^^ ~ read a.php:Suit.Hearts EXTRACTED
Suit::from('x')->label();
                 ^^^^^ ~ call a.php:Suit.label EXTRACTED
A::$b->f();
       ^ ~ call a.php:B.f EXTRACTED
A::K;
   ^ ~ read a.php:A.K EXTRACTED
function go() {
    $o = new class { public function run() {} };
    $o->run();
        ^^^ ~ call b.php:go..run EXTRACTED
    $class = B::class;
    $made = new $class();
                ^^^^^^ ~ construct a.php:B EXTRACTED
    array_map([A::class, 'K'], [$o, 'run']);
}
"#,
    );
}

#[test]
fn callables_routes_and_required_files_lead_to_what_they_name() {
    check(
        r#"
=== routes.php
<?php
use Illuminate\Support\Facades\Route;
require __DIR__ . '/lib/Http.php';
^ ~ import lib/Http.php: EXTRACTED
Route::get('/x', [Http::class, 'show']);
                               ^^^^^^ ~ read lib/Http.php:Http.show EXTRACTED
^ ~ route lib/Http.php:Http.show EXTRACTED
=== lib/Http.php
<?php
class Http { public function show() { return [$this, 'show']; } }
                                                     ^^^^^^ ~ read lib/Http.php:Http.show EXTRACTED
"#,
    );
}

#[test]
fn packages_bound_what_shares_a_name() {
    let text = r#"
=== one/composer.json
{}
=== one/A.php
<?php
namespace N;
class A { public function distinct() {} }
=== two/composer.json
{}
=== two/A.php
<?php
namespace N;
class A { public function distinct() {} }
=== two/use.php
<?php
namespace N;
function go(A $a, $b) {
    $a->distinct();
    $b->distinct();
}
"#;
    assert_eq!(ask(text, "callers_of: two/A.php:A.distinct"), ["two/use.php:4", "two/use.php:5"]);
    assert_eq!(ask(text, "callers_of: one/A.php:A.distinct"), Vec::<String>::new());
}

#[test]
fn sql_in_strings_reads_and_writes_tables() {
    let text = r#"
=== a.php
<?php
function go($db) {
    $db->query("SELECT id FROM users WHERE a = $x");
    $db->exec(<<<SQL
        UPDATE users SET a = 1
        SQL);
}
"#;
    assert_eq!(ask(text, "readers_of: users"), ["a.php:3"]);
    assert_eq!(ask(text, "writers_to: users"), ["a.php:4"]);
}
