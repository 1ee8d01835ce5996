# Enqueues a task. pip install oracledb
import os

import oracledb

e = os.environ
db = oracledb.connect(user=e["USER"], password=e["PASSWORD"], dsn=f"{e['HOST']}:{e['PORT']}/{e['DATABASE']}")
db.call_timeout = 30_000  # milliseconds
cursor = db.cursor()
task = cursor.var(int)
enqueue = "BEGIN dbsched.exec_async(in_sql => :sql, in_execution_order => :n, out_task_id => :task); END;"
cursor.execute(enqueue, sql="begin load_orders; end;", n=100, task=task)
db.commit()  # a transaction began with the first statement, and nothing runs before it commits
print("task", task.getvalue())

cursor.execute("INSERT INTO orders (id) VALUES (1)")  # with your own work in one transaction: both or nothing
cursor.execute(enqueue, sql="begin bill_orders; end;", n=200, task=task)
db.commit()
