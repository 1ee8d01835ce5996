// Enqueues a task. npm install oracledb
const oracledb = require('oracledb');
const { HOST, PORT, USER, PASSWORD, DATABASE } = process.env;

(async () => {
  const db = await oracledb.getConnection({ user: USER, password: PASSWORD, connectString: `${HOST}:${PORT}/${DATABASE}` });
  db.callTimeout = 30_000; // milliseconds
  const enqueue = async (sql, n) => (await db.execute(
    'BEGIN dbsched.exec_async(in_sql => :sql, in_execution_order => :n, out_task_id => :task); END;',
    { sql, n, task: { dir: oracledb.BIND_OUT, type: oracledb.NUMBER } })).outBinds.task;
  console.log('task', await enqueue('begin load_orders; end;', 100));
  await db.commit(); // nothing runs before

  await db.execute('INSERT INTO orders (id) VALUES (2)'); // with your own work in one transaction: both or nothing
  await enqueue('begin bill_orders; end;', 200);
  await db.commit();
  await db.close();
})();
