// knex, Sequelize and TypeORM at their defaults, on tedious and mssql.
'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const { call, same } = require('../calls');
const { HOST, PORT, USER, PASSWORD, DATABASE } = process.env;

async function fails(run, text) {
  try {
    await run();
  } catch (e) {
    if (!e.message.includes(text)) throw e;
    return e;
  }
  throw new Error('no error');
}

async function knexCalls() {
  const knex = require('knex')({ client: 'mssql', connection: { server: HOST, port: Number(PORT), user: USER, password: PASSWORD, database: DATABASE,
    options: { trustServerCertificate: true, encrypt: true } } });
  const k = (n, f) => call(`knex: ${n}`, f);
  await k('hasTable', async () => same(false, await knex.schema.hasTable('people')));
  await k('createTable', () => knex.schema.createTable('people', (t) => {
    t.increments('id');
    t.string('name', 50).notNullable().unique();
    t.decimal('credit', 12, 2).defaultTo(0);
    t.boolean('active').defaultTo(true);
    t.text('note');
    t.json('data');
    t.datetime('at').defaultTo(knex.fn.now());
    t.uuid('guid').defaultTo(knex.fn.uuid());
    t.bigInteger('big');
    t.enum('kind', ['a', 'b']);
    t.timestamps(true, true);
    t.index(['name', 'credit']);
  }));
  await k('foreign', () => knex.schema.createTable('pets', (t) => {
    t.increments();
    t.integer('owner').references('people.id').onDelete('CASCADE');
    t.string('name');
  }));
  await k('insert', async () => same([{ id: 1 }], await knex('people').insert({ name: 'ann', credit: 12.5, note: 'ü' }).returning('id')));
  await k('insert many', async () => same(3, (await knex('people').insert([{ name: 'bob' }, { name: 'cid' }, { name: 'dan' }]).returning(['id',
    'name'])).length));
  await k('select', async () => same('ann', (await knex('people').where({ name: 'ann' }).first()).name));
  await k('where in', async () => same(2, (await knex('people').whereIn('name', ['bob', 'cid'])).length));
  await k('paging', async () => same(['bob', 'cid'], (await knex('people').orderBy('id').limit(2).offset(1)).map((r) => r.name)));
  await k('limit', async () => same(1, (await knex('people').limit(1)).length));
  await k('count', async () => same(4, (await knex('people').count('* as n'))[0].n));
  await k('aggregate', async () => knex('people').select('active').sum('credit as s').groupBy('active').having(knex.raw('count(*) > 0')));
  await k('join', async () => {
    await knex('pets').insert({ owner: 1, name: 'rex' });
    same('rex', (await knex('people').join('pets', 'people.id', 'pets.owner').select('pets.name'))[0].name);
  });
  await k('update', async () => same(1, await knex('people').where('id', 1).update({ credit: 5 })));
  await k('update returning', async () => same([{ name: 'ann' }], await knex('people').where('id', 1).update({ credit: 6 }, ['name'])));
  await k('increment', () => knex('people').where('id', 1).increment('credit', 2));
  await k('delete', async () => same(1, await knex('people').where('name', 'dan').del()));
  await k('transaction', async () => {
    await fails(() => knex.transaction(async (t) => {
      await t('people').insert({ name: 'eve' });
      throw new Error('back');
    }), 'back');
    same(undefined, await knex('people').where('name', 'eve').first());
  });
  await k('nested transaction', async () => {
    await knex.transaction(async (t) => {
      await t('people').insert({ name: 'out' });
      await t.transaction(async (u) => {
        await u('people').insert({ name: 'in' });
        throw new Error('x');
      }).catch(() => {});
    });
    same([1, 0], [(await knex('people').where('name', 'out')).length, (await knex('people').where('name', 'in')).length]);
  });
  await k('isolation', () => knex.transaction((t) => t('people').first(), { isolationLevel: 'serializable' }));
  await k('forUpdate', () => knex.transaction((t) => t('people').where('id', 1).forUpdate().first()));
  await k('raw', async () => same(3, (await knex.raw('SELECT ? + ? AS s', [1, 2]))[0].s));
  await k('stream', async () => { let n = 0; for await (const r of knex('people').stream()) n++; same(true, n > 2); });
  await k('batchInsert', () => knex.batchInsert('pets', [...Array(50).keys()].map((i) => ({ name: 'p' + i })), 20));
  await k('with', async () => knex.with('a', knex('people').select('id')).select('*').from('a'));
  await k('union', async () => knex('people').select('name').union(knex('pets').select('name')));
  await k('distinct', async () => knex('people').distinct('active'));
  await k('columnInfo', async () => same('nvarchar', (await knex('people').columnInfo()).name.type));
  await k('hasColumn', async () => same(true, await knex.schema.hasColumn('people', 'name')));
  await k('add a column', () => knex.schema.alterTable('people', (t) => { t.string('added'); }));
  await k('change a column', () => knex.schema.alterTable('people', (t) => { t.string('added', 100).nullable().alter(); }));
  await k('drop a column', () => knex.schema.alterTable('people', (t) => { t.dropColumn('added'); }));
  await k('rename column', () => knex.schema.alterTable('people', (t) => { t.renameColumn('note', 'remark'); }));
  await k('index', () => knex.schema.alterTable('people', (t) => { t.index('big', 'ix_big'); }));
  await k('drop index', () => knex.schema.alterTable('people', (t) => { t.dropIndex('big', 'ix_big'); }));
  await k('duplicate', async () => { const e = await fails(() => knex('people').insert({ name: 'ann' }), 'duplicate key'); same(2601, e.number); });
  await k('rename table', () => knex.schema.renameTable('pets', 'animals'));
  await k('view', () => knex.schema.createView('v', (v) => { v.columns(['id']); v.as(knex('people').select('id')); }));
  await k('truncate', () => knex('pets').truncate());
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'knex'));
  fs.writeFileSync(path.join(dir, '1_a.js'), "exports.up = (k) => k.schema.createTable('m', (t) => { t.increments(); }); exports.down = (k) => "
    + "k.schema.dropTable('m');");
  await k('migrate', async () => same(1, (await knex.migrate.latest({ directory: dir }))[1].length));
  await k('migrate again', async () => same(0, (await knex.migrate.latest({ directory: dir }))[1].length));
  await k('migrate back', () => knex.migrate.rollback({ directory: dir }));
  await k('drop', () => knex.schema.dropTableIfExists('pets'));
  await knex.destroy();
}

async function sequelizeCalls() {
  const { Sequelize, DataTypes, Op } = require('sequelize');
  const s = new Sequelize(DATABASE, USER, PASSWORD, { host: HOST, port: Number(PORT), dialect: 'mssql', logging: false, dialectOptions: { options:
    { encrypt: true, trustServerCertificate: true } } });
  const k = (n, f) => call(`Sequelize: ${n}`, f);
  await k('authenticate', () => s.authenticate());
  await k('version', async () => same('16.0.1000', (await s.databaseVersion())));
  const User = s.define('User', { name: { type: DataTypes.STRING(50), allowNull: false, unique: true }, age: DataTypes.INTEGER, credit:
    DataTypes.DECIMAL(10, 2), data: DataTypes.TEXT, active: { type: DataTypes.BOOLEAN, defaultValue: true }, uid: { type: DataTypes.UUID, defaultValue:
    DataTypes.UUIDV4 }, day: DataTypes.DATEONLY, big: DataTypes.BIGINT, blob: DataTypes.BLOB, f: DataTypes.FLOAT, kind: DataTypes.ENUM('a', 'b') },
    { indexes: [{ fields: ['age'] }] });
  const Post = s.define('Post', { title: DataTypes.STRING });
  User.hasMany(Post); Post.belongsTo(User);
  await k('sync', () => s.sync());
  await k('sync again', () => s.sync());
  await k('create', async () => same(1, (await User.create({ name: 'ann', age: 5, credit: '12.5', data: 'ü', day: '2026-01-31', big: '4611686018427387904',
    blob: Buffer.from([1, 2]), f: 0.5, kind: 'a' })).id));
  await k('read', async () => {
    const u = await User.findOne({ where: { name: 'ann' } });
    same(['ann', 5, 12.5, 'ü', true, '2026-01-31', '4611686018427387904', [1, 2], 0.5], [u.name, u.age, Number(u.credit), u.data, u.active, u.day, u.big,
      [...u.blob], u.f]);
  });
  await k('bulkCreate', async () => same(10, (await User.bulkCreate([...Array(10).keys()].map((i) => ({ name: 'u' + i, age: i })))).length));
  await k('findAll', async () => same(5, (await User.findAll({ where: { age: { [Op.gt]: 4 }, name: { [Op.like]: 'u%' } }, order: [['age', 'DESC']] })).length));
  await k('page', async () => same(3, (await User.findAll({ limit: 3, offset: 2, order: ['id'] })).length));
  await k('limit', async () => same(3, (await User.findAll({ limit: 3 })).length));
  await k('findAndCountAll', async () => same([11, 2], ((r) => [r.count, r.rows.length])(await User.findAndCountAll({ limit: 2 }))));
  await k('include', async () => {
    await Post.create({ title: 't', UserId: 1 });
    same('t', (await User.findOne({ where: { id: 1 }, include: Post })).Posts[0].title);
  });
  await k('include, limited', async () => User.findAll({ include: Post, limit: 2, order: ['id'] }));
  await k('update', async () => same([1], await User.update({ age: 9 }, { where: { id: 1 } })));
  await k('save', async () => { const u = await User.findByPk(1); u.age = 10; await u.save(); });
  await k('increment', () => User.increment('age', { by: 2, where: { id: 1 } }));
  await k('upsert', () => User.upsert({ id: 1, name: 'ann', age: 7 }));
  await k('findOrCreate', async () => same(true, (await User.findOrCreate({ where: { name: 'new' } }))[1]));
  await k('count, sum, max', async () => same([12, 1], [await User.count(), (await User.min('id'))]));
  await k('group', () => User.findAll({ attributes: ['active', [s.fn('COUNT', s.col('id')), 'n']], group: ['active'] }));
  await k('destroy', async () => same(1, await User.destroy({ where: { name: 'u9' } })));
  await k('unique', async () => fails(() => User.create({ name: 'ann' }), 'Validation error'));
  await k('transaction', async () => {
    await fails(() => s.transaction(async (transaction) => {
      await User.create({ name: 'tx' }, { transaction });
      throw new Error('back');
    }), 'back');
    same(null, await User.findOne({ where: { name: 'tx' } }));
  });
  await k('isolation', () => s.transaction({ isolationLevel: Sequelize.Transaction.ISOLATION_LEVELS.SERIALIZABLE }, (t) => User.count({ transaction: t })));
  await k('lock', () => s.transaction((transaction) => User.findOne({ where: { id: 1 }, lock: true, transaction })));
  await k('raw', async () => same([{ a: 1 }], await s.query('SELECT :a AS a', { replacements: { a: 1 }, type: Sequelize.QueryTypes.SELECT })));
  await k('bind', async () => same([{ a: 1 }], await s.query('SELECT $a AS a', { bind: { a: 1 }, type: Sequelize.QueryTypes.SELECT })));
  const q = s.getQueryInterface();
  await k('showAllTables', async () => same(true, (await q.showAllTables()).length > 1));
  await k('describeTable', async () => same('NVARCHAR(50)', (await q.describeTable('Users')).name.type));
  await k('showIndex', async () => same(true, (await q.showIndex('Users')).length > 1));
  await k('getForeignKeys', async () => q.getForeignKeyReferencesForTable('Posts'));
  await k('addColumn', () => q.addColumn('Users', 'extra', { type: DataTypes.STRING, allowNull: true }));
  await k('changeColumn', () => q.changeColumn('Users', 'extra', { type: DataTypes.STRING(100), allowNull: true }));
  await k('removeColumn', () => q.removeColumn('Users', 'extra'));
  await k('renameColumn', () => q.renameColumn('Users', 'data', 'info'));
  await k('addIndex', () => q.addIndex('Users', ['credit']));
  await k('removeIndex', () => q.removeIndex('Users', ['credit']));
  await k('drop', () => s.drop());
  await s.close();
}

async function typeormCalls() {
  require('reflect-metadata');
  const { DataSource, EntitySchema, MoreThan, In } = require('typeorm');
  const key = { type: Number, primary: true, generated: true };
  const User = new EntitySchema({
    name: 'TUser',
    columns: {
      id: key, name: { type: String, unique: true }, age: { type: Number, nullable: true }, at: { type: 'datetime2', createDate: true },
      v: { type: Number, version: true }, price: { type: 'decimal', precision: 10, scale: 2, nullable: true },
    },
    indices: [{ columns: ['age'] }],
    relations: { posts: { type: 'one-to-many', target: 'TPost', inverseSide: 'user', cascade: true } },
  });
  const Post = new EntitySchema({
    name: 'TPost', columns: { id: key, title: { type: String } }, relations: { user: { type: 'many-to-one', target: 'TUser', inverseSide: 'posts' } },
  });
  const db = new DataSource({
    type: 'mssql', host: HOST, port: Number(PORT), username: USER, password: PASSWORD, database: DATABASE,
    options: { trustServerCertificate: true, encrypt: true }, entities: [User, Post], synchronize: false,
  });
  const k = (n, f) => call(`TypeORM: ${n}`, f);
  await k('initialize', () => db.initialize());
  await k('synchronize', () => db.synchronize());
  await k('synchronize again', () => db.synchronize());
  const users = db.getRepository('TUser');
  await k('save', async () => same(1, (await users.save({ name: 'ann', age: 5, price: 1.5, posts: [{ title: 't' }] })).id));
  await k('save many', () => users.save([{ name: 'b' }, { name: 'c' }]));
  await k('find', async () => same(1, (await users.find({ where: { age: MoreThan(1), name: In(['ann', 'x']) }, relations: { posts: true } }))[0].posts.length));
  await k('page', async () => same(1, (await users.find({ order: { id: 'ASC' }, skip: 1, take: 1 })).length));
  await k('findAndCount', async () => same(3, (await users.findAndCount({ take: 2 }))[1]));
  await k('update', () => users.update({ id: 1 }, { age: 6 }));
  await k('save changed', async () => { const u = await users.findOneBy({ id: 1 }); u.age = 8; await users.save(u); });
  await k('delete', () => users.delete({ name: 'c' }));
  await k('query builder', async () => same(1, (await db.createQueryBuilder('TUser', 'u').leftJoinAndSelect('u.posts', 'p').where('u.name = :n', { n:
    'ann' }).take(1).getMany()).length));
  await k('insert by builder', () => db.createQueryBuilder().insert().into('TUser').values([{ name: 'q' }]).execute());
  await k('transaction', async () => {
    await fails(() => db.transaction(async (m) => {
      await m.getRepository('TUser').save({ name: 'tx' });
      throw new Error('back');
    }), 'back');
    same(null, await users.findOneBy({ name: 'tx' }));
  });
  await k('lock', () => db.transaction((m) => m.getRepository('TUser').createQueryBuilder('u').setLock('pessimistic_write').getOne()));
  await k('duplicate', () => fails(() => users.save({ name: 'ann' }), 'UNIQUE'));
  await k('raw', async () => same([{ a: 1 }], await db.query('SELECT @0 AS a', [1])));
  await k('upsert', () => users.upsert({ name: 'ann', age: 11 }, ['name']));
  await k('getTable', async () => same('t_user', (await db.createQueryRunner().getTable('t_user')).name));
  await k('dropDatabase', () => db.dropDatabase());
  await db.destroy();
}

(async () => {
  for (const run of [knexCalls, sequelizeCalls, typeormCalls]) await run().catch((e) => console.log(`FAIL ${run.name}: ${e.stack}`));
  process.exit(0);
})();

