//! Definitions of C# files: spans, documentation, types, inheritance.

use super::said;
use insta::assert_snapshot;

#[test]
fn definitions_carry_their_span_doc_arity_and_type() {
    let source = r#"using System.Collections.Generic;
using static App.Util.Math;
using Alias = App.Other.Thing;
global using App.Shared;
namespace App.Models
{
    /// <summary>A store.</summary>
    [Serializable]
    public abstract partial class Store<T> : Base<T>, IStore where T : Item
    {
        public const int Limit = 3;
        private readonly List<T> _items = new();
        /// <summary>Count.</summary>
        public int Count { get; private set; }
        public T First => _items[0];
        public Store(int size, string name = "x") : base(size) { }
        static Store() { }
        /// <summary>Puts.</summary>
        public virtual async Task<T> Put(T item, params string[] rest)
        {
            return item;
        }
        protected abstract void Todo();
        public T this[int i] => _items[i];
        public static Store<T> operator +(Store<T> a, Store<T> b) => a;
        public event EventHandler Changed;
        class Inner { enum E { One, Two = 2 } }
    }
    public record Point(int X, int Y);
    public class Made(ILogger log);
    public delegate int Counter(string s);
    public static class Extensions { public static int Twice(this Store<Item> s, int n) { return Once(); int Once() => 1; } }
}
"#;
    assert_snapshot!(said(source, &["package", "def", "export", "base", "import", "error"]), @"
    package App.Models
    def class Store 8-28 @9:35 sig=10 doc=7-7 exported
    def constant Store.Limit 11-11 @11:26 ty=int exported static
    def field Store._items 12-12 @12:34 ty=:List`1<:T>
    def property Store.Count 14-14 @14:20 ty=int doc=13-13 exported
    def property Store.First 15-15 @15:18 ty=:T exported
    def constructor Store.Store 16-16 @16:16 arity=1..2 exported
    def method Store.static Store 17-17 @17:16 arity=0..0 static
    def method Store.Put 19-22 @19:38 sig=20 arity=1..* ty=:Task`1<:T> doc=18-18 exported async
    def method Store.Todo 23-23 @23:33 arity=0..0 declaration
    def method Store.this[] 24-24 @24:9 arity=1..1 ty=:T exported
    def method Store.operator + 25-25 @25:9 arity=2..2 ty=:Store`1<:T> exported static
    def field Store.Changed 26-26 @26:35 ty=:EventHandler exported
    def class Store.Inner 27-27 @27:15
    def enum Store.Inner.E 27-27 @27:28
    def enum_member Store.Inner.E.One 27-27 @27:32 ty=:E exported static
    def enum_member Store.Inner.E.Two 27-27 @27:37 ty=:E exported static
    def class Point 29-29 @29:19 exported
    def property Point.X 29-29 @29:29 ty=int exported
    def property Point.Y 29-29 @29:36 ty=int exported
    def class Made 30-30 @30:18 exported
    def field Made.log 30-30 @30:31 ty=:ILogger
    def type_alias Counter 31-31 @31:25 ty=fn -> int exported distinct
    def class Extensions 32-32 @32:25 exported static
    def method Extensions.Twice 32-32 @32:56 arity=1..1 ty=int exported static
    def function Extensions.Twice.Once 32-32 @32:110 arity=0..0 ty=int
    import Wildcard System.Collections.Generic line=1
    import Wildcard App.Util.Math level=1 line=2
    import Name App.Other name=Thing as Alias line=3
    import Wildcard App.Shared level=2 line=4
    export partial App.Models.Store`1 = def Store line=9
    export App.Models.Store`1.Inner = def Store.Inner line=27
    export App.Models.Store`1.Inner.E = def Store.Inner.E line=27
    export App.Models.Point = def Point line=29
    export App.Models.Made = def Made line=30
    export App.Models.Counter = def Counter line=31
    export App.Models.Extensions = def Extensions line=32
    base Store Inherit :Base`1<:T> 9:46
    base Store Inherit :IStore 9:55
    ");
}

#[test]
fn a_file_scoped_namespace_holds_all_that_follows() {
    let source = "namespace A.B;\nstruct S { }\ninterface I { void F(); }\n";
    assert_snapshot!(said(source, &["package", "def", "export"]), @"
    package A.B
    def struct S 2-2 @2:8
    def interface I 3-3 @3:11
    def method I.F 3-3 @3:20 arity=0..0 exported declaration
    export A.B.S = def S line=2
    export A.B.I = def I line=3
    ");
}

#[test]
fn branches_that_cut_through_a_declaration_leave_the_rest_whole() {
    let source = "interface I\n{\n    void A()\n#if X\n    { B(); }\n#elif Y\n    { C(); }\n#else\n    ;\n#endif\n    void D();\n}\n";
    assert_snapshot!(said(source, &["def", "call", "error"]), @r"
    def interface I 1-12 @1:11 sig=2
    def method I.A 3-5 @3:10 sig=5 arity=0..0 exported
    def method I.D 11-11 @11:10 arity=0..0 exported declaration
    call 5:7 B/0 in I.A
    ");
}
