use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn parameters_locals_fields_and_returns() {
    let source = r#"
cache: Dict[str, Vote] = {}
class A:
    kind: ClassVar[Kind] = Kind.one
    size = 3
    def __init__(self, repo: Repo, *rest: Item, limit=10, **kw: Opt):
        self.repo = repo
        self.made, other = Made(), repo.open()
        self.items: list["Item"] = []
        self.deep.inner = 1
    def go(self):
        global cache
        cache = Other()
        x = y = self.repo.first
        (a, *b), c = f()
        d = self.items[0]
        e = g()[key]
        h = p or q.r
        i = p if c else q
        j = x and y
        k = a + b
        l = "s" % c
        m = not a
        n = (o := f())
        return self
    @classmethod
    def make(cls): return cls(1)
"#;
    assert_snapshot!(render::bindings(&facts(source)), @r#"
    2 local cache in - : Dict<str, Vote> = Map
    4 field kind in A : Kind = Kind.one
    5 field size in A = Number
    6 param 0 repo in A.__init__ : Repo
    6 param 1 rest in A.__init__ : [Item] = List
    6 param 2 limit in A.__init__ = Number
    6 param 3 kw in A.__init__ : dict<str, Opt> = Map
    7 field repo in A = repo
    8 field made in A = Made()
    8 local other in A.__init__ = repo.open()
    9 field items in A : list<Item> = List
    12 outer cache in A.go
    13 local cache in - = Other()
    14 local x in A.go = @self.repo.first
    14 local y in A.go = @self.repo.first
    15 local a in A.go = f()[0][0]
    15 local b in A.go = List
    15 local c in A.go = f()[1]
    16 local d in A.go = @self.items[0]
    17 local e in A.go = g()[]
    18 local h in A.go = (p or q.r)
    19 local i in A.go = (p or q)
    20 local j in A.go = (y)
    21 local k in A.go = a.__add__()
    22 local l in A.go = String
    23 local m in A.go = Bool
    24 local n in A.go = f()
    24 local o in A.go = f()
    25 return  in A.go = @self
    27 return  in A.make = @self(Number)
    "#);
}

#[test]
fn loops_context_managers_exceptions_and_patterns() {
    let source = r#"
def f(things):
    for n, thing in enumerate(things): pass
    async for one in things.stream(): pass
    with open(p) as fh, lock as (q, r): pass
    try: pass
    except (Err, m.Other) as e: pass
    def inner():
        nonlocal things
        things = 1
    match things:
        case Point(x=0) as p: pass
        case {"k": v, **rest}: pass
        case [a, *more]: pass
    return [x.name for x in things for y in x.parts], {k: v for k, v in d.items()}, lambda z: z.go()

@contextmanager
def managed():
    yield Conn()
"#;
    assert_snapshot!(render::bindings(&facts(source)), @r#"
    2 param 0 things in f
    3 local n in f = each enumerate(things)[0]
    3 local thing in f = each enumerate(things)[1]
    4 local one in f = each things.stream()
    5 local fh in f = (open(p).__enter__() or open(p))
    5 local q in f = (lock.__enter__() or lock)[0]
    5 local r in f = (lock.__enter__() or lock)[1]
    7 local e in f : Err | m.Other
    9 outer things in f.inner
    10 local things in f = Number
    12 local p in f : Point
    13 local v in f
    13 local rest in f
    14 local a in f
    14 local more in f
    15 local x#1 in f = each things
    15 local y#2 in f = each x#1.parts
    15 return  in f = ([x#1.name], Map, Function)
    15 local k#3 in f = each d.items()[0]
    15 local v#4 in f = each d.items()[1]
    15 local z#5 in f
    19 return  in managed = Conn()
    "#);
}

#[test]
fn isinstance_tells_types_where_it_holds() {
    let source = r#"
def f(a, b, c, d):
    if isinstance(a, Vote):
        a.one()
        a = other()
        a.two()
    elif isinstance(self.b, (Add, Mul)) and isinstance(b, m.T):
        b.three()
        self.b.four()
    if not isinstance(c, Vote):
        return
    c.five()
    assert isinstance(d, Vote)
    d.six()
    x = a.seven() if isinstance(a, Vote) else a.eight()
    return isinstance(b, Vote) and b.nine()
"#;
    let calls: String = render::refs(&facts(source))
        .lines()
        .filter(|l| l.contains(" call ") && !l.contains("isinstance"))
        .map(|l| format!("{l}\n"))
        .collect();
    assert_snapshot!(calls, @r#"
    4:11 call as Vote.one (0) in f
    5:13 call other (0) in f
    6:11 call a.two (0) in f
    8:11 call as m.T.three (0) in f
    9:16 call as Add | Mul.four (0) in f
    12:7 call as Vote.five (0) in f
    14:7 call as Vote.six (0) in f
    15:11 call as Vote.seven (0) in f
    15:49 call a.eight (0) in f
    16:38 call as Vote.nine (0) in f
    "#);
}

#[test]
fn types_in_every_form() {
    let source = r#"
a: Optional[pkg.Vote]
b: Union[A, None, "B"]
c: A | B | None
d: Callable[[X], Y]
e: tuple[A, ...]
f: Tuple[A, B]
g: Annotated[Session, Depends(get_db)]
h: dict[str, list[Vote]]
i: "dict[str, 'Vote'] | None"
j: Literal["A"]
k: Any
l: Self
m: "not a type at all"
n: type[Vote]
"#;
    assert_snapshot!(render::bindings(&facts(source)), @r#"
    2 local a in - : pkg.Vote
    3 local b in - : A | B
    4 local c in - : A | B
    5 local d in - : fn -> Y
    6 local e in - : [A]
    7 local f in - : (A, B)
    8 local g in - : Session
    9 local h in - : dict<str, list<Vote>>
    10 local i in - : dict<str, Vote>
    11 local j in -
    12 local k in -
    13 local l in - : Self
    14 local m in -
    15 local n in - : type<Vote>
    "#);
}
