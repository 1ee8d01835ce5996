"""SQLAlchemy at its defaults, on its three drivers for SQL Server."""

import datetime
import decimal
import glob
import os
import uuid

import sqlalchemy as sa
from sqlalchemy import orm

from calls import call, same

e = os.environ
urls = {
    "pymssql": sa.URL.create("mssql+pymssql", e["USER"], e["PASSWORD"], e["HOST"], int(e["PORT"]), e["DATABASE"]),
    "pyodbc": sa.URL.create("mssql+pyodbc", query={"odbc_connect": (
        f"Driver={glob.glob('/usr/lib/*/odbc/libtdsodbc.so')[0]};Server={e['HOST']};Port={e['PORT']};Database={e['DATABASE']};"
        f"UID={e['USER']};PWD={e['PASSWORD']};TDS_Version=7.4;ClientCharset=UTF-8")}),
    "mssqlpython": sa.URL.create("mssql+mssqlpython", e["USER"], e["PASSWORD"], e["HOST"], int(e["PORT"]), e["DATABASE"],
                                 query={"TrustServerCertificate": "yes"}),
}


class Base(orm.DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "Customers"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    name: orm.Mapped[str] = orm.mapped_column(sa.Unicode(50), unique=True)
    orders: orm.Mapped[list["Order"]] = orm.relationship(back_populates="customer")


class Order(Base):
    __tablename__ = "Orders"
    id: orm.Mapped[int] = orm.mapped_column(primary_key=True)
    customer_id: orm.Mapped[int] = orm.mapped_column(sa.ForeignKey("Customers.id"))
    price: orm.Mapped[float] = orm.mapped_column(sa.Numeric(12, 2))
    customer: orm.Mapped[Customer] = orm.relationship(back_populates="orders")


def further(engine, inspect, do):
    """Reflection, types, statements, transactions."""
    do("has_table", lambda: same([True, False], [inspect.has_table("Customers"), inspect.has_table("Nothing")]))
    do("column types", lambda: same(["INTEGER False True", "NVARCHAR(50) False False"], [
        f"{str(c['type']).split(' COLLATE')[0]} {c['nullable']} {c['autoincrement']}" for c in inspect.get_columns("Customers")]))
    do("index columns", lambda: same([["name"]], [i["column_names"] for i in inspect.get_indexes("Customers")]))
    do("foreign key columns", lambda: same((["customer_id"], ["id"]), (
        (f := inspect.get_foreign_keys("Orders")[0])["constrained_columns"], f["referred_columns"])))
    do("schemas", lambda: same(True, {"dbo", "dbsched"} <= set(inspect.get_schema_names())))
    do("views", lambda: same(True, "TaskInfo" in inspect.get_view_names("dbsched")))
    do("view definition", lambda: same(True, "SELECT" in inspect.get_view_definition("TaskInfo", "dbsched").upper()))
    do("reflected table", lambda: same(["id", "customer_id", "price"], [c.name for c in sa.Table("Orders", sa.MetaData(), autoload_with=engine).columns]))
    do("reflected schema", lambda: (m := sa.MetaData(), m.reflect(engine), same(True, {"Orders", "Customers"} <= set(m.tables))))
    meta = sa.MetaData()
    t = sa.Table(
        "Types", meta, sa.Column("id", sa.BigInteger, sa.Identity(start=10), primary_key=True), sa.Column("i", sa.SmallInteger), sa.Column("n", sa.Numeric(20, 6)),
        sa.Column("f", sa.Float), sa.Column("b", sa.Boolean), sa.Column("d", sa.Date), sa.Column("dt", sa.DateTime), sa.Column("t", sa.Time),
        sa.Column("s", sa.String(20)), sa.Column("u", sa.Unicode(20)), sa.Column("x", sa.UnicodeText), sa.Column("l", sa.LargeBinary), sa.Column("g", sa.Uuid),
        sa.Column("e", sa.Enum("a", "b", name="kinds")), sa.Column("at", sa.DateTime, server_default=sa.func.sysutcdatetime()), sa.Column("y", sa.Interval),
        sa.Column("c", sa.Numeric(20, 6), sa.Computed("n * 2")), sa.CheckConstraint("i > 0", name="ck_types"), sa.UniqueConstraint("u", name="uq_types"))
    sa.Index("ix_types", t.c.s, t.c.d.desc(), unique=True, mssql_where=t.c.s.isnot(None), mssql_include=["f"])
    values = {"i": 7, "n": decimal.Decimal("12.500000"), "f": 0.1, "b": True, "d": datetime.date(2026, 1, 31), "dt": datetime.datetime(2026, 1, 31, 12, 0, 1, 120000),
              "t": datetime.time(23, 59, 59), "s": "abc", "u": "äΩ", "x": "ü" * 5000, "l": b"\xfe\xff", "g": uuid.UUID("6f9619ff-8b86-d011-b42d-00c04fc964ff"), "e": "a",
              "y": datetime.timedelta(days=1, seconds=5)}
    do("create a table of all types", lambda: meta.create_all(engine))

    def stores():
        with engine.begin() as db:
            same((10,), tuple(db.execute(t.insert().values(values)).inserted_primary_key))
        with engine.connect() as db:
            row = db.execute(sa.select(t)).mappings().one()
            same({**values, "c": decimal.Decimal(25)}, {k: row[k] for k in [*values, "c"]})

    do("types", stores)
    do("index with a filter", lambda: same(["s", "d"], [i for i in inspect.get_indexes("Types") if i["name"] == "ix_types"][0]["column_names"]))

    def query(statement):
        with engine.connect() as db:
            return [tuple(r) for r in db.execute(statement)]

    do("returning", lambda: (db := engine.connect(), same((8,), tuple(db.execute(t.insert().values(i=8, u="r", s="r").returning(t.c.i)).one())), db.rollback(), db.close()))
    do("update and delete returning", lambda: (
        db := engine.connect(), same((9,), tuple(db.execute(t.update().values(i=9).returning(t.c.i)).one())), same(1, len(db.execute(t.delete().returning(t.c.id)).all())),
        db.rollback(), db.close()))
    do("functions", lambda: same([("ABC", 3, "abc!", 7)], query(sa.select(sa.func.upper(t.c.s), sa.func.length(t.c.s), t.c.s + "!", sa.func.coalesce(t.c.i, 0)))))
    do("case, cast, extract", lambda: same([("big", "7", 2026)], query(sa.select(
        sa.case((t.c.i > 5, "big"), else_="small"), sa.cast(t.c.i, sa.String(10)), sa.extract("year", t.c.d)))))
    do("exists and subquery", lambda: same([(10,)], query(sa.select(t.c.id).where(sa.exists().where(t.c.i > 1), t.c.n == sa.select(sa.func.max(t.c.n)).scalar_subquery()))))
    do("CTE", lambda: same([(7,)], query(sa.select(sa.select(t.c.i).cte("a")))))
    do("window", lambda: same([(1,)], query(sa.select(sa.func.row_number().over(partition_by=t.c.b, order_by=t.c.id)))))
    do("union", lambda: same([(7,), (10,)], query(sa.union(sa.select(t.c.i), sa.select(t.c.id)).order_by("i"))))
    do("empty IN", lambda: same([], query(sa.select(t.c.id).where(t.c.i.in_([])))))
    do("limit and offset", lambda: same([], query(sa.select(t.c.id).order_by(t.c.id).limit(1).offset(1))))
    do("with_for_update", lambda: same(1, len(query(sa.select(t.c.id).with_for_update()))))
    do("sequence", lambda: (db := engine.connect(), db.execute(sa.schema.CreateSequence(sa.Sequence("numbers", start=5))), same(5, db.scalar(sa.Sequence("numbers"))), db.rollback(), db.close()))

    def nested():
        with engine.connect() as db, db.begin():
            with db.begin_nested() as inner:
                db.execute(t.delete())
                inner.rollback()
            same(1, len(db.execute(sa.select(t.c.id)).all()))

    do("savepoint", nested)

    def isolated():
        with engine.connect().execution_options(isolation_level="SERIALIZABLE") as db:
            same("SERIALIZABLE", db.get_isolation_level())

    do("isolation", isolated)

    def fails(kind, statement, **values):
        try:
            with engine.begin() as db:
                db.execute(statement, values)
        except kind:
            return
        raise AssertionError("no error")

    do("CHECK", lambda: fails(sa.exc.IntegrityError, t.insert().values(i=-1)))
    do("a missing table", lambda: fails(sa.exc.ProgrammingError, sa.text("SELECT * FROM Nothing")))
    do("drop a table", lambda: meta.drop_all(engine))


def run(driver, url):
    def do(name, fn):
        return call(f"{driver}: {name}", fn)

    engine = sa.create_engine(url, **({"use_setinputsizes": False} if driver == "pyodbc" else {}))  # which FreeTDS cannot take
    do("connect", lambda: engine.connect().close())
    do("version", lambda: same(16, engine.dialect.server_version_info[0]))
    do("create_all", lambda: Base.metadata.create_all(engine))
    do("create_all again", lambda: Base.metadata.create_all(engine))
    with orm.Session(engine) as session:
        do("add", lambda: (session.add(Customer(name="Käse", orders=[Order(price=12.5), Order(price=1)])), session.commit()))
        do("add many", lambda: (session.add_all([Customer(name=f"n{i}") for i in range(30)]), session.commit()))
        do("select", lambda: same(31, session.scalar(sa.select(sa.func.count()).select_from(Customer))))
        do("select by key", lambda: same("Käse", session.get(Customer, 1).name))
        do("join", lambda: same(2, len(session.execute(sa.select(Order).join(Customer).where(Customer.name == "Käse")).all())))
        do("lazy load", lambda: same(2, len(session.get(Customer, 1).orders)))
        do("paging", lambda: same(5, len(session.scalars(sa.select(Customer).order_by(Customer.id).offset(10).limit(5)).all())))
        do("update", lambda: (setattr(session.get(Customer, 2), "name", "other"), session.commit()))
        do("delete", lambda: (session.delete(session.get(Customer, 3)), session.commit()))
        do("in", lambda: same(2, len(session.scalars(sa.select(Customer).where(Customer.id.in_([1, 2]))).all())))

        def duplicate():
            session.add(Customer(name="other"))
            try:
                session.commit()
            except sa.exc.IntegrityError:
                session.rollback()
            else:
                raise AssertionError("no error")

        do("a duplicate", duplicate)
    inspect = sa.inspect(engine)
    do("tables", lambda: same(["Customers", "Orders"], sorted(t for t in inspect.get_table_names("dbo") if t in ("Customers", "Orders"))))
    do("columns", lambda: same(["id", "name"], [c["name"] for c in inspect.get_columns("Customers")]))
    do("primary key", lambda: same(["id"], inspect.get_pk_constraint("Customers")["constrained_columns"]))
    do("foreign keys", lambda: same("Customers", inspect.get_foreign_keys("Orders")[0]["referred_table"]))
    do("indexes", lambda: same(1, len(inspect.get_indexes("Customers"))))

    further(engine, inspect, do)
    auto = engine.execution_options(isolation_level="AUTOCOMMIT")
    enqueue = sa.text("DECLARE @t bigint; EXEC dbsched.ExecAsync @SQL = :sql, @ExecutionOrder = 100, @ProcessId = :process, "
                      "@TaskId = @t OUTPUT; SELECT @t").execution_options(autocommit=False)

    def rolled_back():
        with engine.connect() as db:
            task = db.execute(enqueue, {"sql": "SELECT 1", "process": None}).scalar()
            db.rollback()
            same(None, db.execute(sa.text("SELECT 1 FROM dbsched.TaskInfo WHERE TaskId = :t"), {"t": task}).scalar())

    def waits(sql, status):
        with engine.begin() as db:
            process = db.execute(sa.text("DECLARE @p int; EXEC dbsched.CreateProcess N'p', @p OUTPUT; SELECT @p")).scalar()
            task = db.execute(enqueue, {"sql": sql, "process": process}).scalar()
            db.execute(sa.text("EXEC dbsched.CloseProcess :p"), {"p": process})
        with auto.connect() as db:
            same(status, db.execute(sa.text("DECLARE @s varchar(10); EXEC dbsched.WaitProcess :p, 60, @s OUTPUT; SELECT @s"), {"p": process}).scalar())
            return db.execute(sa.text("SELECT Status, ErrorNumber FROM dbsched.TaskInfo WHERE TaskId = :t"), {"t": task}).one()

    do("product: enqueue and roll back", rolled_back)
    do("product: enqueue, commit and wait", lambda: same("Succeeded", waits("SELECT 1", "Succeeded")[0]))
    do("product: a failed task's error", lambda: same(8134, waits("SELECT 1 / 0", "Failed")[1]))
    do("drop_all", lambda: Base.metadata.drop_all(engine))
    engine.dispose()


for driver, url in urls.items():
    try:
        run(driver, url)
    except Exception as error:
        print(f"FAIL {driver}: {type(error).__name__}", " ".join(str(error).split()))
