//! Entry points, and what only looks like one.

use crate::facts::check;
use atlas_syntax::Language;

#[test]
fn express_routes_and_no_other_gets() {
    check(
        Language::JavaScript,
        r#"const express = require('express');
const app = express();
const router = express.Router();
app.get('/users/:id', auth, controller.show);
app.get('setting');
router.post('/users', (req, res) => { save(); });
router.route('/items').get(list).put(validate, [a, update]);
app.use('/api', router);
const cache = new Map();
cache.get('/users', fallback);
axios.get('/users', options);
request(app).get('/users');
module.exports = (server) => { server.delete('/x', wrap(remove)); };
app.all('*', function notFound() {});
app.get(`/${prefix}/x`, h.bind(this));
"#,
        &["root"],
        r#"
root http_route show line=4 "GET" "/users/:id" handler=controller.show by express route call
root http_route POST /users line=6 "POST" "/users" def=POST /users by express route call
root http_route update line=7 "PUT" "/items" handler=update by express route call
root http_route list line=7 "GET" "/items" handler=list by express route call
root http_route remove line=13 "DELETE" "/x" handler=remove by express route call
root http_route notFound line=14 "ANY" "*" def=notFound by express route call
root http_route GET /${prefix}/x line=15 "GET" "/${prefix}/x" handler=h by express route call
"#,
    );
}

#[test]
fn koa_and_fastify_routes() {
    check(
        Language::TypeScript,
        r#"import Router from '@koa/router';
const router = new Router({ prefix: '/v1' });
router.get('/a', async (ctx) => {});
export { router };
"#,
        &["root"],
        r#"
root http_route GET /v1/a line=3 "GET" "/v1/a" def=GET /v1/a by koa router call
"#,
    );
}

#[test]
fn fastify_and_hapi_route_objects() {
    check(
        Language::TypeScript,
        r#"import fastify from 'fastify';
const app = fastify();
app.route({ method: 'POST', url: '/x', handler: async () => {} });
app.route({ method: 'GET', url: '/y', handler });
app.get('/z', { schema }, async function show() {});
"#,
        &["root"],
        r#"
root http_route handler line=3 "POST" "/x" def=handler by fastify route object
root http_route GET /y line=4 "GET" "/y" handler=handler by fastify route object
root http_route show line=5 "GET" "/z" def=show by fastify route call
"#,
    );
}

#[test]
fn nest_controllers() {
    check(
        Language::TypeScript,
        r#"@Controller('users')
export class UsersController {
  @Get(':id')
  show(@Param('id') id: string) {}
  @Post()
  @HttpCode(201)
  create() {}
  helper() {}
}
@Controller({ path: 'admin' })
class Admin { @All('*') any() {} }
class Tasks {
  @Cron('* * * * *') tick() {}
  @OnEvent('order.created') onOrder() {}
  @Get('/not-a-controller') none() {}
}
"#,
        &["root"],
        r#"
root http_route show line=3 "GET" "/users/:id" def=UsersController.show by controller method decorator
root http_route create line=5 "POST" "/users" def=UsersController.create by controller method decorator
root http_route any line=11 "ANY" "/admin/*" def=Admin.any by controller method decorator
root worker tick line=13 "* * * * *" def=Tasks.tick by worker method decorator
root event_handler onOrder line=14 "order.created" def=Tasks.onOrder by event method decorator
"#,
    );
}

#[test]
fn exported_verbs_are_handlers() {
    check(
        Language::TypeScript,
        r#"export async function GET(request: Request) {}
export const POST = async () => {};
function PUT() {}
"#,
        &["root"],
        r#"
root http_route GET line=1 "GET" def=GET by exported route handler
root http_route POST line=2 "POST" def=POST by exported route handler
"#,
    );
}

#[test]
fn events_workers_and_commands() {
    check(
        Language::JavaScript,
        r#"import { Worker } from 'bullmq';
import { program } from 'commander';
emitter.on('data', onData);
button.addEventListener('click', () => {});
process.once('exit', this.stop.bind(this));
list.on(index, onData);
new Worker('mail', async (job) => {});
new Worker('./thread.js');
program.command('build <dir>').description('x').action(build);
"#,
        &["root"],
        r#"
root event_handler onData line=3 "data" handler=onData by event listener
root event_handler click line=4 "click" by event listener
root event_handler exit line=5 "exit" by event listener
root worker mail line=7 "mail" def=mail by bullmq worker
root cli build line=9 "build <dir>" handler=build by command action
"#,
    );
}

#[test]
fn scheduled_jobs() {
    check(
        Language::JavaScript,
        r#"const cron = require('node-cron');
cron.schedule('* * * * *', tidy);
"#,
        &["root"],
        r#"
root worker tidy line=2 "* * * * *" handler=tidy by scheduled job
"#,
    );
}

#[test]
fn tests_of_runners() {
    check(
        Language::TypeScript,
        r"import { test } from 'node:test';
test('works', () => {});
describe('x', () => { it('is', function () {}); it('pending'); });
",
        &["root"],
        r"
root test works line=2 def=works by test call
root test is line=3 def=is by test call
",
    );
}

#[test]
fn a_function_called_test_is_no_runner() {
    check(
        Language::JavaScript,
        r"function test(name, run) {}
test('works', () => {});
",
        &["root"],
        r"

",
    );
}

#[test]
fn scripts_that_are_run() {
    check(
        Language::JavaScript,
        r"#!/usr/bin/env node
function main() {}
main();
",
        &["root"],
        r"
root cli main line=1 def=main by executable script
",
    );
}
