// What TestNodeOracledb has node-oracledb's thin mode do.
const assert = require('node:assert');
const oracledb = require('oracledb');
const { BIND_OUT, NUMBER, STRING, CLOB, CURSOR } = oracledb;

(async () => {
  const connectString = process.env.ADDRESS + '/FREEPDB1';
  await assert.rejects(oracledb.getConnection({ user: 'scott', password: 'wrong', connectString }), /ORA-01017/);
  const c = await oracledb.getConnection({ user: 'scott', password: process.env.PASSWORD, connectString });
  assert.equal(c.oracleServerVersionString, '19.22.0.0.0');
  await c.ping();

  let r = await c.execute('select rows');
  assert.equal(r.rows.length, 200);
  assert.deepEqual(r.rows[199], [199, 's199']);

  for (let i = 0; i < 3; i++) { // the second time by a short call
    r = await c.execute('select types');
    assert.deepEqual(r.rows[0].slice(3), [Buffer.from([1, 2]), 1.5, 'AAAR3sAAEAAAACXAAB', 'é€', null]);
    assert.equal(r.rows[0][0], 1.25);
    assert.equal(r.rows[0][2].toISOString(), '2022-09-28T22:13:20.000Z');
  }

  r = await c.execute('insert into t values (:1, :2)', [1, 'x']);
  assert.equal(r.rowsAffected, 1);
  r = await c.executeMany('insert into t values (:1, :2)', [[1, 'a'], [2, 'b'], [3, null]]);
  assert.equal(r.rowsAffected, 3);
  await c.commit();
  await c.rollback();

  for (let i = 0; i < 2; i++) {
    r = await c.execute('begin outs (:1, :2, :3); end;', ['hällo', { dir: BIND_OUT, type: NUMBER }, { dir: BIND_OUT, type: STRING, maxSize: 100 }]);
    assert.deepEqual(r.outBinds, [42, 'hällo']);
  }
  r = await c.execute('insert ret into t values (:1) returning id into :2', ['x', { dir: BIND_OUT, type: NUMBER }]);
  assert.deepEqual(r.outBinds, [[5, 6]]);
  r = await c.execute('delete alone from t returning id into :1', [{ dir: BIND_OUT, type: NUMBER }]);
  assert.deepEqual(r.outBinds, [[7]]);
  r = await c.execute('begin cursor (:1); end;', [{ type: CURSOR, dir: BIND_OUT }]);
  assert.deepEqual(await r.outBinds[0].getRows(), [[1], [2]]);
  await r.outBinds[0].close();

  r = await c.execute('select clob');
  assert.equal((await r.rows[0][0].getData()), 'é'.repeat(70000));
  r = await c.execute('select clob', [], { fetchTypeHandler: () => ({ type: STRING }) });
  assert.equal(r.rows[0][0], 'é'.repeat(70000));
  r = await c.execute('begin length (:1, :2); end;', [{ type: CLOB, val: 'é'.repeat(50000) }, { dir: BIND_OUT, type: NUMBER }]);
  assert.deepEqual(r.outBinds, [100000]);

  await assert.rejects(c.execute('drop bad'), (e) => e.errorNum === 942 && e.offset === 5);
  c.callTimeout = 200;
  await assert.rejects(c.execute('begin sleep (1); end;'), /NJS-123/);
  c.callTimeout = 0;
  await c.ping();
  await c.close();
})().catch((e) => { console.error(e); process.exit(1); });
