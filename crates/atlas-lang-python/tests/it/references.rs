use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn calls_of_every_shape() {
    let source = r#"
from m import f, g
class A(B):
    def go(self, xs, **kw):
        f(1, 2)
        self.step(f)
        super().go(*xs)
        super(A, self).go(k=1)
        self.repo.find("key").items[0].run()
        f()(3)
        TABLE[key](4)
        getattr(self, "named")(5)
        setattr(other, "field", g)
        x = f"{g(1)!r:>{f(2)}} {self.a}"
        g(y for y in f(3))
        return await g(a=f, b=[f, g], c={f: g})
f(lambda q: q.run(f))
"#;
    assert_snapshot!(render::refs(&facts(source)), @r#"
    3:9 read B in A
    5:9 call f (2) in A.go
    6:14 call @self.step (1) in A.go
    6:19 read f in A.go
    7:17 call @super.go (*) in A.go
    8:24 call @super.go (1) in A.go
    8:15 read A in A.go
    9:40 call @self.repo.find(String).items[0].run (0) in A.go
    9:31 read @self.repo.find(String).items in A.go
    9:19 call @self.repo.find (1) "key" in A.go
    9:14 read @self.repo in A.go
    10:9 call f() as f (1) in A.go
    10:9 call f (0) in A.go
    11:9 call TABLE[] as TABLE (1) in A.go
    11:9 read TABLE in A.go
    11:15 read key in A.go
    12:9 call @self.named (1) in A.go
    12:9 call getattr (2) in A.go
    12:23 read @self.named in A.go
    13:9 call setattr (3) in A.go
    13:24 write other.field in A.go
    13:17 read other in A.go
    13:33 read g in A.go
    14:16 call g (1) in A.go
    14:25 call f (1) in A.go
    14:38 read @self.a in A.go
    15:9 call g (1) in A.go
    15:22 call f (1) in A.go
    16:22 call g (3) in A.go
    16:26 read f in A.go
    16:32 read f in A.go
    16:35 read g in A.go
    16:42 read f in A.go
    16:45 read g in A.go
    17:1 call f (1) in -
    17:15 call q#2.run (1) in -
    17:19 read f in -
    "#);
}

#[test]
fn decorators_types_and_writes() {
    let source = r#"
import m
TOTAL = 0
@m.dec
@m.made("x", 1)
def f(a: m.T, b: "Optional[Later]" = None, c: Literal["no"] = "no") -> list[Vote | None]:
    global TOTAL
    TOTAL = 1
    TOTAL += 1
    m.setting = 2
    a.count += 1
    CACHE["k"] = 3
    local = {}
    local["k"] = 4
    del a.name, CACHE["k"]
    x: Vote = a
    for m.i in a: pass
    return x
"#;
    assert_snapshot!(render::refs(&facts(source)), @r#"
    4:4 decorator m.dec (1) in -
    4:2 read m in -
    5:4 decorator m.made (2) "x" in -
    5:2 read m in -
    6:12 typeuse m.T in f
    6:10 typeuse m in f
    6:18 typeuse Later in f
    6:72 typeuse list in f
    6:77 typeuse Vote in f
    8:5 write TOTAL in f
    9:5 write TOTAL in f
    10:7 write m.setting in f
    10:5 read m in f
    11:7 write a.count in f
    12:5 write CACHE in f
    15:11 write a.name in f
    15:17 write CACHE in f
    16:8 typeuse Vote in f
    17:11 write m.i in f
    17:9 read m in f
    "#);
}

#[test]
fn reads_that_may_name_definitions() {
    let source = r#"
from m import handler, Base, CONST, Err
class K(Base, key=CONST):
    hook = handler
    table = {"a": handler}
def f(param, key=handler):
    register(handler)
    try:
        return param.attr.deep
    except (Err, m.Other) as e:
        raise Err from e
    match param:
        case Base(x=0) | m.Colour.RED: return handler
        case [a, *rest]: return rest
    return [h for h in HANDLERS if h is not handler]
"#;
    assert_snapshot!(render::refs(&facts(source)), @r#"
    3:9 read Base in K
    3:19 read CONST in K
    4:12 read handler in K
    5:19 read handler in K
    6:18 read handler in f
    7:5 call register (1) in f
    7:14 read handler in f
    9:27 read param.attr.deep in f
    9:22 read param.attr in f
    10:13 read Err in f
    10:20 read m.Other in f
    10:18 read m in f
    11:15 read Err in f
    13:14 read Base in f
    13:26 read m in f
    13:28 read m.Colour in f
    13:35 read m.Colour.RED in f
    13:47 read handler in f
    15:24 read HANDLERS in f
    15:45 read handler in f
    "#);
}

#[test]
fn imports_in_every_form() {
    let source = r#"
from __future__ import annotations
import a.b.c, d as e, x
from ..p.q import (r as s, t)
from . import u
from v import *
if TYPE_CHECKING:
    from w import T
def f():
    import g.h
    importlib.import_module("plugins.one")
    __import__(name)
__all__ = ["f", "u"] + x.__all__
__all__ += ("s",)
__all__.extend(["t"])
"#;
    assert_snapshot!(render::imports(&facts(source)), @r#"
    2 name __future__ : annotations as annotations in -
    3 module a as a in -
    3 effect a.b.c in -
    3 module d as e in -
    3 module x as x in -
    4 name ..p.q : r as s in -
    4 name ..p.q : t as t in -
    5 name . : u as u in -
    6 wildcard v in -
    8 name w : T as T type-only in -
    10 module g as g in f
    10 effect g.h in f
    11 effect plugins.one in f
    13 export f = f
    13 export u = u
    14 export s = s
    15 export t = t
    "#);
}
