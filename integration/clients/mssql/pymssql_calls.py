"""pymssql at its defaults."""

import os

import pymssql

from _dbapi import dbapi, further, types
from _product import product
from calls import call, same


def connect(autocommit, **more):
    return pymssql.connect(server=os.environ["HOST"], port=os.environ["PORT"], user=os.environ["USER"], password=os.environ["PASSWORD"],
                           database=os.environ["DATABASE"], autocommit=autocommit, **more)


db = dbapi(connect, "%s", pymssql)


def callproc():
    c = db.cursor()
    c.execute("CREATE PROCEDURE dbo.NoRows @a int, @b int OUTPUT AS SET @b = @a + 1")
    same((5, 6), tuple(c.callproc("dbo.NoRows", (5, pymssql.output(int))))[:2])


call("callproc", callproc)
call("rows as dictionaries", lambda: (c := db.cursor(as_dict=True), c.execute("SELECT 1 AS a"), same([{"a": 1}], c.fetchall())))
call("bulk copy", lambda: (db.cursor().execute("CREATE TABLE dbo.B (Id int, Name nvarchar(9), Price decimal(12, 4))"),
                           db.bulk_copy("dbo.B", [(1, "b1", 1), (2, "b2", 2)])))
types(db, "%s", [])
further(connect, db, "%s", pymssql)
call("named parameters", lambda: (c := db.cursor(), c.execute("SELECT %(a)s + %(b)s", {"a": 1, "b": 2}), same(3, c.fetchone()[0])))
call("IN", lambda: (c := db.cursor(), c.execute("SELECT COUNT(*) FROM (VALUES (1), (2), (3)) t (v) WHERE v IN %s", ((1, 2),)), same(2, c.fetchone()[0])))


def slow():
    try:
        connect(True, timeout=1).cursor().execute("WAITFOR DELAY '00:00:20'")
    except pymssql.Error as e:
        assert "timed out" in str(e), e
    else:
        raise AssertionError("no error")


call("a time-out", slow)
product(connect, "%s")
