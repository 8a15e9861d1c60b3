//! Entry points of PHP files.

use super::said;
use insta::assert_snapshot;

#[test]
fn laravel_routes_have_verb_path_and_handler() {
    let source = r#"<?php
use App\Http\Controllers\UserController;
use Illuminate\Support\Facades\Route;

Route::get('/users', [UserController::class, 'index']);
Route::post('users', 'UserController@store');
Route::any('/ping', PingController::class);
Route::match(['get', 'post'], '/both', function () { return go(); });
Route::prefix('admin')->middleware('auth')->group(function () {
    Route::delete('/users/{user}', [UserController::class, 'destroy'])->name('x');
    Route::apiResource('photos', PhotoController::class);
});
Route::middleware('auth')->get('/me', fn () => me());
Other::get('/no', [UserController::class, 'index']);
"#;
    assert_snapshot!(said(source, &["root"]), @r#"
    root http_route index line=5 "GET" "/users" handler=\App\Http\Controllers\UserController.index by laravel route
    root http_route store line=6 "POST" "/users" handler=\App\Http\Controllers\UserController.store by laravel route
    root http_route __invoke line=7 "ANY" "/ping" handler=\PingController.__invoke by laravel route
    root http_route /both line=8 "GET" "/both" by laravel route
    root http_route /both line=8 "POST" "/both" by laravel route
    root http_route destroy line=10 "DELETE" "/admin/users/{user}" handler=\App\Http\Controllers\UserController.destroy by laravel route
    root http_route index line=11 "GET" "/admin/photos" handler=\PhotoController.index by laravel resource
    root http_route store line=11 "POST" "/admin/photos" handler=\PhotoController.store by laravel resource
    root http_route show line=11 "GET" "/admin/photos/{photo}" handler=\PhotoController.show by laravel resource
    root http_route update line=11 "PUT" "/admin/photos/{photo}" handler=\PhotoController.update by laravel resource
    root http_route destroy line=11 "DELETE" "/admin/photos/{photo}" handler=\PhotoController.destroy by laravel resource
    root http_route /me line=13 "GET" "/me" by laravel route
    "#);
}

#[test]
fn symfony_routes_join_the_prefix_of_their_class() {
    let source = r#"<?php
namespace App\Controller;

use Symfony\Component\Routing\Annotation\Route;

#[Route('/api', name: 'api_')]
class Api
{
    #[Route('/list', methods: ['GET', 'POST'])]
    public function list() {}

    #[Route(path: '/one/{id}', methods: 'GET')]
    public function one() {}

    /**
     * @Route("/old", methods={"PUT"})
     */
    public function old() {}
}
"#;
    assert_snapshot!(said(source, &["root"]), @r#"
    root http_route list line=10 "GET" "/api/list" def=Api.list by symfony route
    root http_route list line=10 "POST" "/api/list" def=Api.list by symfony route
    root http_route one line=13 "GET" "/api/one/{id}" def=Api.one by symfony route
    root http_route old line=18 "PUT" "/api/old" def=Api.old by symfony route
    "#);
}

#[test]
fn attributes_without_their_import_are_no_routes() {
    let source = "<?php\n#[Route('/a')]\nclass Api { #[Route('/b')] public function b() {} }\n";
    assert_eq!(said(source, &["root"]), "");
}

#[test]
fn commands_jobs_tests_and_scripts() {
    let source = r#"#!/usr/bin/env php
<?php
use Illuminate\Contracts\Queue\ShouldQueue;
use PHPUnit\Framework\TestCase;
use Symfony\Component\Console\Command\Command;

class Send extends \Illuminate\Console\Command { public function handle() {} public function other() {} }
class Import extends Command { protected function execute($in, $out) {} }
class Job implements ShouldQueue { public function handle() {} }
class SumTest extends TestCase
{
    public function testOne() {}
    /** @test */
    public function it_adds() {}
    #[Test]
    public function adds() {}
    public function helper() {}
}
class Tester { public function testNothing() {} }
"#;
    assert_snapshot!(said(source, &["root"]), @"
    root cli main line=1 by php script
    root cli handle line=7 def=Send.handle by laravel console command
    root cli execute line=8 def=Import.execute by symfony console command
    root worker handle line=9 def=Job.handle by laravel queued job
    root test testOne line=12 def=SumTest.testOne by phpunit test
    root test it_adds line=14 def=SumTest.it_adds by phpunit test
    root test adds line=16 def=SumTest.adds by phpunit test
    ");
}
