# Enqueues a task. pip install mssql-python; pyodbc is used in the same way.
import os

import mssql_python

e = os.environ
db = mssql_python.connect(  # autocommit: otherwise a transaction begins with the first statement, and nothing runs before it commits
    f"Server={e['HOST']},{e['PORT']};Database={e['DATABASE']};UID={e['USER']};PWD={{{e['PASSWORD']}}};TrustServerCertificate=yes;", autocommit=True)
db.timeout = 30  # seconds
task = db.cursor().execute("""
    DECLARE @t bigint;
    EXEC dbsched.ExecAsync @SQL = ?, @ExecutionOrder = 100, @TaskId = @t OUTPUT;
    SELECT @t;""", ("EXEC dbo.LoadOrders",)).fetchone()[0]
print("task", task)

db.autocommit = False  # with your own work in one transaction: both or nothing
cursor = db.cursor()
cursor.execute("CREATE TABLE dbo.Orders (Id int)")
cursor.execute("EXEC dbsched.ExecAsync @SQL = ?, @ExecutionOrder = 200", ("SELECT COUNT(*) FROM dbo.Orders",))
db.commit()
