// Package enginescript runs test scripts against an engine with several sessions. A script is a file of package datadriven: a command,
// its input, "----", and the output; -rewrite rewrites the output. Comments begin with "#". The commands:
//
//	run A            what follows, in session A, which is opened when first named
//	run A user=bob   opens session A as bob
//	run A refused    what follows is refused: a census of what tests execute (DBSCHED_CENSUS) leaves it out
//	join             wait until every session has ended its run, letting time pass
//	advance 5s       let virtual time pass
//	cancel A         cancel A's run, as a client does
//	close A          A's client disconnects
//
// A blocked run is shown as blocked, and its output where it ends.
package enginescript

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
)

// Run is what a session does. The engine sets Finished when it is done, and Lines to what the script shows.
type Run struct {
	Finished bool
	Lines    []string
}

// Session is a client of an engine.
type Session interface {
	Begin(text string) *Run
	Cancel()
	Close()
	Ended() bool
}

// Kernel is the run loop that all sessions share.
type Kernel interface {
	Advance(d time.Duration)
	RunReady()
	RunUntil(done func() bool) error
}

// Engine is what a script runs on. User is empty for the usual one.
type Engine struct {
	Kernel Kernel
	Login  func(user string) (Session, error)
}

// Play runs a script.
func Play(t *testing.T, path string, e Engine) {
	t.Helper()
	p := &player{Engine: e, sessions: map[string]Session{}}
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		t.Helper()
		name := ""
		if len(d.CmdArgs) > 0 {
			name = d.CmdArgs[0].Key
		}
		switch d.Cmd {
		case "run":
			user := ""
			d.MaybeScanArgs(t, "user", &user)
			if d.HasArg("refused") && os.Getenv("DBSCHED_CENSUS") != "" {
				return d.Expected
			}
			p.run(name, user, d.Input)
		case "join":
			p.join()
		case "advance":
			by, err := time.ParseDuration(name)
			require.NoError(t, err)
			p.Kernel.Advance(by)
		case "cancel":
			p.sessions[name].Cancel()
			p.Kernel.RunReady()
		case "close":
			p.sessions[name].Close()
			p.Kernel.RunReady()
		default:
			d.Fatalf(t, "no command %s", d.Cmd)
		}
		return p.flush()
	})
	p.join()
	require.Empty(t, p.flush(), "the script ends before its sessions: end it with join")
}

type player struct {
	Engine
	sessions map[string]Session
	open     []running
	out      strings.Builder
}

type running struct {
	name string
	s    Session
	*Run
}

func (p *player) run(name, user, text string) {
	s := p.sessions[name]
	if s == nil || s.Ended() {
		var err error
		if s, err = p.Login(user); err != nil {
			fmt.Fprintf(&p.out, "[%s] login: %v\n", name, err)
			return
		}
		p.sessions[name] = s
	}
	p.open = append(p.open, running{name, s, s.Begin(text)})
	p.Kernel.RunReady()
}

func (p *player) join() {
	err := p.Kernel.RunUntil(func() bool {
		for _, r := range p.open {
			if !r.Finished {
				return false
			}
		}
		return true
	})
	if err != nil {
		fmt.Fprintf(&p.out, "%v\n", err)
	}
}

// flush shows what has ended, then what is blocked.
func (p *player) flush() string {
	failed := p.out.String() // from a login, or from join
	p.out.Reset()
	var left []running
	for _, r := range p.open {
		if !r.Finished {
			left = append(left, r)
			continue
		}
		fmt.Fprintf(&p.out, "[%s]\n", r.name)
		for _, l := range r.Lines {
			fmt.Fprintf(&p.out, "  %s\n", l)
		}
		if r.s.Ended() {
			p.out.WriteString("  session has ended\n")
		}
	}
	p.open = left
	for _, r := range left {
		fmt.Fprintf(&p.out, "[%s] blocked\n", r.name)
	}
	text := p.out.String() + failed
	p.out.Reset()
	return text
}
