use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn calls_constants_and_writes() {
    let source = r#"
require 'set'
require_relative "../lib/x"
class A < B
  macro :x
  before_action :auth, only: [:a]
  def go(x)
    foo
    foo 1, k: 2
    x
    x.bar&.baz(1) { |y| y.run(foo) }
    self.c = 3
    other.d = x
    @e = Foo.new
    @e.f
    TABLE[:k] = 1
    A::B.g
    ::Top.h
    Foo::bar(1)
    x.()
    super
    super(1)
    send(:named, 1)
    x.public_send(:other)
    x.map(&:each_of)
    method(:by_symbol)
    raise Err, "no"
    raise One::Two
    puts foo
    yield x
    self.class.make
    "a #{inner} b"
    call(foo:, x:)
    $glob = x
    A if x.is_a?(K)
    x += helper
  end
  def self.go; helper; end
end
top 1
local = 2
local
"#;
    assert_snapshot!(render::refs(&facts(source)), @r#"
    4:11 read B in A
    5:3 call #class.macro (1) "x" in A
    6:17 read @self.auth in A
    6:3 call #class.before_action (*) "auth" in A
    8:5 call @self.foo (0) in A.go
    9:5 call @self.foo (*) in A.go
    11:12 call x.bar().baz (1) in A.go
    11:7 call x.bar (0) in A.go
    11:27 call y#1.run (1) in A.go
    11:31 call @self.foo (0) in A.go
    12:10 write @self.c= in A.go
    13:11 write @self.other().d= in A.go
    13:5 call @self.other (0) in A.go
    14:5 write @self.@e in A.go
    14:14 call Foo.new (0) in A.go
    14:10 read Foo in A.go
    15:8 call @self.@e.f (0) in A.go
    15:5 read @self.@e in A.go
    16:5 write TABLE in A.go
    17:10 call A.B.g (0) in A.go
    17:8 read A.B in A.go
    17:5 read A in A.go
    18:11 call ::Top.h (0) in A.go
    18:7 read ::Top in A.go
    19:10 call Foo.bar (1) in A.go
    19:5 read Foo in A.go
    20:5 call x.call (0) in A.go
    21:5 call @super.go (*) in A.go
    22:5 call @super.go (1) in A.go
    23:5 call @self.send (2) "named" in A.go
    23:10 call @self.named (*) in A.go
    24:7 call x.public_send (1) "other" in A.go
    24:19 call x.other (*) in A.go
    25:7 call x.map (0) in A.go
    25:12 call each x.each_of (0) in A.go
    26:5 call @self.method (1) "by_symbol" in A.go
    26:12 read @self.by_symbol in A.go
    27:11 construct Err (*) in A.go
    27:5 call (@self.raise or raise) as raise (2) in A.go
    28:16 construct One.Two (*) in A.go
    28:5 call (@self.raise or raise) as raise (1) in A.go
    28:11 read One in A.go
    29:5 call (@self.puts or puts) as puts (1) in A.go
    29:10 call @self.foo (0) in A.go
    31:16 call #class.make (0) in A.go
    32:10 call @self.inner (0) in A.go
    33:5 call @self.call (*) in A.go
    33:10 call @self.foo (0) in A.go
    35:5 read A in A.go
    35:12 call x.is_a? (1) in A.go
    35:18 read K in A.go
    36:10 call @self.helper (0) in A.go
    38:16 call @self.helper (0) in A.go
    40:1 call top (1) in -
    42:1 read local in -
    "#);
    assert_snapshot!(render::imports(&facts(source)), @r#"
    2 require set in -
    3 require .../lib/x in -
    4:11 A inherit B
    "#);
}
