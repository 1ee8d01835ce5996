// Enqueues a task. npm install mssql
const mssql = require('mssql');
const { HOST, PORT, USER, PASSWORD, DATABASE } = process.env;

(async () => {
  const pool = await mssql.connect({
    server: HOST, port: Number(PORT), user: USER, password: PASSWORD, database: DATABASE, requestTimeout: 30000, options: { trustServerCertificate: true },
  });
  const enqueue = (request, sql, order) => request.input('SQL', mssql.NVarChar(mssql.MAX), sql).input('ExecutionOrder', mssql.Int, order)
    .output('TaskId', mssql.BigInt).execute('dbsched.ExecAsync');
  console.log('task', (await enqueue(pool.request(), 'EXEC dbo.LoadOrders', 100)).output.TaskId);

  const transaction = pool.transaction(); // with your own work in one transaction: both or nothing
  await transaction.begin();
  await transaction.request().query('CREATE TABLE dbo.Orders (Id int)');
  await enqueue(transaction.request(), 'SELECT COUNT(*) FROM dbo.Orders', 200);
  await transaction.commit();
  await pool.close();
})();
