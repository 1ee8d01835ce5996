"""mssql-python at its defaults: Microsoft's ODBC driver comes with it."""

import datetime
import os

import mssql_python

from _dbapi import dbapi, further, types
from _product import product
from calls import call, same


def connect(autocommit):
    e = os.environ
    return mssql_python.connect(f"Server={e['HOST']},{e['PORT']};Database={e['DATABASE']};UID={e['USER']};PWD={{{e['PASSWORD']}}};"
                                "TrustServerCertificate=yes;", autocommit=autocommit)


db = dbapi(connect, "?", mssql_python)
types(db, "?", [("D2", datetime.datetime(2026, 1, 31, 23, 59, 59, 123456)), ("VB", b"")])
further(connect, db, "?", mssql_python)
c = db.cursor()
call("fetchval", lambda: same(2, c.execute("SELECT 2").fetchval()))
call("scroll and skip", lambda: (c.execute("SELECT v FROM (VALUES (1), (2), (3)) t (v) ORDER BY v"), c.skip(1), same(2, c.fetchone()[0])))
call("messages", lambda: (c.execute("PRINT 'hello'"), same(True, "hello" in str(c.messages))))
at = datetime.datetime(2026, 1, 31, 23, 59, 59, 123456, datetime.timezone(datetime.timedelta(hours=-5, minutes=-30)))
call("datetimeoffset", lambda: same(at, c.execute("SELECT CAST(? AS datetimeoffset(7))", (at,)).fetchval()))


def slow():
    quick = connect(True)
    quick.timeout = 1
    try:
        quick.cursor().execute("WAITFOR DELAY '00:00:20'")
    except mssql_python.Error as e:
        assert "time" in str(e).lower(), e
    else:
        raise AssertionError("no error")


call("a time-out", slow)
call("bulk copy", lambda: (c.execute("CREATE TABLE dbo.Copied (a int, b nvarchar(9), d decimal(9, 2))"), c.bulkcopy("dbo.Copied", [(1, "x", 1), (2, None, None)]),
                           same([(1, "x"), (2, None)], [tuple(r) for r in c.execute("SELECT a, b FROM dbo.Copied ORDER BY a").fetchall()])))
product(connect, "?")
