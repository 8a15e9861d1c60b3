//! Definitions of PHP files: spans, documentation, types, inheritance.

use super::said;
use insta::assert_snapshot;

#[test]
fn definitions_carry_their_span_doc_arity_and_type() {
    let source = r#"<?php
namespace App\Models;

use App\Contracts\{Named, Stored as Kept};
use Other\Base;

/**
 * A user.
 */
#[Entity]
abstract class User extends Base implements Named, Kept
{
    use Audited;

    public const KIND = 'user', LIMIT = 3;
    /** @var Role[] */
    protected array $roles = [];
    private static ?self $last = null;

    public function __construct(private readonly Clock $clock, int $n = 0) {}

    /** @return list<Role> what it may do */
    public function roles(string $a, &...$rest): array
    {
        return $this->roles;
    }

    abstract protected function go(?Role $role): static;
}

interface Named2 extends Named { function name(): string; }
trait T { private $x; }
enum Suit: string { case Hearts = 'H'; public static function of(): self { return self::Hearts; } }
const LIMIT = 1;
function helper($a, $b = 1) { function inner() {} }
$made = new class extends Base { public function one() {} };
"#;
    assert_snapshot!(said(source, &["package", "def", "export", "base", "inherit", "implement", "include", "error"]), @r"
    package App\Models
    def class User 10-29 @11:16 sig=12 doc=7-9 exported
    def constant User.KIND 15-15 @15:18 exported static
    def constant User.LIMIT 15-15 @15:33 exported static
    def field User.roles 17-17 @17:21 ty=[\App\Models\Role] doc=16-16
    def field User.last 18-18 @18:26 ty=\App\Models\User static
    def method User.__construct 20-20 @20:21 arity=1..2 exported
    def field User.clock 20-20 @20:56 ty=\App\Models\Clock
    def method User.roles 23-26 @23:21 sig=24 arity=1..* ty=[\App\Models\Role] doc=22-22 exported
    def method User.go 28-28 @28:33 arity=1..1 ty=This declaration
    def interface Named2 31-31 @31:11 exported
    def method Named2.name 31-31 @31:43 arity=0..0 ty=string exported declaration
    def trait T 32-32 @32:7 exported
    def field T.x 32-32 @32:19
    def enum Suit 33-33 @33:6 exported
    def enum_member Suit.Hearts 33-33 @33:26 ty=\App\Models\Suit exported static
    def method Suit.of 33-33 @33:63 arity=0..0 ty=\App\Models\Suit exported static
    def constant LIMIT 34-34 @34:7 exported
    def function helper 35-35 @35:10 arity=1..2 exported
    def function helper.inner 35-35 @35:40 arity=0..0 exported
    def class  36-36 @36:13
    def method .one 36-36 @36:50 arity=0..0 exported
    export \App\Models\User = def User line=11
    export \App\Models\Named2 = def Named2 line=31
    export \App\Models\T = def T line=32
    export \App\Models\Suit = def Suit line=33
    export const \App\Models\LIMIT = def LIMIT line=34
    export \App\Models\helper() = def helper line=35
    export \App\Models\inner() = def helper.inner line=35
    base User Inherit \Other\Base 11:29
    base User Implement \App\Contracts\Named 11:45
    base User Implement \App\Contracts\Stored 11:52
    base User Include \App\Models\Audited 13:9
    base Named2 Inherit \App\Contracts\Named 31:26
    base  Inherit \Other\Base 36:27
    ");
}

#[test]
fn one_file_may_have_several_namespaces() {
    let source = "<?php\nnamespace A { class X {} function f() {} }\nnamespace { class Y extends A\\X {} }\n";
    assert_snapshot!(said(source, &["package", "def", "export", "inherit"]), @r"
    package A
    def class X 2-2 @2:21 exported
    def function f 2-2 @2:35 arity=0..0 exported
    def class Y 3-3 @3:19 exported
    export \A\X = def X line=2
    export \A\f() = def f line=2
    export \Y = def Y line=3
    ");
}

#[test]
fn imports_name_what_they_bind() {
    let source = "<?php\nuse A\\B;\nuse A\\C as D;\nuse function A\\f;\nuse const A\\K;\nuse A\\{E, F\\G};\nrequire_once __DIR__ . '/lib/x.php';\ninclude 'y.php';\nrequire $z;\n";
    assert_snapshot!(said(source, &["import"]), @r"
    import Name A name=B as B line=2
    import Name A name=C as D line=3
    import Name A name=f() as f line=4
    import Name A name=const K as K line=5
    import Name A name=E as E line=6
    import Name A\F name=G as G line=6
    import Require lib/x.php level=1 line=7
    import Require y.php line=8
    ");
}
