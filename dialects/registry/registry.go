// Package registry lists the dialects that the product is built with.
package registry

import (
	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/dialects/mssql"
	"github.com/dbsched/dbsched/dialects/oracle"
)

// All returns every dialect.
func All() dialects.List { return dialects.List{mssql.Dialect{}, oracle.Dialect{}} }
