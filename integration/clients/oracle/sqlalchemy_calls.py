"""SQLAlchemy at its defaults, on python-oracledb."""

import os

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
call("product: enqueue", enqueue)
call("drop_all", lambda: Base.metadata.drop_all(engine))
