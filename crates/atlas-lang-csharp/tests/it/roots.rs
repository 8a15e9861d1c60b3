//! Entry points of C# files.

use super::said;
use insta::assert_snapshot;

#[test]
fn actions_of_controllers_join_the_route_of_their_class() {
    let source = r#"using Microsoft.AspNetCore.Mvc;
[ApiController]
[Route("api/[controller]")]
public class UsersController : ControllerBase
{
    [HttpGet]
    public ActionResult<User> All() => Ok();
    [HttpGet("{id}"), HttpHead("{id}")]
    public User One(int id) => null;
    [HttpPost("/absolute")]
    public void Add() { }
    [Route("[action]")]
    public void Other() { }
    [NonAction]
    public ActionResult Helper() => Ok();
    private void Hidden() { }
}
public class HomeController : Controller
{
    public IActionResult Index() => View();
    public string Text() => "";
}
public class Plain { [HttpGet] public void No() { } }
"#;
    assert_snapshot!(said(source, &["root"]), @r#"
    root http_route All line=7 "GET" "/api/Users" def=UsersController.All by asp.net action
    root http_route One line=9 "GET" "/api/Users/{id}" def=UsersController.One by asp.net action
    root http_route One line=9 "HEAD" "/api/Users/{id}" def=UsersController.One by asp.net action
    root http_route Add line=11 "POST" "/absolute" def=UsersController.Add by asp.net action
    root http_route Other line=13 "ANY" "/api/Users/Other" def=UsersController.Other by asp.net action
    root http_route Index line=20 "ANY" "/Home/Index" def=HomeController.Index by asp.net convention
    "#);
}

#[test]
fn minimal_apis_know_their_groups() {
    let source = r#"var app = WebApplication.Create(args);
app.MapGet("/", () => "hello");
var users = app.MapGroup("/users").RequireAuthorization();
users.MapPost("/", Users.Add);
users.MapDelete("/{id}", (int id) => Users.Remove(id));
app.MapGroup("/a").MapPut("b", Put);
app.Run();
"#;
    assert_snapshot!(said(source, &["root"]), @r#"
    root cli main line=1 by top-level statements
    root http_route / line=2 "GET" "/" by asp.net minimal api
    root http_route Add line=4 "POST" "/users" handler=Users.Add by asp.net minimal api
    root http_route /users/{id} line=5 "DELETE" "/users/{id}" by asp.net minimal api
    root http_route Put line=6 "PUT" "/a/b" handler=Put by asp.net minimal api
    "#);
}

#[test]
fn tests_workers_and_main() {
    let source = r#"class Tests { [Fact] public void One() { } [Theory] public void Two(int x) { } void Helper() { } }
class Nunit { [Test] public void Three() { } [TestCase(1)] public void Four(int x) { } }
class Program { static async Task Main(string[] args) { } }
class Worker : BackgroundService { protected override Task ExecuteAsync(CancellationToken t) => null; }
class Consumer : IConsumer<Order> { public Task Consume(ConsumeContext<Order> c) => null; }
"#;
    assert_snapshot!(said(source, &["root"]), @"
    root test One line=1 def=Tests.One by test attribute
    root test Two line=1 def=Tests.Two by test attribute
    root test Three line=2 def=Nunit.Three by test attribute
    root test Four line=2 def=Nunit.Four by test attribute
    root cli Main line=3 def=Program.Main by main method
    root worker ExecuteAsync line=4 def=Worker.ExecuteAsync by hosted service
    root event_handler Consume line=5 def=Consumer.Consume by masstransit consumer
    ");
}
