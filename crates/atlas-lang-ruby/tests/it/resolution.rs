//! Contract cases, and how names of every kind resolve.

use super::{ask, check};
use crate::harness;

#[test]
fn contract_cases_hold() {
    let json = include_str!("data/contract_cases.json");
    harness::contract_cases(json, atlas_lang_ruby::extract, &atlas_lang_ruby::RubySemantics);
}

#[test]
fn types_that_share_a_method_name_are_told_apart() {
    check(
        r#"
=== store.rb
class Mem
  def save(k); end
end
class Disk
  def save(k); end
end
class Net
  def initialize
    @inner = Disk.new
  end
  def save(k)
    @inner.save(k)
           ^^^^ ~ call store.rb:Disk.save EXTRACTED
  end
end
class Cache < Mem
end
def open_net
  Net.new
end
=== main.rb
class App
  attr_reader :disk
  def initialize(any)
    @disk = Disk.new
    @any = any
  end
  def run
    disk.save("a")
         ^^^^ ~ call store.rb:Disk.save EXTRACTED
    Cache.new.save("b")
              ^^^^ ~ call store.rb:Mem.save EXTRACTED
    [Mem.new].each { |m| m.save("c") }
                           ^^^^ ~ call store.rb:Mem.save EXTRACTED
    @any.save("d")
         ^^^^ ~ call store.rb:Mem.save | store.rb:Disk.save | store.rb:Net.save AMBIGUOUS
    "text".save("e")
           ^^^^ ~ call none
    local = Net.new
    local.save("f")
          ^^^^ ~ call store.rb:Net.save EXTRACTED
  end
end
"#,
    );
}

#[test]
fn methods_of_a_class_and_of_its_instances_are_apart() {
    check(
        r#"
=== flow.rb
class Flow
  def self.call(x)
    new(x).call
    ^^^ ~ construct flow.rb:Flow EXTRACTED
           ^^^^ ~ call flow.rb:Flow.call EXTRACTED
  end
  def initialize(x); end
  def call
    self.class.helper
               ^^^^^^ ~ call flow.rb:Flow.helper EXTRACTED
  end
  class << self
    def helper; end
  end
end
Flow.call(1)
     ^^^^ ~ call flow.rb:Flow.call EXTRACTED
"#,
    );
    let text = "=== a.rb\nclass A\n  def self.go; end\n  def go; end\nend\nA.go\nA.new.go\n";
    assert_eq!(ask(text, "callers_of: a.rb:A.go"), ["a.rb:5", "a.rb:6"]);
}

#[test]
fn classes_are_opened_again_in_other_files() {
    check(
        r#"
=== lib/a.rb
module Lib
  class Vote < Base
    def record
      audit
      ^^^^^ ~ call lib/b.rb:Lib.Vote.audit EXTRACTED
    end
  end
  class Base
    def root; end
  end
end
=== lib/b.rb
module Lib
  class Vote
    def audit
      root
      ^^^^ ~ call lib/a.rb:Lib.Base.root EXTRACTED
    end
  end
end
class Lib::Vote
  def third
    record
    ^^^^^^ ~ call lib/a.rb:Lib.Vote.record EXTRACTED
  end
end
=== app.rb
Lib::Vote.new.third
              ^^^^^ ~ call lib/b.rb:Lib.Vote.third EXTRACTED
::Lib::Vote.new.audit
                ^^^^^ ~ call lib/b.rb:Lib.Vote.audit EXTRACTED
"#,
    );
}

#[test]
fn constants_are_seen_from_the_modules_around() {
    check(
        r#"
=== a.rb
module Outer
  LIMIT = 3
  class Helper
    def self.go; end
  end
  module Inner
    class User
      def run
        Helper.go
               ^^ ~ call a.rb:Outer.Helper.go EXTRACTED
        LIMIT
        ^^^^^ ~ read a.rb:Outer.LIMIT EXTRACTED
        ::Helper.go
                 ^^ ~ call b.rb:Helper.go EXTRACTED
      end
    end
  end
end
=== b.rb
class Helper
  def self.go; end
end
Helper.go
       ^^ ~ call b.rb:Helper.go EXTRACTED
"#,
    );
}

#[test]
fn mixins_super_aliases_and_delegation() {
    check(
        r#"
=== a.rb
module Audited
  def audit; end
  def shared; end
  module ClassMethods
    def track; end
  end
end
class Base
  def shared; end
  def go; end
end
class Vote < Base
  include Audited
  alias_method :old, :go
  delegate :email, to: :user
  def go
    super
    ^^^^^ ~ call a.rb:Base.go EXTRACTED
    audit
    ^^^^^ ~ call a.rb:Audited.audit EXTRACTED
    shared
    ^^^^^^ ~ call a.rb:Audited.shared EXTRACTED
    send(:hidden)
         ^^^^^^^ ~ call a.rb:Vote.hidden EXTRACTED
  end
  def user
    User.new
  end
  private
  def hidden; end
end
class User
  def email; end
end
Vote.track
     ^^^^^ ~ call a.rb:Audited.ClassMethods.track EXTRACTED
"#,
    );
}

#[test]
fn locals_hide_methods_and_blocks_have_parameters_of_their_own() {
    check(
        r#"
=== a.rb
class A
  def run; end
  def go(run)
    run
    helper = 1
    helper
    [1].each { |other| other }
    other
    ^^^^^ ~ call a.rb:A.other EXTRACTED
  end
  def helper; end
  def other; end
end
"#,
    );
}

#[test]
fn results_and_fields_pass_on_their_types() {
    check(
        r#"
=== a.rb
class Conn
  def ping; end
end
class Pool
  def conn
    @conn ||= Conn.new
  end
  def pick(flag)
    if flag
      Conn.new
    else
      conn
    end
  end
  def fluent
    self
  end
  def go
    conn.ping
         ^^^^ ~ call a.rb:Conn.ping INFERRED
    pick(1).ping
            ^^^^ ~ call a.rb:Conn.ping INFERRED
    fluent.conn.ping
           ^^^^ ~ call a.rb:Pool.conn INFERRED
  end
end
"#,
    );
}

#[test]
fn records_and_relations_of_rails() {
    let text = r#"
=== app/models/vote.rb
class Vote < ApplicationRecord
  belongs_to :user
  def record
    user.notify
         ^^^^^^ ~ call app/models/user.rb:User.notify EXTRACTED
    save!
  end
end
=== app/models/user.rb
class User < ApplicationRecord
  has_many :votes
  def notify
    votes.each { |vote| vote.record }
                             ^^^^^^ ~ call app/models/vote.rb:Vote.record EXTRACTED
  end
end
=== app/flows/cast.rb
class Cast
  def call
    Vote.find(1).record
                 ^^^^^^ ~ call app/models/vote.rb:Vote.record EXTRACTED
    Vote.where(a: 1).each { |vote| vote.record }
                                        ^^^^^^ ~ call app/models/vote.rb:Vote.record EXTRACTED
    Vote.create!(a: 1)
    execute("INSERT INTO votes (a) VALUES (1)")
  end
end
=== app/controllers/votes_controller.rb
class VotesController < ApplicationController
  def show; end
end
=== config/routes.rb
Rails.application.routes.draw do
  get "votes/:id", to: "votes#show"
end
"#;
    check(text);
    assert_eq!(ask(text, "writers_to: votes"), ["app/flows/cast.rb:5", "app/flows/cast.rb:6", "app/models/vote.rb:5"]);
}

#[test]
fn tests_define_what_only_they_see() {
    check(
        r#"
=== lib/user.rb
class User
  def name; end
end
=== spec/a_spec.rb
class User
  def fake_it; end
end
User.new.fake_it
         ^^^^^^^ ~ call spec/a_spec.rb:User.fake_it EXTRACTED
=== lib/b.rb
User.new.fake_it
         ^^^^^^^ ~ call none
User.new.name
         ^^^^ ~ call lib/user.rb:User.name EXTRACTED
"#,
    );
}

#[test]
fn required_files_are_imported() {
    let text = r#"
=== lib/tool.rb
require "tool/core"
require "json"
=== lib/tool/core.rb
def core_thing; end
=== bin/run.rb
require_relative "../lib/tool"
"#;
    assert_eq!(ask(text, "importers_of: lib/tool.rb"), ["bin/run.rb:1"]);
    assert_eq!(ask(text, "importers_of: lib/tool/core.rb"), ["lib/tool.rb:1"]);
}

#[test]
fn constants_of_gems_and_attributes_keep_heuristics_honest() {
    check(
        r#"
=== lib/a.rb
class Site
  attr_reader :theme
  def tags; end
  def frobnicate; end
end
class Drop
  def theme; end
end
class User
  def go(site)
    Liquid::Template.tags
                     ^^^^ ~ call none
    Liquid.frobnicate
           ^^^^^^^^^^ ~ call none
    site.theme
         ^^^^^ ~ call lib/a.rb:Site.theme | lib/a.rb:Drop.theme AMBIGUOUS
    site.frobnicate
         ^^^^^^^^^^ ~ call lib/a.rb:Site.frobnicate INFERRED
  end
end
=== lib/deep/b.rb
def helper(site)
  site.frobnicate
       ^^^^^^^^^^ ~ call lib/a.rb:Site.frobnicate INFERRED
end
"#,
    );
}

#[test]
fn modules_included_outside_of_classes_bring_their_constants() {
    check(
        r#"
=== lib/a.rb
module Lib
  module Utils
    extend self
    def clean; end
  end
end
=== test/helper.rb
include Lib
=== test/test_utils.rb
class TestUtils
  def test_it
    Utils.clean
          ^^^^^ ~ call lib/a.rb:Lib.Utils.clean EXTRACTED
  end
end
"#,
    );
}

#[test]
fn included_modules_are_named_from_inside_and_delegators_lead_on() {
    check(
        r#"
=== lib/filters.rb
module Lib
  module Filters
    include Dates
  end
end
=== lib/filters/dates.rb
module Lib
  module Filters
    module Dates
      def date_to_text; end
    end
  end
end
=== lib/use.rb
class Use
  include Lib::Filters
  extend Forwardable
  def_delegators :@doc, :title
  def initialize
    @doc = Doc.new
  end
  def go
    date_to_text
    ^^^^^^^^^^^^ ~ call lib/filters/dates.rb:Lib.Filters.Dates.date_to_text EXTRACTED
    title
    ^^^^^ ~ call lib/use.rb:Doc.title EXTRACTED & lib/use.rb:Use.title EXTRACTED
  end
end
class Doc
  def title; end
end
"#,
    );
}
