use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn classes_modules_and_methods_of_every_kind() {
    let source = r#"
# A vote.
class Vote < Base
  include Audited
  extend Finders
  attr_accessor :name
  attr_reader :size, "other"
  LIMIT = 5
  @@count = 0
  alias_method :old, :record
  alias older record

  # Makes it.
  # Slowly.
  def initialize(a, b = 1, *rest, key:, opt: 2, **kw, &blk)
    @a = a
    @a = b
  end

  def self.make(x) = new(x)

  class << self
    def two; end
    attr_reader :config
  end

  def ==(other) other end
  def [](k) @h[k] end
  def name=(v)
    @name = v
  end

  define_method(:dynamic) { |x| x }
  delegate :email, to: :user
  scope :recent, -> { where(x: 1) }
  has_many :choices
  belongs_to :user, class_name: "Account"

  private

  def hidden; end
end

module Audited
  module ClassMethods
    def track; end
  end
  def audit(e) end
end

class A::B < ::C::D
end
Point = Struct.new(:x, :y) do
  def norm; end
end
class Pair < Struct.new(:l, :r)
end
Made = Class.new(Vote)
def top(a) a end
def Vote.outside; end
$glob = 1
private def x; end
"#;
    assert_snapshot!(render::defs(&facts(source)), @r#"
    class Vote 3-42 sig 3 @3:7 doc 2-2 exported static
    property Vote.name 6-6 sig 6 @6:17 exported
    property Vote.name= 6-6 sig 6 @6:17 exported
    property Vote.size 7-7 sig 7 @7:15 exported
    property Vote.other 7-7 sig 7 @7:22 exported
    constant Vote.LIMIT 8-8 sig 8 @8:3 exported static
    field Vote.@@count 9-9 sig 9 @9:3 static
    field Vote.old 10-10 sig 10 @10:16 exported
    field Vote.older 11-11 sig 11 @11:9 exported
    constructor Vote.initialize 15-18 sig 15 @15:7 doc 13-14 (1+) exported
    field Vote.@a 16-16 sig 16 @16:5
    method Vote.make 20-20 sig 20 @20:12 (1) exported static
    method Vote.two 23-23 sig 23 @23:9 (0) exported static
    property Vote.config 24-24 sig 24 @24:17 exported static
    method Vote.== 27-27 sig 27 @27:7 (1) exported
    method Vote.[] 28-28 sig 28 @28:7 (1) exported
    method Vote.name= 29-31 sig 29 @29:7 (1) exported
    field Vote.@name 30-30 sig 30 @30:5
    method Vote.dynamic 33-33 sig 33 @33:17 (0+) exported
    property Vote.email 34-34 sig 34 @34:12 exported
    method Vote.recent 35-35 sig 35 @35:9 (0+) exported static
    property Vote.choices 36-36 sig 36 @36:12 : [Choice] exported
    property Vote.choices= 36-36 sig 36 @36:12 exported
    property Vote.user 37-37 sig 37 @37:14 : Account exported
    property Vote.user= 37-37 sig 37 @37:14 exported
    method Vote.hidden 41-41 sig 41 @41:7 (0)
    trait Audited 44-49 sig 44 @44:8 exported static
    trait Audited.ClassMethods 45-47 sig 45 @45:10 exported static
    method Audited.ClassMethods.track 46-46 sig 46 @46:9 (0) exported
    method Audited.audit 48-48 sig 48 @48:7 (1) exported
    class B 51-52 sig 51 @51:10 exported static
    class Point 53-55 sig 53 @53:1 exported static
    property Point.x 53-53 sig 53 @53:20 exported
    property Point.y 53-53 sig 53 @53:24 exported
    method Point.norm 54-54 sig 54 @54:7 (0) exported
    class Pair 56-57 sig 56 @56:7 exported static
    property Pair.l 56-56 sig 56 @56:25 exported
    property Pair.r 56-56 sig 56 @56:29 exported
    class Made 58-58 sig 58 @58:1 exported static
    function top 59-59 sig 59 @59:5 (1) exported
    method outside 60-60 sig 60 @60:10 (0) exported static
    variable $glob 61-61 sig 61 @61:1 exported
    function x 62-62 sig 62 @62:13 (0) exported
    "#);
    assert_snapshot!(render::imports(&facts(source)), @r#"
    3:14 Vote inherit Base
    4:11 Vote include Audited
    5:10 Vote include Finders
    45:3 Audited include Audited.ClassMethods
    51:14 B inherit ::C.D
    58:18 Made inherit Vote
    "#);
    assert_snapshot!(render::bindings(&facts(source)), @r#"
    6 field name in Vote = @self.@name
    6 field name= in Vote
    7 field size in Vote = @self.@size
    7 field other in Vote = @self.@other
    8 field LIMIT in Vote = Number
    9 field @@count in Vote = Number
    10 field old in Vote = @self.record
    11 field older in Vote = @self.record
    15 param 0 a in Vote.initialize
    15 param 1 b in Vote.initialize = Number
    15 param 2 rest in Vote.initialize = List
    15 param 3 key in Vote.initialize
    15 param 4 opt in Vote.initialize = Number
    15 param 5 kw in Vote.initialize = Map
    15 param 6 blk in Vote.initialize = Function
    16 field @a in Vote = a
    17 field @a in Vote = b
    20 param 0 x in Vote.make
    20 return  in Vote.make = @self.new(x)
    24 field config in Vote = @self.@config
    27 param 0 other in Vote.==
    27 return  in Vote.== = other
    28 param 0 k in Vote.[]
    28 return  in Vote.[] = @self.@h[]
    29 param 0 v in Vote.name=
    30 field @name in Vote = v
    30 return  in Vote.name= = v
    33 local x#1 in Vote.dynamic
    34 field email in Vote = @self.user.email
    36 field choices in Vote : [Choice]
    36 field choices= in Vote
    37 field user in Vote : Account
    37 field user= in Vote
    48 param 0 e in Audited.audit
    53 field x in Point
    53 field y in Point
    56 field l in Pair
    56 field r in Pair
    59 param 0 a in top
    59 return  in top = a
    61 local $glob in - = Number
    "#);
}

#[test]
fn values_of_names() {
    let source = r#"
class A
  sig { params(x: Foo, y: T.nilable(T::Array[Bar])).returns(Vote) }
  def go(x, y = Opt.new)
    a = b = Foo.new(1)
    c, (d, *e) = f, [g]
    h ||= self.i
    j += 1
    x.each { |k, (l, m)| k.run }
    y.each_with_index do |n, o| n.go end
    q = x.tap(&:save).freeze
    rescue Err, Other => r
    rescue One::Two => s
    for t in x do t end
    return u if v
    if w then Foo.new else Bar.new end
  end
  def each_one
    return enum_for(:x) unless y
    @list ||= [Foo.new, Bar.new]
  end
  def kind
    case x
    when 1 then One.new
    else two
    end
  end
  def own; self.class.make; end
  def self.own; self; end
end
case x
in {name: String => n, age:} then n
in [Integer, *rest] then rest
end
"#;
    assert_snapshot!(render::bindings(&facts(source)), @r#"
    4 param 0 x in A.go : Foo
    4 param 1 y in A.go : [Bar] = Opt.new()
    5 local a in A.go = Foo.new(Number)
    5 local b in A.go = Foo.new(Number)
    6 local c in A.go = @self.f()
    6 local d in A.go = [@self.g()][0]
    6 local e in A.go = List
    7 local h in A.go = @self.i()
    8 local j in A.go = Number
    9 local k#1 in A.go = each x[0]
    9 local l#2 in A.go = each x[1][0]
    9 local m#3 in A.go = each x[1][1]
    10 local n#4 in A.go = each y
    10 local o#5 in A.go
    11 local q in A.go = x
    12 local r in A.go
    13 local s in A.go : One.Two
    14 local t in A.go = each x
    15 return  in A.go = @self.u()
    16 return  in A.go = x
    19 return  in A.each_one = @self.enum_for(String)
    20 field @list in A = [Foo.new(), Bar.new()]
    20 return  in A.each_one = [Foo.new(), Bar.new()]
    26 return  in A.kind = (One.new() or @self.two())
    28 return  in A.own = #class.make()
    29 return  in A.own = @self
    32 local n in - : String
    32 local age in -
    33 local rest in -
    "#);
}

#[test]
fn syntax_errors_leave_what_parsed() {
    let facts = facts("class A\n  def good\n    1\n  end\n  x = = 1\nend\n");
    assert!(render::defs(&facts).contains("method A.good 2-4"), "{}", render::defs(&facts));
    assert!(facts.error_count > 0);
}
