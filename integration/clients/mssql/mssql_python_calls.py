"""mssql-python at its defaults: Microsoft's ODBC driver comes with it."""

import os

import mssql_python

from _dbapi import dbapi
from _product import product
from calls import call, same


def connect(autocommit):
    e = os.environ
    return mssql_python.connect(f"Server={e['HOST']},{e['PORT']};Database={e['DATABASE']};UID={e['USER']};PWD={{{e['PASSWORD']}}};"
                                "TrustServerCertificate=yes;", autocommit=autocommit)


db = dbapi(connect, "?", mssql_python)
call("tables", lambda: (c := db.cursor(), same("T", list(c.tables(table="T", schema="dbo"))[0].table_name)))
call("columns", lambda: (c := db.cursor(), same(6, len(list(c.columns(table="T", schema="dbo"))))))
call("primary keys", lambda: (c := db.cursor(), same("Id", list(c.primaryKeys(table="T", schema="dbo"))[0].column_name)))
call("procedures", lambda: (c := db.cursor(), same(1, len(list(c.procedures(procedure="P", schema="dbo"))))))
product(connect, "?")
