// Package sandboxtest runs tests against an embedded engine of their own, in a bubble: virtual time stands still while anybody
// thinks, and passes when all wait. The seed decides what the engine leaves open, and who of several clients comes first.
package sandboxtest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"testing/synctest"

	mssqldb "github.com/microsoft/go-mssqldb"
	go_ora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// Start starts a sandbox that ends with the test, which has to be in a bubble.
func Start(t *testing.T, o sandbox.Options) *sandbox.Server {
	t.Helper()
	o.Clock, o.Settle = "fast", synctest.Wait
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	box, err := sandbox.Start(context.Background(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		record(t, box)
		require.NoError(t, box.Close())
	})
	return box
}

// record adds a line to the file that DBSCHED_TRACES names: the test, and what identifies all that happened in its sandbox. A
// seed gives the same lines on every machine.
func record(t *testing.T, box *sandbox.Server) {
	t.Helper()
	path := os.Getenv("DBSCHED_TRACES")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	defer f.Close()
	_, err = fmt.Fprintf(f, "%s %016x %+v\n", t.Name(), box.TraceHash(), box.Counters())
	require.NoError(t, err)
}

// Open opens a pool of one connection; dial nil is the network.
func Open(dialect, dsn string, dial dialects.DialFunc) (*sql.DB, error) {
	var connector driver.Connector
	switch dialect {
	case "mssql":
		c, err := mssqldb.NewConnector(dsn)
		if err != nil {
			return nil, err
		}
		if dial != nil {
			c.Dialer = dial
		}
		connector = c
	case "oracle":
		c := go_ora.NewConnector(dsn).(*go_ora.OracleConnector)
		if dial != nil {
			c.Dialer(dial)
		}
		connector = c
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	return db, nil
}
