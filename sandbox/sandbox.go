// Package sandbox starts the embedded engines: deterministic in-memory models of the parts of SQL Server and
// Oracle that dbsched uses, served over the engine's own wire protocol. It is for trying things out, for tests
// and for simulation, never for production; it keeps nothing on disk.
package sandbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"

	"github.com/dbsched/dbsched/sandbox/kernel"
	"github.com/dbsched/dbsched/sandbox/mssql"
	"github.com/dbsched/dbsched/sandbox/mssql/datatype"
)

// Options configure a sandbox.
type Options struct {
	Dialect  string       // mssql
	Listen   string       // address to listen on; default 127.0.0.1:0
	Clock    string       // real (default): virtual time is real time; fast: time jumps when all wait
	Seed     uint64       // of the choices that the real engine leaves open
	Password string       // of the administrator; default: a random one
	Database string       // name of the user database; default: sandbox
	Logger   *slog.Logger // the engine's error log; nil: none

	Collation             string // SQL_Latin1_General_CP1_CI_AS (default), SQL_Latin1_General_CP1_CS_AS or Latin1_General_BIN2
	ReadCommittedSnapshot bool   // of the user database
}

// Server is a running sandbox.
type Server struct {
	dsn      string
	listener net.Listener
	kernel   *kernel.Kernel
	engine   *mssql.Server
	cancel   context.CancelFunc
	done     chan struct{}
	err      error
}

// Start starts a sandbox that serves until ctx ends or Close is called.
func Start(ctx context.Context, o Options) (*Server, error) {
	if o.Dialect != "" && o.Dialect != "mssql" {
		return nil, fmt.Errorf("sandbox: no engine for dialect %q (there is mssql)", o.Dialect)
	}
	clock, err := clockNamed(o.Clock)
	if err != nil {
		return nil, err
	}
	collation, err := collationNamed(o.Collation)
	if err != nil {
		return nil, err
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Password == "" {
		o.Password = rand.Text()
	}
	if o.Database == "" {
		o.Database = "sandbox"
	}
	k := kernel.New(kernel.Options{Clock: clock, Seed: o.Seed})
	engine, err := mssql.New(k, mssql.Options{
		Password: o.Password, Database: o.Database, Collation: collation,
		ReadCommittedSnapshot: o.ReadCommittedSnapshot, Logger: o.Logger,
	})
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{
		listener: listener, kernel: k, engine: engine, cancel: cancel, done: make(chan struct{}),
		dsn: mssqlDSN(listener.Addr().String(), o.Password, o.Database),
	}
	go s.serve(ctx, o.Logger)
	return s, nil
}

func (s *Server) serve(ctx context.Context, log *slog.Logger) {
	defer close(s.done)
	running := make(chan struct{})
	go func() {
		defer close(running)
		_ = s.kernel.Run(ctx) // it ends with ctx
	}()
	s.err = serveMSSQL(ctx, s.listener, s.kernel, s.engine, log)
	s.cancel()
	<-running
}

// DSN is the connection string of the administrator, password included.
func (s *Server) DSN() string { return s.dsn }

// Do runs fn with exclusive access to the engine, between two steps of its sessions: for
// looking at counters and the error log.
func (s *Server) Do(fn func(*mssql.Server)) {
	done := make(chan struct{})
	s.kernel.Post(func() {
		defer close(done)
		fn(s.engine)
	})
	select {
	case <-done:
	case <-s.done:
	}
}

// Wait returns when the sandbox has stopped serving.
func (s *Server) Wait() error {
	<-s.done
	if errors.Is(s.err, context.Canceled) || errors.Is(s.err, net.ErrClosed) {
		return nil
	}
	return s.err
}

// Close stops the sandbox; all its data is gone.
func (s *Server) Close() error {
	s.cancel()
	return s.Wait()
}

func clockNamed(name string) (kernel.Clock, error) {
	switch strings.ToLower(name) {
	case "", "real":
		return kernel.Real, nil
	case "fast":
		return kernel.Fast, nil
	}
	return 0, fmt.Errorf("sandbox: unknown clock %q: it is real or fast", name)
}

func collationNamed(name string) (datatype.Collation, error) {
	switch strings.ToLower(name) {
	case "", "sql_latin1_general_cp1_ci_as":
		return datatype.CIAS, nil
	case "sql_latin1_general_cp1_cs_as":
		return datatype.CSAS, nil
	case "latin1_general_bin2":
		return datatype.BIN2, nil
	}
	return 0, fmt.Errorf("sandbox: collation %q is not modelled", name)
}
