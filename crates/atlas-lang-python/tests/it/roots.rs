use crate::{facts, render};
use insta::assert_snapshot;

#[test]
fn routes_are_reached_behind_the_prefixes_of_their_routers() {
    let source = r#"
from flask import Flask, Blueprint
bp = Blueprint("votes", __name__, url_prefix="/votes/")
other = Blueprint("other", __name__, url_prefix="/gone")
@bp.route("/all")
def all_votes(): pass
@other.get("/x")
def x(): pass
def create_app():
    app = Flask(__name__)
    app.register_blueprint(bp)
    app.register_blueprint(other, url_prefix="/api")
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    5 http_route all_votes GET "/votes/all" is all_votes [flask route decorator]
    7 http_route x GET "/api/x" is x [flask route decorator]
    "#);
    let source = r#"
from fastapi import APIRouter, FastAPI
router = APIRouter(prefix="/items")
plain = APIRouter(prefix=PREFIX)
@router.get("")
def all_items(): pass
@router.delete("/{id}")
def remove(id: int): pass
@plain.get("/y")
def y(): pass
app = FastAPI()
app.include_router(router, prefix="/v1")
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    5 http_route all_items GET "/v1/items" is all_items [fastapi route decorator]
    7 http_route remove DELETE "/v1/items/{id}" is remove [fastapi route decorator]
    9 http_route y GET "/y" is y [fastapi route decorator]
    "#);
}

#[test]
fn flask_and_fastapi_routes() {
    let source = r#"
from flask import Flask, Blueprint
app = Flask(__name__)
@app.route("/votes/<int:id>", methods=["GET", "post"])
def vote(id): pass
@bp.route("/plain")
@login_required
def plain(): pass
@app.get("/short")
def short(): pass
@app.before_request
def before(): pass
@app.cli.command("seed")
def seed_data(): pass
app.add_url_rule("/view", view_func=VoteView.as_view("vote"))
api.add_resource(Votes, "/votes")
d.get("/x")
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    4 http_route vote GET "/votes/<int:id>" is vote [flask route decorator]
    4 http_route vote POST "/votes/<int:id>" is vote [flask route decorator]
    6 http_route plain GET "/plain" is plain [flask route decorator]
    9 http_route short GET "/short" is short [flask route decorator]
    11 event_handler before "before_request" is before [flask hook]
    13 cli seed is seed_data [flask cli command]
    15 http_route VoteView ANY "/view" by VoteView [flask url rule]
    16 http_route Votes ANY "/votes" by Votes [flask-restful resource]
    "#);
    let source = r#"
from fastapi import APIRouter
router = APIRouter()
@router.post("/items/{id}")
async def create(id: int): pass
@router.websocket("/ws")
async def ws(): pass
@router.api_route("/many", methods=["PUT"])
def many(): pass
@cache.get("key")
def not_a_route(): pass
@app.on_event("startup")
def start(): pass
app.add_api_route("/added", endpoint=many, methods=["GET"])
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    4 http_route create POST "/items/{id}" is create [fastapi route decorator]
    6 http_route ws WEBSOCKET "/ws" is ws [fastapi route decorator]
    8 http_route many PUT "/many" is many [fastapi route decorator]
    12 event_handler start "startup" is start [fastapi hook]
    14 http_route many GET "/added" by many [route table]
    "#);
    let source = r#"
from .base import router
@router.get("/x")
def a(): pass
@mock.patch("/x")
def b(): pass
@cache.get("/y")
def c(): pass
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"3 http_route a GET "/x" is a [route decorator]"#);
}

#[test]
fn django_routes_commands_and_signals() {
    let source = r#"
from django.urls import path, re_path, include
from django.dispatch import receiver
from . import views
urlpatterns = [
    path("votes/<int:pk>/", views.vote, name="vote"),
    re_path(r"^old/$", login_required(views.old)),
    path("class/", views.VoteView.as_view()),
    path("api/", include("api.urls")),
    path("admin/", admin.site.urls),
]
router.register(r"users", UserViewSet)
os.path("x", y)
@receiver(post_save, sender=Vote)
def saved(sender, **kw): pass
pre_delete.connect(views.gone, sender=Vote)
class Command(BaseCommand):
    def handle(self, *args, **options): pass
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    6 http_route vote ANY "votes/<int:pk>/" by views.vote [django url pattern]
    7 http_route old ANY "^old/$" by views.old [django url pattern]
    8 http_route VoteView ANY "class/" by views.VoteView [django url pattern]
    12 http_route UserViewSet ANY "users" by UserViewSet [rest framework router]
    14 event_handler saved "post_save" is saved [django signal receiver]
    16 event_handler gone "pre_delete" by views.gone [signal connect]
    18 cli handle is Command.handle [django management command]
    "#);
}

#[test]
fn workers_and_queues() {
    let source = r#"
from celery import shared_task
from proj.celery import app
from rq.decorators import job
@app.task(bind=True)
def one(self): pass
@shared_task
def two(): pass
@shared_task(name="three.named")
def three(): pass
@job("low")
def four(): pass
queue.enqueue(work.five, 1)
one.delay()
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    5 worker one is one [celery task]
    7 worker two is two [celery task]
    9 worker three is three [celery task]
    11 worker four "low" is four [rq job]
    13 worker five by work.five [rq enqueue]
    "#);
}

#[test]
fn command_lines() {
    let source = r#"
import argparse, click, sys
@click.group()
def cli(): pass
@cli.command("sync-all")
@click.option("--x")
def sync(): pass
def main():
    parser = argparse.ArgumentParser(prog="tool")
    sub.set_defaults(func=do_it)
    return 0
if __name__ == "__main__":
    setup()
    sys.exit(main())
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    3 cli cli is cli [click command]
    5 cli sync-all is sync [click command]
    9 cli tool is main [argparse parser]
    10 cli do_it by do_it [argparse handler]
    12 cli main by main [main guard]
    "#);
    let source = r#"
from setuptools import setup
setup(name="x", entry_points={"console_scripts": ["tool = pkg.cli:main", "two=pkg.two:run [extra]"], "other": ["a=b:c"]})
"#;
    assert_snapshot!(render::roots(&facts(source)), @r#"
    3 cli tool by pkg.cli:main [console script]
    3 cli two by pkg.two:run [console script]
    "#);
    assert_snapshot!(render::imports(&facts(source)), @r#"
    2 name setuptools : setup as setup in -
    3 name pkg.cli : main as pkg.cli:main in -
    3 name pkg.two : run as pkg.two:run in -
    "#);
}

#[test]
fn public_interface() {
    let source = "from .impl import run\n__all__ = ['run', 'go']\ndef go(): pass\ndef other(): pass\n";
    assert_snapshot!(render::roots(&facts(source)), @r#"
    2 public_api run by run [__all__]
    3 public_api go is go [__all__]
    "#);
}
