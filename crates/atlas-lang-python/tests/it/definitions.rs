use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn functions_have_spans_names_arity_types_and_flags() {
    let source = r#"
def plain(): pass

@dec
@other(1)
async def decorated(a, b: int = 3, *args, c=None, **kw) -> List[int]:
    """Says
    what."""
    def inner(x): return x
    return inner

def wide(
    a,
    b,
) -> None:
    ...

def keyword_only(a, /, b, *, c, d=1): pass

_hidden = lambda x, y=2: plain()
"#;
    assert_snapshot!(render::defs(&facts(source)), @r#"
    function plain 2-2 sig 2 @2:5 (0) exported
    function decorated 4-10 sig 6 @6:11 doc 7-8 (1+) : List<int> exported async
    function decorated.inner 9-9 sig 9 @9:9 (1)
    function wide 12-16 sig 15 @12:5 (2) exported declaration
    function keyword_only 18-18 sig 18 @18:5 (3-4) exported
    function _hidden 20-20 sig 20 @20:1 (1-2)
    "#);
}

#[test]
fn classes_have_members_of_every_kind() {
    let source = r#"
@register
class Vote(Base, metaclass=Meta):
    """A vote."""
    LIMIT: int = 5
    name = None
    helper = lambda self, x: x

    def __init__(self, repo, *, flag=False):
        self.repo = repo
        self.repo = other(repo)
        self.count: int = 0
        self.LIMIT = 6

    @property
    def total(self) -> int:
        return self.count

    @total.setter
    def total(self, value): self.count = value

    @staticmethod
    def make(kind): return Vote(kind)

    @classmethod
    def load(cls, key): return cls(key)

    def __new__(cls, *args): return object.__new__(cls)

    @abstractmethod
    def apply(self): raise NotImplementedError

    @overload
    def get(self, k: int) -> int: ...

    class Meta:
        ordering = []

    async def _go(this, a): await a
"#;
    assert_snapshot!(render::defs(&facts(source)), @r#"
    class Vote 2-39 sig 3 @3:7 doc 4-4 exported
    field Vote.LIMIT 5-5 sig 5 @5:5 : int exported
    field Vote.name 6-6 sig 6 @6:5 exported
    method Vote.helper 7-7 sig 7 @7:5 (1) exported
    constructor Vote.__init__ 9-13 sig 9 @9:9 (1-2)
    field Vote.repo 10-10 sig 10 @10:14 exported
    field Vote.count 12-12 sig 12 @12:14 : int exported
    method Vote.total 15-17 sig 16 @16:9 (0) : int exported getter
    method Vote.total 19-20 sig 20 @20:9 (1) exported getter
    method Vote.make 22-23 sig 23 @23:9 (1) exported static
    method Vote.load 25-26 sig 26 @26:9 (1) exported classmethod
    method Vote.__new__ 28-28 sig 28 @28:9 (0+) classmethod
    method Vote.apply 30-31 sig 31 @31:9 (0) exported declaration
    method Vote.get 33-34 sig 34 @34:9 (1) : int exported declaration
    class Vote.Meta 36-37 sig 36 @36:11 exported
    field Vote.Meta.ordering 37-37 sig 37 @37:9 exported
    method Vote._go 39-39 sig 39 @39:15 (1) async
    "#);
}

#[test]
fn enums_protocols_made_classes_and_aliases() {
    let source = r#"
class Colour(enum.Enum):
    RED = 1
    GREEN = auto()
    _ignore_ = []
    def hex(self): pass

class Shape(Protocol):
    def area(self) -> float: ...

Point = namedtuple("Point", "x y")
Made = type("Made", (Point, object), {})
Kind = Enum("Kind", "a b")
UserId = NewType("UserId", int)
Json: TypeAlias = "dict[str, Any]"
type Pair[T] = tuple[T, T]
MAX_SIZE = 10
cache: dict[str, Vote] = {}
cache = {}
if True:
    def maybe(): pass
    late = 1
for i in range(3):
    loop_local = i
a, (b, *c) = d = 1, (2, 3)
"#;
    assert_snapshot!(render::defs(&facts(source)), @r#"
    enum Colour 2-6 sig 2 @2:7 exported
    enum_member Colour.RED 3-3 sig 3 @3:5 exported
    enum_member Colour.GREEN 4-4 sig 4 @4:5 exported
    field Colour._ignore_ 5-5 sig 5 @5:5
    method Colour.hex 6-6 sig 6 @6:9 (0) exported
    interface Shape 8-9 sig 8 @8:7 exported
    method Shape.area 9-9 sig 9 @9:9 (0) : float exported declaration
    class Point 11-11 sig 11 @11:1 exported
    class Made 12-12 sig 12 @12:1 exported
    enum Kind 13-13 sig 13 @13:1 exported
    type_alias UserId 14-14 sig 14 @14:1 : int exported
    type_alias Json 15-15 sig 15 @15:1 : dict<str, ?> exported
    type_alias Pair 16-16 sig 16 @16:6 : (T, T) exported
    constant MAX_SIZE 17-17 sig 17 @17:1 exported
    variable cache 18-18 sig 18 @18:1 : dict<str, Vote> exported
    function maybe 21-21 sig 21 @21:9 (0) exported
    variable late 22-22 sig 22 @22:5 exported
    variable loop_local 24-24 sig 24 @24:5 exported
    variable a 25-25 sig 25 @25:1 exported
    variable b 25-25 sig 25 @25:5 exported
    variable c 25-25 sig 25 @25:9 exported
    variable d 25-25 sig 25 @25:14 exported
    "#);
    assert_snapshot!(render::imports(&facts(source)), @r#"
    2:14 Colour inherit enum.Enum
    8:13 Shape inherit Protocol
    12:22 Made inherit Point
    "#);
}

#[test]
fn syntax_errors_leave_what_parsed() {
    let facts = facts("def good(a):\n    return a\n\ndef bad(a):\n    x = = 1\n\nclass Fine:\n    def m(self): pass\n");
    let names = render::defs(&facts);
    assert!(names.contains("function good 1-2"), "{names}");
    assert!(names.contains("method Fine.m 8-8"), "{names}");
    assert!(facts.error_count > 0);
}

#[test]
fn tests_are_marked_by_the_rules_of_their_runners() {
    let source = r#"
import unittest
def test_free(): pass
def helper(): pass
@pytest.fixture
def client(): yield 1
class TestVote:
    def test_a(self): pass
    def check(self): pass
class Flow(unittest.TestCase):
    def setUp(self): pass
    def test_b(self): pass
class TestClient:
    def get(self): pass
"#;
    assert_snapshot!(render::defs(&facts(source)), @r#"
    function test_free 3-3 sig 3 @3:5 (0) exported test
    function helper 4-4 sig 4 @4:5 (0) exported
    function client 5-6 sig 6 @6:5 (0) exported test
    class TestVote 7-9 sig 7 @7:7 exported test
    method TestVote.test_a 8-8 sig 8 @8:9 (0) exported test
    method TestVote.check 9-9 sig 9 @9:9 (0) exported
    class Flow 10-12 sig 10 @10:7 exported test
    method Flow.setUp 11-11 sig 11 @11:9 (0) exported test
    method Flow.test_b 12-12 sig 12 @12:9 (0) exported test
    class TestClient 13-14 sig 13 @13:7 exported
    method TestClient.get 14-14 sig 14 @14:9 (0) exported
    "#);
    assert_snapshot!(render::roots(&facts(source)), @r#"
    3 test test_free is test_free [pytest function]
    8 test test_a is TestVote.test_a [pytest method]
    12 test test_b is Flow.test_b [unittest method]
    "#);
}
