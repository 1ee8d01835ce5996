"""SQLAlchemy at its defaults, on python-oracledb."""

import datetime
import decimal
import enum
import os
import uuid

import sqlalchemy as sa
from sqlalchemy import orm

from calls import call, same

e = os.environ


class Base(orm.DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "customers"
    id: orm.Mapped[int] = orm.mapped_column(sa.Identity(), primary_key=True)
    name: orm.Mapped[str] = orm.mapped_column(sa.String(50), unique=True)
    note: orm.Mapped[str | None] = orm.mapped_column(sa.Text)
    made = orm.mapped_column(sa.DateTime, server_default=sa.func.current_timestamp())


class Order(Base):
    __tablename__ = "customer_orders"
    id: orm.Mapped[int] = orm.mapped_column(sa.Identity(), primary_key=True)
    customer_id: orm.Mapped[int] = orm.mapped_column(sa.ForeignKey("customers.id", ondelete="CASCADE"))
    follows: orm.Mapped[int | None] = orm.mapped_column(sa.ForeignKey("customer_orders.id"))
    customer: orm.Mapped[Customer] = orm.relationship()


engine = sa.create_engine(sa.URL.create("oracle+oracledb", e["USER"], e["PASSWORD"], e["HOST"], int(e["PORT"]), query={"service_name": e["DATABASE"]}))
call("connect", lambda: engine.connect().close())
call("version", lambda: same(19, engine.dialect.server_version_info[0]))
call("create_all", lambda: Base.metadata.create_all(engine))
call("create_all again", lambda: Base.metadata.create_all(engine))
with orm.Session(engine) as session:
    call("add", lambda: (session.add(Customer(name="Käse")), session.commit()))
    session.rollback()
    call("add many", lambda: (session.add_all([Customer(name=f"n{i}") for i in range(30)]), session.commit()))
    session.rollback()
    call("count", lambda: same(31, session.scalar(sa.select(sa.func.count()).select_from(Customer))))
    call("select by key", lambda: same("Käse", session.get(Customer, 1).name))
    call("a long text", lambda: (setattr(session.get(Customer, 2), "note", "x" * 50_000), session.commit()))
    session.rollback()
    call("a long text back", lambda: same(50_000, len(session.get(Customer, 2).note)))
    call("update", lambda: (setattr(session.get(Customer, 2), "name", "other"), session.commit()))
    call("delete", lambda: (session.delete(session.get(Customer, 3)), session.commit()))
    call("paging", lambda: same(5, len(session.scalars(sa.select(Customer).order_by(Customer.id).offset(10).limit(5)).all())))
    call("in", lambda: same(2, len(session.scalars(sa.select(Customer).where(Customer.id.in_([1, 2]))).all())))
    call("rollback", session.rollback)
    call("add a child", lambda: (session.add(Order(customer=session.get(Customer, 1))), session.commit()))
    session.rollback()
    call("join", lambda: same("Käse", session.scalars(sa.select(Customer.name).join(Order, Order.customer_id == Customer.id)).one()))
    call("delete a parent", lambda: (session.execute(sa.delete(Customer).where(Customer.id == 1)), session.commit()))
    session.rollback()
    call("its children", lambda: same(0, session.scalar(sa.select(sa.func.count()).select_from(Order))))


def orphan():
    try:
        with engine.begin() as db:
            db.execute(sa.insert(Order).values(customer_id=-1))
    except sa.exc.IntegrityError as error:
        return same(True, "ORA-02291" in str(error))
    raise AssertionError("a child without a parent")


def enqueue():
    with engine.begin() as db:
        db.execute(sa.text("BEGIN dbsched.exec_async(in_sql => :s, in_execution_order => 100); END;"), {"s": "begin null; end;"})


inspector = sa.inspect(engine)
call("table names", lambda: same(True, "customers" in inspector.get_table_names()))
call("has_table", lambda: same(True, inspector.has_table("customers")))
call("columns", lambda: same(4, len(inspector.get_columns("customers"))))
call("primary key", lambda: same(["id"], inspector.get_pk_constraint("customers")["constrained_columns"]))
call("indexes", lambda: inspector.get_indexes("customers"))
call("foreign keys", lambda: same(["customers", "customer_orders"], sorted((k["referred_table"] for k in inspector.get_foreign_keys("customer_orders")), reverse=True)))
call("on delete", lambda: same(["CASCADE"], [k["options"]["ondelete"] for k in inspector.get_foreign_keys("customer_orders") if k["options"]]))
call("a child without a parent", orphan)


metadata = sa.MetaData()


class Color(enum.Enum):
    RED = 1
    BLUE = 2


things = sa.Table(
    "things", metadata, sa.Column("id", sa.Integer, sa.Identity(start=5), primary_key=True), sa.Column("name", sa.String(50), nullable=False, comment="a name"),
    sa.Column("uni", sa.Unicode(50)), sa.Column("num", sa.Numeric(10, 2)), sa.Column("flt", sa.Float), sa.Column("big", sa.BigInteger), sa.Column("flag", sa.Boolean),
    sa.Column("day", sa.Date), sa.Column("at", sa.DateTime), sa.Column("ts", sa.TIMESTAMP), sa.Column("span", sa.Interval), sa.Column("data", sa.LargeBinary),
    sa.Column("color", sa.Enum(Color)), sa.Column("uid", sa.Uuid), sa.Column("js", sa.String(10), server_default="x"), sa.CheckConstraint("num > 0", name="things_num"),
    sa.UniqueConstraint("name", name="things_name"), sa.Index("things_ix", "num", "day"), comment="a table")
numbers = sa.Sequence("numbers", start=3, metadata=metadata)
pairs = sa.Table("pairs", metadata, sa.Column("a", sa.Integer, primary_key=True, autoincrement=False), sa.Column("b", sa.String(10), primary_key=True), sa.Column("c", sa.Integer, numbers))
row = {"name": "ä", "uni": "€", "num": decimal.Decimal("12.34"), "flt": 0.5, "big": 2**60, "flag": True, "day": datetime.date(2026, 1, 2), "at": datetime.datetime(2026, 1, 2, 3, 4, 5),
       "ts": datetime.datetime(2026, 1, 2, 3, 4, 5, 678900), "span": datetime.timedelta(days=1, seconds=5), "data": b"\0\1" * 100, "color": Color.BLUE, "uid": uuid.UUID(int=5)}


def types():
    with engine.begin() as db:
        same((5,), tuple(db.execute(things.insert().values(**row)).inserted_primary_key))
        got = db.execute(sa.select(things)).mappings().one()
        same(row, {name: got[name] for name in row})
        same("x", got["js"])


def many():
    with engine.begin() as db:
        same(3, len(db.execute(things.insert().returning(things.c.id), [{"name": f"m{i}"} for i in range(3)]).all()))
        db.execute(things.insert(), [{"name": f"k{i}"} for i in range(200)])
        same(203, db.execute(things.update().where(things.c.id > 5).values(num=1)).rowcount)
        same([("m0",)], db.execute(things.update().where(things.c.name == "m0").values(num=7).returning(things.c.name)).all())


def queries():
    with engine.connect() as db:
        t, other = things, things.alias()
        ids = sa.select(t.c.id)
        same(3, len(db.execute(ids.where(t.c.name.ilike("M%"))).all()))
        same([(6,), (7,)], db.execute(ids.order_by(t.c.id).limit(2).offset(1)).all())
        db.execute(sa.select(t.c.num, sa.func.count()).group_by(t.c.num).having(sa.func.count() > 1)).all()
        same(("small", 1, "6", 1), tuple(db.execute(sa.select(
            sa.case((t.c.num > 10, "big"), else_="small"), sa.func.coalesce(t.c.num, 0) * 0 + 1, sa.cast(t.c.id, sa.String(10)), sa.func.row_number().over(order_by=t.c.id)
        ).where(t.c.id == 6)).one()))
        same(2026, db.scalar(sa.select(sa.extract("year", t.c.at)).where(t.c.id == 5)))
        same(204, len(db.execute(sa.select(t.c.id, other.c.id).join_from(t, other, t.c.id == other.c.id, isouter=True)).all()))
        same(204, len(db.execute(sa.union_all(ids, sa.select(pairs.c.a))).all()))
        q = ids.cte("q")
        same(204, db.scalar(sa.select(sa.func.count()).select_from(q)))
        for lock in [{}, {"nowait": True}, {"skip_locked": True}]:
            same([(5,)], db.execute(ids.where(t.c.id == 5).with_for_update(**lock)).all())
        same([5], [x.id for x in db.execution_options(yield_per=10).execute(ids.where(t.c.id == 5))])


def sequence():
    with engine.begin() as db:
        db.execute(pairs.insert(), [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}])
        same([(1, 3), (2, 4)], db.execute(sa.select(pairs.c.a, pairs.c.c).order_by(pairs.c.a)).all())
        same([(1,)], db.execute(sa.select(pairs.c.a).where(sa.tuple_(pairs.c.a, pairs.c.b).in_([(1, "x")]))).all())
        same(5, db.scalar(numbers))


def reflection():
    i = sa.inspect(engine)
    columns = {c["name"]: c for c in i.get_columns("things")}
    same((15, 5, False, "a name", "'x'"), (len(columns), columns["id"]["identity"]["start"], columns["name"]["nullable"], columns["name"]["comment"], columns["js"]["default"]))
    same(("a table", ["id"]), (i.get_table_comment("things")["text"], i.get_pk_constraint("things")["constrained_columns"]))
    same([("things_num", "num > 0")], [(x["name"], x["sqltext"]) for x in i.get_check_constraints("things")])
    same([("things_name", ["name"])], [(x["name"], x["column_names"]) for x in i.get_unique_constraints("things")])
    same([("things_ix", ["num", "day"], False), ("things_name", ["name"], True)], [(x["name"], x["column_names"], x["unique"]) for x in i.get_indexes("things")])
    same(([], True), (i.get_materialized_view_names(), "numbers" in i.get_sequence_names()))
    same(15, len(sa.Table("things", sa.MetaData(), autoload_with=engine).c))
    reflected = sa.MetaData()
    reflected.reflect(engine)
    same(True, {"things", "pairs", "customers"} <= set(reflected.tables))


def views():
    with engine.begin() as db:
        db.execute(sa.text("CREATE VIEW some_things AS SELECT id, name FROM things"))
    i = sa.inspect(engine)
    same((True, 2), ("SELECT id, name FROM things" in i.get_view_definition("some_things"), len(i.get_columns("some_things"))))
    with engine.begin() as db:
        db.execute(sa.text("DROP VIEW some_things"))


def nested():
    with engine.connect() as db, db.begin() as transaction:
        db.execute(things.insert().values(name="sp"))
        savepoint = db.begin_nested()
        db.execute(things.insert().values(name="sp2"))
        savepoint.rollback()
        same(1, db.scalar(sa.select(sa.func.count()).where(things.c.name.like("sp%"))))
        transaction.rollback()


def isolation():
    with sa.create_engine(engine.url, isolation_level="SERIALIZABLE").connect() as db:
        same(1, db.scalar(sa.text("SELECT 1 FROM dual")))
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as db:
        db.execute(things.insert().values(name="auto"))
    with engine.connect() as db:
        same((1, "READ COMMITTED"), (db.scalar(sa.select(sa.func.count()).where(things.c.name == "auto")), db.default_isolation_level))


def duplicate():
    try:
        with engine.begin() as db:
            db.execute(things.insert().values(name="ä"))
    except sa.exc.IntegrityError as x:
        same(1, x.orig.args[0].code)
    else:
        raise AssertionError("no error")


call("create_all with all types", lambda: metadata.create_all(engine))
call("types", types)
call("insert and update of many", many)
call("queries", queries)
call("a sequence as default, tuples", sequence)
call("reflection", reflection)
call("reflection of a view", views)
call("a nested transaction", nested)
call("isolation levels", isolation)
call("the isolation level of a transaction", lambda: same("READ COMMITTED", engine.connect().get_isolation_level()))
call("an IntegrityError", duplicate)
call("a pool that pings", lambda: sa.create_engine(engine.url, pool_size=2, pool_pre_ping=True).connect().close())
call("product: enqueue", enqueue)
call("drop_all", lambda: (Base.metadata.drop_all(engine), metadata.drop_all(engine)))
