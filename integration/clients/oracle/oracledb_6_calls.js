// node-oracledb 6.
require('./_node.js')(require('oracledb-6'));
