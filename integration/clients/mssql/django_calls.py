"""Django at its defaults, by mssql-django on pyodbc and FreeTDS: its own migrations, models, schema changes."""

import datetime
import decimal
import os
import uuid

import django
from django.conf import settings
from django.core.management import call_command
from django.db import IntegrityError, connection, models, transaction

from calls import call, same

e = os.environ
settings.configure(
    DATABASES={"default": {
        "ENGINE": "mssql", "NAME": e["DATABASE"], "USER": e["USER"], "PASSWORD": e["PASSWORD"], "HOST": e["HOST"], "PORT": e["PORT"],
        "OPTIONS": {"driver": "FreeTDS", "host_is_server": True, "extra_params": "TDS_Version=7.4;ClientCharset=UTF-8"}}},
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions"],
    USE_TZ=True, DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", SECRET_KEY="x")
django.setup()

from django.contrib.auth.models import Group, Permission, User  # noqa: E402 it needs the settings
from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, Value, When  # noqa: E402
from django.db.models.functions import Cast, Coalesce, Concat, Length, Lower, Now, TruncDate  # noqa: E402

null = open(os.devnull, "w")
call("connect", connection.ensure_connection)
call("version", lambda: same(2022, connection.sql_server_version))
call("migrate", lambda: call_command("migrate", verbosity=0))
call("migrate again", lambda: call_command("migrate", verbosity=0))
call("showmigrations", lambda: call_command("showmigrations", stdout=null))
call("create", lambda: User.objects.create_user("ann", "a@x", "pw"))
call("get", lambda: same("ann", User.objects.get(username="ann").username))
call("get_or_create", lambda: same(False, User.objects.get_or_create(username="ann")[1]))
call("update_or_create", lambda: User.objects.update_or_create(username="bob", defaults={"email": "b@x"}))
call("bulk_create", lambda: Group.objects.bulk_create([Group(name=f"g{i}") for i in range(50)]))
call("startswith", lambda: same(1, User.objects.filter(username__startswith="a").count()))
call("icontains", lambda: same(1, User.objects.filter(username__icontains="NN").count()))
call("exclude", lambda: same(1, User.objects.exclude(username="ann").count()))
names = Group.objects.order_by("id").values_list("name", flat=True)
call("slice", lambda: same(["g0", "g1"], list(names[:2])))
call("slice from a place", lambda: same(["g2", "g3"], list(names[2:4])))
call("slice without order", lambda: same(2, len(Group.objects.all()[2:4])))
call("first and last", lambda: same(("g0", "g49"), (names.first(), names.last())))
call("exists", lambda: same(True, User.objects.filter(username="ann").exists()))
call("aggregate", lambda: same(50, Group.objects.aggregate(n=Count("id"))["n"]))
call("annotate", lambda: same(0, User.objects.annotate(n=Count("groups")).get(username="ann").n))
call("many to many", lambda: User.objects.get(username="ann").groups.add(*Group.objects.order_by("id")[:3]))
call("many to many: count", lambda: same(3, User.objects.get(username="ann").groups.count()))
call("join", lambda: same(1, User.objects.filter(groups__name="g1").count()))
call("select_related", lambda: same(True, len(Permission.objects.select_related("content_type").all()) > 10))
call("prefetch_related", lambda: same(3, sum(len(u.groups.all()) for u in User.objects.prefetch_related("groups"))))
call("F", lambda: same(1, Group.objects.filter(name="g1").update(name=Concat(F("name"), Value("x")))))
call("subquery", lambda: same(1, User.objects.filter(Exists(User.groups.through.objects.filter(user=OuterRef("pk")))).count()))
call("case", lambda: same([1, 0], list(User.objects.annotate(k=Case(When(username="ann", then=Value(1)), default=Value(0))).order_by("id").values_list("k", flat=True))))
call("distinct", lambda: same(2, User.objects.values("username").distinct().count()))
call("union", lambda: same(52, len(User.objects.values_list("username").union(Group.objects.values_list("name")))))
call("delete", lambda: same(1, Group.objects.filter(name="g49").delete()[0]))
call("delete with what refers to it", lambda: User.objects.filter(username="ann").delete())
call("select_for_update", transaction.atomic(lambda: same(1, len(User.objects.select_for_update().filter(username="bob")))))


def duplicate():
    try:
        with transaction.atomic():
            User.objects.create(username="bob")
    except IntegrityError:
        return
    raise AssertionError("no error")


def nested():
    with transaction.atomic():
        Group.objects.create(name="outer")
        try:
            with transaction.atomic():
                Group.objects.create(name="inner")
                raise ValueError
        except ValueError:
            pass
    same((1, 0), (Group.objects.filter(name="outer").count(), Group.objects.filter(name="inner").count()))


call("a duplicate", duplicate)
call("savepoints", nested)


class Item(models.Model):
    name = models.CharField(max_length=50, unique=True)
    text = models.TextField(null=True)
    price = models.DecimalField(max_digits=12, decimal_places=4, null=True)
    at = models.DateTimeField(auto_now_add=True)
    day = models.DateField(null=True)
    clock = models.TimeField(null=True)
    took = models.DurationField(null=True)
    data = models.BinaryField(null=True)
    key = models.UUIDField(default=uuid.uuid4)
    js = models.JSONField(null=True)
    flag = models.BooleanField(default=True)
    big = models.BigIntegerField(null=True)
    f = models.FloatField(null=True)
    owner = models.ForeignKey(User, null=True, on_delete=models.SET_NULL)

    class Meta:
        app_label = "auth"
        indexes = [models.Index(fields=["name", "-price"], name="ix_item")]
        constraints = [models.CheckConstraint(condition=Q(price__gte=0), name="ck_price"), models.UniqueConstraint(fields=["name", "big"], name="uq_nb")]


def schema(change):
    with connection.schema_editor() as editor:
        change(editor)


def back():
    i = Item.objects.get(name="a")
    same(("ü" * 5000, decimal.Decimal("12.5"), datetime.date(2026, 1, 31), datetime.time(23, 59, 59), datetime.timedelta(seconds=5), b"\x00\x01", {"a": [1, 2]}, 2**62, 0.1, True),
         (i.text, i.price, i.day, i.clock, i.took, bytes(i.data), i.js, i.big, i.f, i.flag))


def field(kind, **options):
    f = kind(**options)
    f.set_attributes_from_name("added")
    f.model = Item
    return f


def introspection():
    with connection.cursor() as c:
        look = connection.introspection
        same(True, "auth_item" in look.table_names())
        same("name", look.get_table_description(c, "auth_item")[1].name)
        same({"owner_id": ("id", "auth_user")}, look.get_relations(c, "auth_item"))
        same("id", look.get_primary_key_column(c, "auth_item"))
        same(True, look.get_constraints(c, "auth_item")["ix_item"]["index"])


call("create_model", lambda: schema(lambda s: s.create_model(Item)))
call("all types", lambda: Item.objects.create(
    name="a", text="ü" * 5000, price=decimal.Decimal("12.5"), day=datetime.date(2026, 1, 31), clock=datetime.time(23, 59, 59), took=datetime.timedelta(seconds=5),
    data=b"\x00\x01", js={"a": [1, 2]}, big=2**62, f=0.1, owner=User.objects.first()))
call("all types back", back)
call("parts of dates", lambda: same(1, Item.objects.filter(day__year=2026, day__month=1).count()))
call("TruncDate", lambda: same(1, len(Item.objects.annotate(d=TruncDate("at")).values_list("d", flat=True))))
call("functions", lambda: same([("a", 1, str(2**62))], list(Item.objects.annotate(
    l=Lower("name"), n=Length("name"), c=Coalesce("text", Value("x")), w=Now(), s=Cast("big", CharField(max_length=30))).values_list("l", "n", "s"))))
call("bulk_update", lambda: same(1, Item.objects.bulk_update([Item.objects.get(name="a")], ["price"])))
call("JSON", lambda: same(1, Item.objects.filter(js__a__0=1).count()))
call("iterator", lambda: same(1, len(list(Item.objects.iterator()))))
call("raw", lambda: same("a", Item.objects.raw("SELECT * FROM auth_item WHERE name = %s", ["a"])[0].name))
number, text = field(models.IntegerField, default=5), field(models.CharField, max_length=100, null=True)
call("add_field", lambda: schema(lambda s: s.add_field(Item, number)))
call("alter_field", lambda: schema(lambda s: s.alter_field(Item, number, text)))
call("remove_field", lambda: schema(lambda s: s.remove_field(Item, text)))
call("rename table", lambda: schema(lambda s: s.alter_db_table(Item, "auth_item", "auth_item2")))
call("introspection", introspection)
call("inspectdb", lambda: call_command("inspectdb", "auth_item", stdout=null))
call("delete_model", lambda: schema(lambda s: s.delete_model(Item)))
enqueue = "DECLARE @t bigint; EXEC dbsched.ExecAsync @SQL = %s, @ExecutionOrder = 100, @TaskId = @t OUTPUT; SELECT @t"


def rolled_back():
    with connection.cursor() as c:
        with transaction.atomic():
            c.execute(enqueue, ["SELECT 1"])
            task = c.fetchone()[0]
            transaction.set_rollback(True)
        c.execute("SELECT COUNT(*) FROM dbsched.TaskInfo WHERE TaskId = %s", [task])
        same(0, c.fetchone()[0])


call("product: enqueue and roll back", rolled_back)
