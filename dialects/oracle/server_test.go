package oracle

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"net"
	"sync"
	"testing"

	go_ora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// serve starts a sandbox and returns the DSN of a user who may install.
func serve(t *testing.T) string {
	t.Helper()
	return start(t, nil).DSN()
}

// start starts a sandbox, which may share parsed texts with others.
func start(t *testing.T, texts *sandbox.Texts) *sandbox.Server {
	t.Helper()
	server, err := sandbox.Start(context.Background(), sandbox.Options{Dialect: Dialect{}.Name(), Texts: texts})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Close()) })
	return server
}

// open opens a scheduler.
func open(t *testing.T, dsn string) *scheduler {
	t.Helper()
	s, err := Dialect{}.Open(t.Context(), dialects.Target{DSN: dsn})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() }) // its connections may be cut
	return s.(*scheduler)
}

// exec runs a statement in a session of its own.
func exec(t *testing.T, s *scheduler, text string) {
	t.Helper()
	db := s.pool()
	defer db.Close()
	_, err := db.ExecContext(t.Context(), text)
	require.NoError(t, err, "%s", text)
}

// errCut is the error of every statement once the connections are cut.
var errCut = errors.New("cut by the test")

// cutter is a connector whose connections all break, as if the machine had gone, after a
// number of statements that may change something.
type cutter struct {
	driver.Connector

	mu    sync.Mutex
	left  int
	conns []net.Conn
}

// newCutter returns a connector that lets n statements pass.
func newCutter(dsn string, n int) *cutter {
	c := &cutter{left: n}
	connector := go_ora.NewConnector(dsn).(*go_ora.OracleConnector)
	connector.Dialer(c)
	c.Connector = connector
	return c
}

// DialContext remembers what it dials.
func (c *cutter) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.conns = append(c.conns, conn)
	}
	return conn, err
}

// pass counts a statement, and breaks everything at the first one too many.
func (c *cutter) pass() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left >= 0 {
		return nil
	}
	for _, conn := range c.conns {
		conn.Close()
	}
	return errCut
}

func (c *cutter) cut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.left < 0
}

// Connect connects until everything is cut.
func (c *cutter) Connect(ctx context.Context) (driver.Conn, error) {
	if c.cut() {
		return nil, errCut
	}
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &cutConn{conn.(*go_ora.Connection), c}, nil
}

type cutConn struct {
	*go_ora.Connection
	cutter *cutter
}

// ExecContext implements driver.ExecerContext.
func (c *cutConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.cutter.pass(); err != nil {
		return nil, err
	}
	return c.Connection.ExecContext(ctx, query, args)
}

// QueryContext implements driver.QueryerContext.
func (c *cutConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.cutter.cut() {
		return nil, errCut
	}
	return c.Connection.QueryContext(ctx, query, args)
}

// BeginTx implements driver.ConnBeginTx.
func (c *cutConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Connection.BeginTx(ctx, opts)
	return &cutTx{tx, c.cutter}, err
}

type cutTx struct {
	driver.Tx
	cutter *cutter
}

// Commit implements driver.Tx.
func (tx *cutTx) Commit() error {
	if err := tx.cutter.pass(); err != nil {
		return err
	}
	return tx.Tx.Commit()
}

// openCut opens a scheduler whose connections break after n statements.
func openCut(t *testing.T, dsn string, n int) (*scheduler, *cutter) {
	t.Helper()
	s := open(t, dsn)
	c := newCutter(s.target.url, n)
	require.NoError(t, s.DB.Close())
	s.open = func() *sql.DB { return sql.OpenDB(c) }
	s.DB = s.pool()
	return s, c
}
