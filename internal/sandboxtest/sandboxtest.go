// Package sandboxtest runs each test against its own embedded engine, in a bubble: virtual time stands still while anyone
// computes, and passes when all wait. The seed decides what the engine leaves undefined, and which of several clients comes first.
package sandboxtest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"testing"
	"testing/synctest"

	mssqldb "github.com/microsoft/go-mssqldb"
	go_ora "github.com/sijms/go-ora/v2"
	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/sandbox"
)

// An engine produces much short-lived garbage: collecting it less often saves a quarter of the time, while there is room. Two packages at a
// time then take less than two gigabytes.
func init() {
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(900 << 20)
}

// Run runs a test in a bubble on a sandbox set up by prepare. A prepared sandbox serves all tests with the same options
// and the same kind of preparation, identified by name: each of them begins where prepare ended, with its own seed and differences. In
// prepare all clients must close their connections.
func Run(t *testing.T, o sandbox.Options, name string, prepare, test func(t *testing.T, box *sandbox.Server)) {
	t.Helper()
	k := kind(o, name)
	im := images.take(k)
	if im == nil {
		prepared := o
		prepared.Differ = nil
		im = Image(t, prepared, prepare)
	}
	synctest.Test(t, func(t *testing.T) {
		box, err := im.Start(context.Background(), bubbled(t, o))
		require.NoError(t, err)
		closeAfter(t, box, o.Dialect)
		test(t, box)
	})
	images.give(k, im)
}

// Image returns a sandbox set up by prepare, in a bubble. In prepare all clients must close their connections.
func Image(t *testing.T, o sandbox.Options, prepare func(t *testing.T, box *sandbox.Server)) (im *sandbox.Image) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o.Seed = 1
		box, err := sandbox.Start(context.Background(), bubbled(t, o))
		require.NoError(t, err)
		defer box.Close()
		prepare(t, box)
		im, err = box.Image()
		require.NoError(t, err)
	})
	return im
}

// Nothing prepares nothing.
func Nothing(*testing.T, *sandbox.Server) {}

// Start starts a sandbox that ends with the test, which must be in a bubble.
func Start(t *testing.T, o sandbox.Options) *sandbox.Server {
	t.Helper()
	box, err := sandbox.Start(context.Background(), bubbled(t, o))
	require.NoError(t, err)
	closeAfter(t, box, o.Dialect)
	return box
}

func bubbled(t *testing.T, o sandbox.Options) sandbox.Options {
	t.Helper()
	o.Clock, o.Settle, o.Texts = "fast", synctest.Wait, &Texts
	o.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	o.Cover = o.Cover || Reaching()
	return o
}

// closeAfter ends a sandbox with the test.
func closeAfter(t *testing.T, box *sandbox.Server, dialect string) {
	t.Helper()
	m := Measure(box)
	t.Cleanup(func() {
		record(t, m)
		if Reaching() {
			var r Reach
			r.Add(box.Executed(), box.Statements())
			r.Record(t, t.Name(), dialect, box.Counters().Statements)
		}
		require.NoError(t, box.Close())
	})
}

var Texts sandbox.Texts // texts that the tests of one package have parsed

// pool holds the images that no test is using, the last used at the end.
type pool struct {
	mu   sync.Mutex
	free []kept
	uses map[string]int // how many tests have asked for a kind
}

type kept struct {
	kind string
	*sandbox.Image
}

// enough is how many of them are kept: an image takes up to 20 megabytes, with the code that was compiled in it.
const enough = 10

var images pool // shared by the tests of one package

// kind identifies the images that are interchangeable.
func kind(o sandbox.Options, name string) string {
	o.Seed, o.Differ = 0, nil
	return fmt.Sprintf("%s %+v", name, o)
}

// take returns an image of a kind, or nil.
func (p *pool) take(kind string) *sandbox.Image {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.uses == nil {
		p.uses = map[string]int{}
	}
	p.uses[kind]++
	for i, k := range slices.Backward(p.free) {
		if k.kind == kind {
			p.free = slices.Delete(p.free, i, i+1)
			return k.Image
		}
	}
	return nil
}

// give keeps an image. If there are too many, the oldest goes whose kind was asked for once, which most are, or else the oldest.
func (p *pool) give(kind string, im *sandbox.Image) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, kept{kind, im})
	if len(p.free) > enough {
		gone := max(0, slices.IndexFunc(p.free, func(k kept) bool { return p.uses[k.kind] == 1 }))
		p.free = slices.Delete(p.free, gone, gone+1)
	}
}

// add adds a line to a file that several processes may write.
func add(t *testing.T, path, line string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	require.NoError(t, err)
	_, err = f.WriteString(line)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// Open opens a pool of one connection; dial nil means the network.
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
