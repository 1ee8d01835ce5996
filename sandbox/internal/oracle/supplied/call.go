package supplied

import (
	"errors"
	"fmt"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// natives are the subprograms of a package by name.
type natives map[string]native

// native is a subprogram in Go.
type native func(c *call) error

func (n native) native() plsql.Native {
	return func(nc *plsql.NativeCall) error {
		s, ok := nc.Host.(Session)
		if !ok {
			return fmt.Errorf("%T cannot run supplied packages", nc.Host)
		}
		return n(&call{nc, s})
	}
}

// call is a call of a native, with its session.
type call struct {
	arguments
	s Session
}

// arguments are as in a plsql.NativeCall.
type arguments interface {
	Arg(name string) value.Value
	Has(name string) bool
	Set(name string, v value.Value)
	Record(name string) *plsql.Record
	Collection(name string) *plsql.Collection
	Return(v value.Value)
}

// text returns an argument of a character type, "" for NULL.
func (c *call) text(name string) string { return c.Arg(name).Str() }

func (c *call) isNull(name string) bool { return c.Arg(name).IsNull() }

// whole returns a numeric argument truncated to an integer; 0 for NULL.
func (c *call) whole(name string) int64 {
	v := c.Arg(name)
	if v.IsNull() {
		return 0
	}
	n, _ := datatype.Whole(v)
	return n
}

// truth returns a BOOLEAN argument; NULL is false.
func (c *call) truth(name string) bool { return c.Arg(name).IsTrue() }

// setText sets an OUT parameter of a character type.
func (c *call) setText(name, s string) { c.Set(name, datatype.NewText(s)) }

func (c *call) returnText(s string) { c.Return(datatype.NewText(s)) }

func (c *call) returnInt(n int64) { c.Return(value.NewInt(n)) }

// seconds returns a NUMBER of seconds as a duration.
func seconds(v value.Value) time.Duration {
	return time.Duration(datatype.NumberFloat(v) * float64(time.Second))
}

// kernel returns the kernel that the session runs on.
func (c *call) kernel() *kernel.Kernel { return c.s.StoreSession().Store().Kernel() }

// sleep suspends the session, for hundredths of a second. Errors: 38148; 1013.
func (c *call) sleep(longest time.Duration) error {
	v := c.Arg("SECONDS")
	if v.IsNull() || datatype.SignOf(v) < 0 || datatype.NumberFloat(v) > longest.Seconds() {
		return message.ORA(38148)
	}
	d := seconds(v).Round(10 * time.Millisecond)
	if reason, _ := c.s.Task().Block(kernel.Wait{For: d, Kind: kernel.Demand}); reason == kernel.Interrupted {
		return failure(store.ErrInterrupted)
	}
	return nil
}

// unset refuses arguments that are neither NULL nor FALSE nor 0: their features are not modeled.
func (c *call) unset(names ...string) error {
	for _, n := range names {
		if v := c.Arg(n); !v.IsNull() && (v.Kind == value.String || v.N != 0) {
			return sqlerr.NotSupported("%s => %s", n, v)
		}
	}
	return nil
}

// failure returns the engine's error for a failure of the store.
func failure(err error) error {
	if errors.Is(err, store.ErrInterrupted) {
		return &sqlerr.Error{Number: 1013, Text: "user requested cancel of current operation", Uncaught: true}
	}
	if _, ok := errors.AsType[*store.Deadlock](err); ok {
		return message.ORA(60)
	}
	if _, ok := errors.AsType[*store.LockTimeout](err); ok {
		return message.ORA(54)
	}
	return err
}
