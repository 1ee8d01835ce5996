// Package supplied holds the PL/SQL packages that Oracle supplies, as far as the sandbox models them, with their
// specifications as PL/SQL text and their subprograms in Go. A specification has the names, the order, the defaults
// and the types of Oracle's parameters, so that every call that compiles here also compiles in Oracle; what it leaves out is a
// compile error, and a parameter whose feature is not modeled accepts only its default.
//
// All of them have invoker's rights, so that a native sees the rights and the schema of its caller.
//
// Sources: PL/SQL Packages and Types Reference, 19c, the chapter of each package; Database Error Messages.
package supplied

import (
	"embed"
	"iter"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/jobs"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/plsql"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// Package is a supplied package. Its owner is SYS; it has a public synonym.
type Package struct {
	Name    string
	Spec    string                  // without CREATE
	Public  bool                    // EXECUTE is granted to PUBLIC
	Natives map[string]plsql.Native // by name, or NAME#2 for the second one with that name
}

// Session is what natives need from the session that calls them. The host of a call (plsql.NativeCall) implements it.
type Session interface {
	plsql.Host

	// StoreSession waits for locks and owns those that outlive transactions.
	StoreSession() *store.Session
	// ID returns SID and serial number.
	ID() (sid, serial int)
	// Alive reports whether there is a session with that SID and serial number.
	Alive(sid, serial int) bool
	// Packages yields the packages that have state in this session, by their numbers.
	Packages() iter.Seq[*plsql.Instance]
	// User is the user who has logged on; Schema the current schema: the owner of the running unit with
	// definer's rights, else as ALTER SESSION SET CURRENT_SCHEMA set it. ViewContext says whose rights apply.
	User() string
	Schema() string

	// Supplied returns what this package keeps for the session. Its zero value is ready.
	Supplied() *State

	// Queues and Consumer are for Advanced Queuing: everybody's queues, and what the session remembers.
	Queues() *aq.Instance
	Consumer() *aq.Consumer
	// Jobs returns the scheduler; JobEnvironment returns what a job keeps from its creator's session (jobs.Spec.Environment).
	Jobs() *jobs.Scheduler
	JobEnvironment() any

	// TransactionID returns undo segment, slot and sequence of the transaction (1.2.3), empty if there is none and none is
	// begun.
	TransactionID(begin bool) string
}

// State is what a session keeps for the supplied packages.
type State struct {
	Module, Action, ClientInfo string // V$SESSION
	Identifier                 string // CLIENT_IDENTIFIER
	Output                     Output
	cursors                    cursors
}

//go:embed spec/*.sql
var specs embed.FS

// Packages returns the supplied packages by name.
func Packages() []Package {
	var out []Package
	for _, p := range []struct {
		name    string
		private bool
		natives []natives
	}{
		{name: "DBMS_APPLICATION_INFO", natives: []natives{applicationInfo}},
		{name: "DBMS_AQ", private: true, natives: []natives{queuing}},
		{name: "DBMS_AQADM", private: true, natives: []natives{queueAdmin}},
		{name: "DBMS_ASSERT", natives: []natives{assertion}},
		{name: "DBMS_DB_VERSION"},
		{name: "DBMS_LOB", natives: []natives{lobs}},
		{name: "DBMS_LOCK", private: true, natives: []natives{locks}},
		{name: "DBMS_OUTPUT", natives: []natives{output}},
		{name: "DBMS_SCHEDULER", natives: []natives{scheduler}},
		{name: "DBMS_SESSION", natives: []natives{sessions}},
		{name: "DBMS_STATS", natives: []natives{statistics}},
		{name: "DBMS_SQL", natives: []natives{dynamicSQL, dynamicValues()}},
		{name: "DBMS_TRANSACTION", natives: []natives{transactions}},
		{name: "DBMS_UTILITY", natives: []natives{utilities}},
		// DatabaseMetaData calls it before it reports the maximum lengths of names and texts.
		{name: "PRIVATE_JDBC", natives: []natives{{"GET_COMPATIBLE": func(c *call) error { c.returnText(compatibility); return nil }},
			{"GET_MAX_STRING_SIZE": func(c *call) error { c.returnText("STANDARD"); return nil }}}},
	} {
		text, err := specs.ReadFile("spec/" + strings.ToLower(p.name) + ".sql")
		if err != nil {
			panic(err) // a package without specification: every test fails
		}
		all := map[string]plsql.Native{}
		for _, n := range p.natives {
			for name, fn := range n {
				all[name] = fn.native()
			}
		}
		out = append(out, Package{Name: p.name, Spec: string(text), Public: !p.private, Natives: all})
	}
	return out
}
