"""pyodbc at its defaults, on FreeTDS."""

import datetime
import glob
import os

import pyodbc

from _dbapi import dbapi, further, types
from _product import product
from calls import call, same


def connect(autocommit):
    e = os.environ
    return pyodbc.connect(f"Driver={glob.glob('/usr/lib/*/odbc/libtdsodbc.so')[0]};Server={e['HOST']};Port={e['PORT']};Database={e['DATABASE']};"
                          f"UID={e['USER']};PWD={{{e['PASSWORD']}}};TDS_Version=7.4;ClientCharset=UTF-8", autocommit=autocommit)


db = dbapi(connect, "?", pyodbc)
call("ODBC's call", lambda: (c := db.cursor(), c.execute("{CALL dbo.P (?, 0)}", 5), same(5, c.fetchone()[0])))
types(db, "?", [("D2", datetime.datetime(2026, 1, 31, 23, 59, 59, 123456)), ("VB", b"")])
further(connect, db, "?", pyodbc)
call("rows by name", lambda: (c := db.cursor(), same(1, c.execute("SELECT 1 AS a").fetchone().a), same(2, c.execute("SELECT 2").fetchval())))
call("counts between rows", lambda: (
    c := db.cursor(), c.execute("INSERT INTO dbo.Tx VALUES (1), (2); SELECT 7; DELETE FROM dbo.Tx WHERE a < 3"), same(2, c.rowcount), c.nextset(), same(7, c.fetchall()[0][0]),
    c.nextset(), same(2, c.rowcount)))
call("precision and scale", lambda: (c := db.cursor(), c.execute("SELECT D FROM dbo.Types"), same((38, 10, True), tuple(c.description[0][4:]))))
product(connect, "?")
