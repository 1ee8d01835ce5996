// The package mssql at its defaults: a pool of tedious.
'use strict';

const mssql = require('mssql');
const { call, same } = require('../calls');
const { HOST, PORT, USER, PASSWORD, DATABASE } = process.env;

async function fails(run, text) {
  try {
    await run();
  } catch (e) {
    if (!e.message.includes(text)) throw e;
    return;
  }
  throw new Error('no error');
}

async function main() {
  const pool = await call('connect', () => mssql.connect({ server: HOST, port: Number(PORT), user: USER, password: PASSWORD, database: DATABASE, options: { trustServerCertificate: true } }));
  await call('create table', () => pool.query`CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, Name nvarchar(50), Price decimal(12, 4))`);
  await call('insert', async () => same([1], (await pool.query`INSERT INTO dbo.T (Name, Price) VALUES (${'Käse'}, ${12.5})`).rowsAffected));
  await call('select', async () => same([{ Name: 'Käse', Price: 12.5 }], (await pool.query`SELECT Name, Price FROM dbo.T WHERE Name = ${'Käse'}`).recordset));
  await call('two results', async () => same(2, (await pool.query('SELECT 1 AS a; SELECT 2 AS b')).recordsets.length));
  await call('a missing table', () => fails(() => pool.query('SELECT * FROM dbo.Nothing'), 'Invalid object name'));
  await call('a SELECT that fails', () => fails(() => pool.query('SELECT 1 / 0 AS a'), 'Divide by zero'));
  await call('a procedure', () => pool.query('CREATE PROCEDURE dbo.P @a int, @b int OUTPUT AS BEGIN SET @b = @a + 1; RETURN 3; END'));
  await call('call it', async () => {
    const r = await pool.request().input('a', mssql.Int, 5).output('b', mssql.Int).execute('dbo.P');
    same([6, 3], [r.output.b, r.returnValue]);
  });
  await call('a prepared statement', async () => {
    const ps = new mssql.PreparedStatement(pool);
    ps.input('a', mssql.Int);
    await ps.prepare('SELECT @a + 1 AS b');
    same(8, (await ps.execute({ a: 7 })).recordset[0].b);
    same(9, (await ps.execute({ a: 8 })).recordset[0].b);
    await ps.unprepare();
  });
  await call('bulk', async () => {
    const table = new mssql.Table('dbo.T');
    table.columns.add('Name', mssql.NVarChar(50), { nullable: true });
    table.rows.add('b1');
    table.rows.add('b2');
    same(2, (await pool.request().bulk(table)).rowsAffected);
  });
  await call('concurrent', async () => same(20, (await Promise.all([...Array(20).keys()].map((i) => pool.query`SELECT ${i} AS i`))).length));
  await call('the database after USE', async () => {
    await pool.query('USE master');
    same(DATABASE, (await pool.query('SELECT DB_NAME() AS d')).recordset[0].d);
  });

  const enqueue = async (request, text, process) => (await request.input('SQL', mssql.NVarChar(mssql.MAX), text).input('ExecutionOrder', mssql.Int, 100)
    .input('ProcessId', mssql.Int, process).output('TaskId', mssql.BigInt).execute('dbsched.ExecAsync')).output.TaskId;
  const find = async (task) => (await pool.query`SELECT Status, ErrorNumber FROM dbsched.TaskInfo WHERE TaskId = ${task}`).recordset[0];
  const waits = async (text, status) => {
    const process = (await pool.request().input('Name', mssql.NVarChar, 'p').output('ProcessId', mssql.Int).execute('dbsched.CreateProcess')).output.ProcessId;
    const task = await enqueue(pool.request(), text, process);
    await pool.request().input('ProcessId', mssql.Int, process).execute('dbsched.CloseProcess');
    same(status, (await pool.request().input('ProcessId', mssql.Int, process).input('TimeoutSeconds', mssql.Int, 10).output('Status', mssql.VarChar(10)).execute('dbsched.WaitProcess')).output.Status);
    return find(task);
  };
  await call('product: enqueue and roll back', async () => {
    const t = new mssql.Transaction(pool);
    await t.begin();
    const task = await enqueue(t.request(), 'SELECT 1', null);
    await t.rollback();
    same(undefined, await find(task));
  });
  await call('product: enqueue, commit and wait', async () => {
    const t = new mssql.Transaction(pool);
    await t.begin();
    const task = await enqueue(t.request(), 'SELECT 1', null);
    await t.commit();
    same(false, (await find(task)) === undefined);
    same({ Status: 'Succeeded', ErrorNumber: null }, await waits('SELECT 1', 'Succeeded'));
  });
  await call("product: a failed task's error", async () => same({ Status: 'Failed', ErrorNumber: 8134 }, await waits('SELECT 1 / 0', 'Failed')));
  await call('product: a refusal', () => fails(() => enqueue(pool.request(), null, null), 'dbsched 51001'));
  await pool.close();
}

main().catch((e) => { console.log(`FAIL program: ${e.stack}`); }).finally(() => process.exit(0));
