package ddl

import "github.com/sqlc-dev/teesql/ast"

func (x *run) security(st ast.Statement) (bool, error)          { return false, nil }
func (x *run) brokerStatement(st ast.Statement) (bool, error)   { return false, nil }
func (x *run) databaseStatement(st ast.Statement) (bool, error) { return false, nil }
