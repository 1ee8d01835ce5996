package certify

import (
	"context"
	"slices"
	"strings"
)

// received lists the versions of each engine that docs/certified.md has a report for, as far as they must be the same: "16", or "19.28".
var received = map[string][]string{}

// Received reports whether docs/certified.md lists a report for the version of a server.
func Received(ctx context.Context, on On) bool {
	versions := received[on.Dialect.Name()]
	if len(versions) == 0 {
		return false
	}
	e, err := engineOf(on.Dialect)
	if err != nil {
		return false
	}
	on.Target.Schema = e.schema
	db, err := on.Dialect.OpenDB(ctx, on.Target)
	if err != nil {
		return false
	}
	defer db.Close()
	facts, err := e.server(ctx, db)
	return err == nil && slices.ContainsFunc(facts, func(f Fact) bool {
		return f.Name == "version" && slices.ContainsFunc(versions, func(v string) bool { return strings.HasPrefix(f.Value+".", v+".") })
	})
}
