//! The facts of Java files, whole.

use super::facts;
use insta::assert_snapshot;

#[test]
fn definitions_carry_their_span_doc_arity_and_flags() {
    let source = r#"package a.b;
/** Doc of A. */
@Marked
public abstract class A<T extends Num> extends Base<T> implements I, J<String> {
    static final String NAME = "n";
    private int x, ys[];
    /** Doc of go. */
    @Override
    public <R> R go(final T first, String... rest)
        throws IOException {
        return null;
    }
    abstract void todo();
    A(int a) { }
    interface In { int K = 3; void m(); default void d() { } }
    record Pt(int x, In in) { Pt { } public int x() { return x; } }
    enum E { ONE(1) { int v() { return 1; } }, TWO; int v() { return 0; } }
    @interface Ann { String value() default "x"; }
}
"#;
    assert_snapshot!(facts(source, "java"), @r#"
    package a.b
    def class A 3-19 @4:23 sig=4 doc=2-2 exported
    def constant A.NAME 5-5 @5:25 ty=String static
    def field A.x 6-6 @6:17 ty=int file-local
    def field A.ys 6-6 @6:20 ty=[int] file-local
    def method A.go 8-12 @9:18 sig=10 arity=1..* ty=R doc=7-7 exported
    def method A.todo 13-13 @13:19 arity=0..0 ty=void declaration
    def constructor A.A 14-14 @14:5 arity=1..1
    def interface A.In 15-15 @15:15
    def constant A.In.K 15-15 @15:24 ty=int exported static
    def method A.In.m 15-15 @15:36 arity=0..0 ty=void exported declaration
    def method A.In.d 15-15 @15:54 arity=0..0 ty=void exported
    def class A.Pt 16-16 @16:12
    def property A.Pt.in 16-16 @16:25 ty=In exported getter
    def constructor A.Pt.Pt 16-16 @16:31 arity=2..2
    def method A.Pt.x 16-16 @16:49 arity=0..0 ty=int exported
    def enum A.E 17-17 @17:10
    def enum_member A.E.ONE 17-17 @17:14 ty=E exported static
    def class A.E. 17-17 @17:21
    def method A.E..v 17-17 @17:27 arity=0..0 ty=int
    def enum_member A.E.TWO 17-17 @17:48 ty=E exported static
    def method A.E.v 17-17 @17:57 arity=0..0 ty=int
    def interface A.Ann 18-18 @18:16
    def method A.Ann.value 18-18 @18:29 arity=0..0 ty=String exported
    decorator 3:2 Marked/* in A
    type 4:35 Num in A
    type 4:72 String in A
    type 5:18 String in A
    decorator 8:6 Override/* in A.go
    type 9:36 String in A.go
    type 10:16 IOException in A.go
    type 16:22 In in A.Pt
    read 16:62 x in A.Pt.x
    construct 17:14 new E in A.E
    construct 17:48 new E in A.E
    type 18:22 String in A.Ann.value
    base A Inherit Base<T> 4:48
    base A Implement I 4:67
    base A Implement J<String> 4:70
    base A.E. Inherit E 17:14
    bind TypeParam(0) "T" in A line=4: Num
    bind Field "NAME" in A line=5: String = <String>
    bind Field "x" in A line=6: int
    bind Field "ys" in A line=6: [int]
    bind TypeParam(0) "R" in A.go line=9
    bind Param(0) "first" in A.go line=9: T
    bind Param(1) "rest" in A.go line=9: [String]
    bind Param(0) "a" in A.A line=14: int
    bind Field "K" in A.In line=15: int = as int
    bind Field "x" in A.Pt line=16: int
    bind Field "in" in A.Pt line=16: In
    bind Field "ONE" in A.E line=17: E
    bind Field "TWO" in A.E line=17: E
    "#);
}

#[test]
fn imports_of_every_form() {
    let source = r#"import java.util.List;
import java.util.*;
import static a.B.f;
import static a.B.*;
class A { }
"#;
    assert_snapshot!(facts(source, "java"), @r#"
    def class A 5-5 @5:7
    import Name java.util name=List as List line=1
    import Wildcard java.util line=2
    import Name a.B level=1 name=f as f line=3
    import Wildcard a.B level=1 line=4
    "#);
}

#[test]
fn calls_constructions_and_references() {
    let source = r#"class A extends B {
    void go(List<C> cs, Object o) {
        run(1, "two");
        this.run(o).next();
        super.run();
        D.make("x");
        new C(cs).open();
        new C() { void open() { close(); } };
        cs.forEach(C::open);
        cs.forEach(c -> c.open());
        E[] es = new E[3];
        es[0].go();
        ((C) o).open();
        if (o instanceof C c && c.ready()) { c.open(); }
        for (C c : cs) { c.open(); }
        try (R r = open()) { r.read(); } catch (X | Y e) { e.log(); }
    }
    A() { this(1); }
    A(int n) { super(n); }
}
"#;
    assert_snapshot!(facts(source, "java"), @r#"
    def class A 1-20 @1:7
    def method A.go 2-17 @2:10 arity=2..2 ty=void
    def class A.go. 8-8 @8:17
    def method A.go..open 8-8 @8:24 arity=0..0 ty=void
    def constructor A.A 18-18 @18:5 arity=0..0
    def constructor A.A 19-19 @19:5 arity=1..1
    type 2:13 List in A.go
    type 2:18 C in A.go
    type 2:25 Object in A.go
    call 3:9 run/2 in A.go
    call 4:21 this.run(o).next/0 in A.go
    call 4:14 this.run/1 in A.go
    call 5:15 super.run/0 in A.go
    call 6:11 D.make/1 "x" in A.go
    read 6:9 D in A.go
    call 7:19 new C.open/0 in A.go
    construct 7:13 new C in A.go
    construct 8:13 new C in A.go
    call 8:33 close/0 in A.go..open
    call 9:12 cs.forEach/1 in A.go
    call 9:23 C.open/* in A.go
    read 9:20 C in A.go
    call 10:12 cs.forEach/1 in A.go
    call 10:27 c#1.open/0 in A.go
    type 11:9 E in A.go
    type 11:22 E in A.go
    call 12:15 es#1[].go/0 in A.go
    call 13:17 as C.open/0 in A.go
    type 13:11 C in A.go
    type 14:26 C in A.go
    call 14:35 c#2.ready/0 in A.go
    call 14:48 c#2.open/0 in A.go
    type 15:14 C in A.go
    call 15:28 c#3.open/0 in A.go
    type 16:14 R in A.go
    call 16:20 open/0 in A.go
    call 16:32 r#1.read/0 in A.go
    type 16:49 X in A.go
    type 16:53 Y in A.go
    call 16:62 e#1.log/0 in A.go
    call 18:11 this/1 in A.A
    call 19:16 super/1 in A.A
    base A Inherit B 1:17
    base A.go. Inherit C 8:13
    bind Param(0) "cs" in A.go line=2: List<C>
    bind Param(1) "o" in A.go line=2: Object
    bind Local "c#1" in A.go line=10 = each cs
    bind Local "es#1" in A.go line=11: [E] = as [E]
    bind Local "c#2" in A.go line=14: C
    bind Local "c#3" in A.go line=15: C = each cs
    bind Local "r#1" in A.go line=16: R = open()
    bind Local "e#1" in A.go line=16: X | Y
    bind Param(0) "n" in A.A line=19: int
    "#);
}

#[test]
fn reads_and_writes_of_fields_but_not_of_locals() {
    let source = r#"class A {
    int total;
    static int COUNT = 0;
    void go(int total2) {
        int local = total;
        local = 2;
        total = local + LIMIT;
        this.total += 1;
        COUNT++;
        other.field = total2;
        table[total]++;
        switch (mode) { case FAST: break; }
    }
}
"#;
    assert_snapshot!(facts(source, "java"), @r#"
    def class A 1-14 @1:7
    def field A.total 2-2 @2:9 ty=int
    def field A.COUNT 3-3 @3:16 ty=int static
    def method A.go 4-13 @4:10 arity=1..1 ty=void
    read 5:21 total in A.go
    write 7:9 total in A.go
    read 7:25 LIMIT in A.go
    write 8:14 this.total in A.go
    write 9:9 COUNT in A.go
    write 10:15 other.field in A.go
    read 10:9 other in A.go
    write 11:9 table in A.go
    read 11:15 total in A.go
    read 12:30 mode.FAST in A.go
    read 12:30 FAST in A.go
    read 12:17 mode in A.go
    bind Field "total" in A line=2: int
    bind Field "COUNT" in A line=3: int = as int
    bind Param(0) "total2" in A.go line=4: int
    bind Local "local#1" in A.go line=5: int = total
    "#);
}

#[test]
fn a_syntax_error_keeps_what_parsed() {
    let source = r#"class A {
    void before() { one(); }
    void broken( { two(; }
    void after() { three(); }
}
"#;
    assert_snapshot!(facts(source, "java"), @r#"
    def class A 1-5 @1:7
    def method A.before 2-2 @2:10 arity=0..0 ty=void
    def method A.broken 3-3 @3:10 arity=0..0 ty=void
    def method A.after 4-4 @4:10 arity=0..0 ty=void
    call 2:21 one/0 in A.before
    read 3:20 two in A.broken
    call 4:20 three/0 in A.after
    error 3-3
    error 3-3
    "#);
}
