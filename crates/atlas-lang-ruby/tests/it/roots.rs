use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn rails_routes() {
    let source = r#"
Rails.application.routes.draw do
  root "home#index"
  get "votes/:id", to: "votes#show"
  get "/old" => "legacy#old", as: :old
  match "both", to: "x#y", via: [:get, :post]
  get "plain/action"
  resources :votes, only: [:index, :show] do
    member do
      post :up
    end
    get :search, on: :collection
    resources :comments, except: [:new, :edit, :update, :destroy]
  end
  resource :profile, only: :show
  namespace :admin do
    resources :users, only: [:index]
  end
  scope "/api", module: "api/v1" do
    get "ping", to: "health#ping"
  end
  mount Sidekiq::Web => "/sidekiq"
end
get "/outside", to: "x#y"
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    3 http_route home#index GET "/" by ::HomeController.index [rails route]
    4 http_route votes#show GET "/votes/:id" by ::VotesController.show [rails route]
    5 http_route legacy#old GET "/old" by ::LegacyController.old [rails route]
    6 http_route x#y GET "/both" by ::XController.y [rails route]
    6 http_route x#y POST "/both" by ::XController.y [rails route]
    7 http_route plain#action GET "/plain/action" by ::PlainController.action [rails route]
    8 http_route votes#index GET "/votes" by ::VotesController.index [rails resources]
    8 http_route votes#show GET "/votes/:id" by ::VotesController.show [rails resources]
    10 http_route votes#up POST "/votes/:id/up" by ::VotesController.up [rails route]
    12 http_route votes#search GET "/votes/search" by ::VotesController.search [rails route]
    13 http_route comments#index GET "/votes/:vote_id/comments" by ::CommentsController.index [rails resources]
    13 http_route comments#create POST "/votes/:vote_id/comments" by ::CommentsController.create [rails resources]
    13 http_route comments#show GET "/votes/:vote_id/comments/:id" by ::CommentsController.show [rails resources]
    15 http_route profiles#show GET "/profile" by ::ProfilesController.show [rails resources]
    17 http_route admin/users#index GET "/admin/users" by ::Admin.UsersController.index [rails resources]
    20 http_route api/v1/health#ping GET "/api/ping" by ::Api.V1.HealthController.ping [rails route]
    22 http_route Sidekiq::Web ANY "/sidekiq" by Sidekiq.Web [rails mount]
    "#);
}

#[test]
fn sinatra_workers_rake_and_commands() {
    let source = r#"
require "sinatra"
get "/votes/:id" do
  Vote.find(params[:id])
end
class App < Sinatra::Base
  post "/x" do
    go
  end
end
class Sync
  include Sidekiq::Worker
  def perform(id) end
end
class Mail < ApplicationJob
  def perform; end
end
class Cli < Thor
  desc "go", "goes"
  def go; end
  def helper; end
end
namespace :db do
  task :seed => :environment do
    Seeder.run
  end
  task clean: [:a] do end
end
OptionParser.new do |o| end
if __FILE__ == $0
  Main.run
end
class VotesController < ApplicationController
  after_action :log
  def log; end
end
h.get("/x") { }
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    3 http_route GET /votes/:id GET "/votes/:id" is GET /votes/:id [sinatra route]
    7 http_route POST /x POST "/x" is App.POST /x [sinatra route]
    13 worker Sync is Sync.perform [sidekiq worker]
    16 worker Mail is Mail.perform [active job]
    20 cli go is Cli.go [thor command]
    24 cli db:seed is db:seed [rake task]
    27 cli db:clean is db:clean [rake task]
    29 cli optparse [option parser]
    30 cli run by Main.run [main guard]
    34 event_handler log "after_action" by @self.log [rails callback]
    "#);
}

#[test]
fn tests_of_rspec_minitest_and_rails() {
    let source = r#"
RSpec.describe Vote do
  let(:vote) { Vote.new }
  subject(:made) { described_class.new }
  before { vote.save }
  context "when new" do
    it "records" do
      vote.record
    end
    it { is_expected.to be_valid }
  end
end
class VoteTest < ActiveSupport::TestCase
  setup do
    @vote = Vote.new
  end
  test "records" do
    @vote.record
  end
  def test_plain; end
  def helper; end
end
class TestVote < ProjectUnitTest
  context "a vote" do
    should "count" do
      go
    end
  end
end
class T < Minitest::Test
  def setup; end
  def test_a; end
end
"#;
    assert_snapshot!(render::defs(&facts(source)), @r#"
    function vote 3-3 sig 3 @3:7 (0) test
    function made 4-4 sig 4 @4:11 (0) test
    function before 5-5 sig 5 @5:3 (0+) test
    function records 7-9 sig 7 @7:8 (0) test
    function it 10-10 sig 10 @10:5 (0) test
    class VoteTest 13-22 sig 13 @13:7 exported static test
    field VoteTest.@vote 15-15 sig 15 @15:5
    method VoteTest.records 17-19 sig 17 @17:8 (0) test
    method VoteTest.test_plain 20-20 sig 20 @20:7 (0) exported test
    method VoteTest.helper 21-21 sig 21 @21:7 (0) exported
    class TestVote 23-29 sig 23 @23:7 exported static test
    method TestVote.count 25-27 sig 25 @25:12 (0) test
    class T 30-33 sig 30 @30:7 exported static test
    method T.setup 31-31 sig 31 @31:7 (0) exported test
    method T.test_a 32-32 sig 32 @32:7 (0) exported test
    "#);
    assert_snapshot!(render::roots(&facts(source)), @r#"
    7 test records is records [rspec example]
    10 test it is it [rspec example]
    17 test records is VoteTest.records [rails test]
    20 test test_plain is VoteTest.test_plain [minitest method]
    25 test count is TestVote.count [rails test]
    32 test test_a is T.test_a [minitest method]
    "#);
}
