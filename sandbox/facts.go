package sandbox

import (
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/audit"
	mssql "github.com/dbsched/dbsched/sandbox/internal/mssql/parser"
	oracle "github.com/dbsched/dbsched/sandbox/internal/oracle/parser"
)

// ComposedVariable names the environment variable with the file that sandboxes write composed SQL to, for external parsers to check.
const ComposedVariable = audit.ComposedVariable

// Facts parses a batch of SQL Server or a statement of Oracle, and returns what it uses that a sandbox must support to run it. What
// a sandbox does not support of Oracle, it does not parse.
func Facts(dialect, sql string) (facts []string, err error) {
	switch dialect {
	case "mssql":
		_, err = mssql.Parse(sql, func(fact string) { facts = append(facts, fact) })
		return facts, err
	case "oracle":
		_, err = oracle.Statement(sql)
		return nil, err
	}
	return nil, fmt.Errorf("sandbox: no parser for dialect %q", dialect)
}
