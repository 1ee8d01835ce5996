"""SQLAlchemy at its defaults, on its three drivers for SQL Server."""

import glob
import os

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


def run(driver, url):
    def do(name, fn):
        return call(f"{driver}: {name}", fn)

    engine = sa.create_engine(url)
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
