"""pymssql at its defaults."""

import os

import pymssql

from calls import call, same

server = dict(server=os.environ["HOST"], port=os.environ["PORT"], user=os.environ["USER"], password=os.environ["PASSWORD"])
db = call("connect", lambda: pymssql.connect(**server, database=os.environ["DATABASE"], autocommit=True))
