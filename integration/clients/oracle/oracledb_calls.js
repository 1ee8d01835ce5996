// node-oracledb.
require('./_node.js')(require('oracledb'));
