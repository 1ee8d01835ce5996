package jobs

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// rig is a scheduler that tests drive in virtual time; it is its own Starter.
type rig struct {
	t  *testing.T
	k  *kernel.Kernel
	st *store.Store
	s  *Scheduler

	actions  map[string]func(w *session) error
	starts   map[string][]time.Duration // of actions, as time since the start
	sessions map[*Run]*session
	serial   int
	running  int
	most     int
}

func newRig(t *testing.T, o kernel.Options) *rig {
	t.Helper()
	k := kernel.New(o)
	st := store.New(k, store.Options{DetectAfter: time.Second})
	r := &rig{
		t: t, k: k, st: st, actions: map[string]func(*session) error{}, starts: map[string][]time.Duration{},
		sessions: map[*Run]*session{},
	}
	r.s = New(k, st, Options{Starter: r, Processes: 4, DelayLow: 100 * time.Millisecond, DelayHigh: 100 * time.Millisecond})
	t.Cleanup(k.Close)
	return r
}

func (r *rig) since() time.Duration { return r.k.Now().Sub(kernel.Epoch) }

// session is a client, which is its own Caller, or a job slave.
type session struct {
	*rig
	task    *kernel.Task
	sess    *store.Session
	user    string
	manages bool
	commits int
	done    bool
}

func (s *session) Session() *store.Session { return s.sess }
func (s *session) User() string            { return s.user }
func (s *session) Manages() bool           { return s.manages }
func (s *session) Commit() error           { s.commits++; return nil }

// errInterrupted is the error that an action gets when its session is interrupted.
func errInterrupted() error {
	return &sqlerr.Error{Number: 1013, Text: "user requested cancel of current operation"}
}

// work keeps the session busy for a while; it fails when it is interrupted.
func (s *session) work(d time.Duration) error {
	if reason, _ := s.task.Block(kernel.Wait{For: d, Kind: kernel.Demand}); reason == kernel.Interrupted {
		return errInterrupted()
	}
	return nil
}

func (s *session) delay(d time.Duration) { _ = s.work(d) }

func (r *rig) session(name string, fn func(s *session)) *session {
	s := &session{rig: r, user: "APP"}
	s.task = r.k.Go(name, func(t *kernel.Task) {
		s.sess = r.st.NewSession(t)
		defer func() { s.done = true }()
		defer s.sess.Close()
		fn(s)
	}, nil)
	return s
}

func (r *rig) run(fn func(s *session)) {
	r.t.Helper()
	s := r.session("client", fn)
	require.NoError(r.t, r.k.RunUntil(func() bool { return s.done }))
}

func (r *rig) Start(run *Run, done func(Outcome)) Session {
	r.serial++
	r.starts[run.Name] = append(r.starts[run.Name], r.since())
	r.running++
	r.most = max(r.most, r.running)
	o := Outcome{Killed: true}
	w := r.session(run.Name, func(w *session) {
		defer func() { r.running--; done(o) }()
		var err error
		if action := r.actions[run.Action]; action != nil {
			err = action(w)
		}
		o = Outcome{Err: err}
	})
	r.sessions[run] = w
	return Session{ID: 100 + r.serial, Serial: r.serial}
}

func (r *rig) Stop(run *Run, force bool) {
	if force {
		r.sessions[run].task.Kill()
	} else {
		r.sessions[run].task.Interrupt()
	}
}

func (s *session) must(err error) { require.NoError(s.t, err) }

// job creates a job of that name whose action has the same name.
func (s *session) job(name string, enabled bool, change ...func(*Spec)) {
	spec := Spec{Owner: "APP", Name: name, Type: TypeBlock, Action: name}
	for _, c := range change {
		c(&spec)
	}
	s.must(s.s.Create(s, spec, enabled))
}

func (r *rig) info(name string) Info {
	for j := range r.s.Jobs("APP") {
		if j.Name == name {
			return j
		}
	}
	return Info{}
}

// statuses shows the logged runs of a job.
func (r *rig) statuses(name string) (out []State) {
	for d := range r.s.Details("APP") {
		if d.Name == name {
			out = append(out, d.Status)
		}
	}
	return out
}

func (r *rig) lastDetails() RunDetails {
	all := slices.Collect(r.s.Details(""))
	return all[len(all)-1]
}

func (r *rig) requireError(err error, number int32) {
	r.t.Helper()
	var e *sqlerr.Error
	require.ErrorAs(r.t, err, &e)
	require.Equal(r.t, number, e.Number, e.Text)
}

var errBoom = &sqlerr.Error{Number: 20001, Text: "boom"}

func fails(*session) error { return errBoom }

func lasts(d time.Duration) func(*session) error {
	return func(w *session) error { return w.work(d) }
}
