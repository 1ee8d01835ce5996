package broker

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// rig is an instance with one database, driven by tests in virtual time.
type rig struct {
	t  *testing.T
	k  *kernel.Kernel
	st *store.Store
	in *Instance
	d  *Database

	procs    map[string]func(s *session)
	starts   []time.Duration // of activated procedures, since the start
	running  int
	most     int
	disabled []string
}

func newRig(t *testing.T, o ...kernel.Options) *rig {
	t.Helper()
	ko := kernel.Options{Seed: 1}
	if len(o) > 0 {
		ko = o[0]
	}
	k := kernel.New(ko)
	st := store.New(k, store.Options{DetectAfter: 5 * time.Second})
	r := &rig{t: t, k: k, st: st, procs: map[string]func(*session){}}
	r.in = New(k, st, Options{Activator: r, QueueDisabled: func(_ *Database, q *Queue) { r.disabled = append(r.disabled, q.Name) }})
	r.d = r.in.AddDatabase(5, true)
	t.Cleanup(k.Close)
	return r
}

func (r *rig) since() time.Duration { return r.k.Now().Sub(kernel.Epoch) }

// Activate runs a test's procedure.
func (r *rig) Activate(q *Queue, done func()) int {
	r.starts = append(r.starts, r.since())
	r.running++
	r.most = max(r.most, r.running)
	proc := r.procs[q.Settings().Activation.Procedure]
	r.session("activated", func(s *session) {
		defer func() { r.running--; done() }()
		if proc != nil {
			proc(s)
		}
	})
	return 20 + len(r.starts)
}

// session is a client or an activated procedure.
type session struct {
	*rig
	task *kernel.Task
	sess *store.Session
	tx   *store.Txn
	done bool
}

// session starts fn as a session; it runs when the kernel gets to it.
func (r *rig) session(name string, fn func(s *session)) *session {
	s := &session{rig: r}
	s.task = r.k.Go(name, func(t *kernel.Task) {
		s.task = t
		s.sess = r.st.NewSession(t)
		defer func() { s.done = true }()
		defer s.sess.Close()
		fn(s)
	}, nil)
	return s
}

// run runs fn as a session until it ends.
func (r *rig) run(fn func(s *session)) {
	r.t.Helper()
	s := r.session("client", fn)
	require.NoError(r.t, r.k.RunUntil(func() bool { return s.done }))
	r.k.RunReady()
}

// stmt runs fn in a transaction: the open one, or one of its own.
func (s *session) stmt(fn func(tx *store.Txn) error) error {
	if s.tx != nil {
		s.tx.NewStatement()
		m := s.tx.Mark()
		err := fn(s.tx)
		if err != nil {
			s.tx.RollbackStatement(m)
		}
		return err
	}
	tx := s.sess.Begin()
	if err := fn(tx); err != nil {
		tx.Rollback()
		return err
	}
	tx.Commit()
	return nil
}

func (s *session) begin()    { s.tx = s.sess.Begin() }
func (s *session) commit()   { tx := s.tx; s.tx = nil; tx.Commit() }
func (s *session) rollback() { tx := s.tx; s.tx = nil; tx.Rollback() }

func (s *session) delay(d time.Duration) { s.task.Block(kernel.Wait{For: d, Kind: kernel.Demand}) }

func (s *session) must(err error) { require.NoError(s.t, err) }

func (s *session) dialog(from, to string) Handle { return s.dialogFor(from, to, 0) }

func (s *session) dialogFor(from, to string, lifetime time.Duration) (h Handle) {
	b := BeginSpec{From: s.d.Service(from), To: to, ToInstance: CurrentDatabase}
	if lifetime > 0 {
		b.Lifetime = &lifetime
	}
	s.must(s.stmt(func(tx *store.Txn) (err error) {
		h, err = s.d.BeginDialog(tx, b)
		return err
	}))
	return h
}

func (s *session) trySend(h Handle, text string) error {
	return s.stmt(func(tx *store.Txn) error { return s.d.Send(tx, h, "", value.NewBytes([]byte(text))) })
}

func (s *session) send(h Handle, text string) { s.must(s.trySend(h, text)) }

func (s *session) end(h Handle, e ...EndSpec) {
	s.must(s.stmt(func(tx *store.Txn) error { return s.d.EndConversation(tx, h, append(e, EndSpec{})[0]) }))
}

func (s *session) timer(h Handle, seconds int) {
	s.must(s.stmt(func(tx *store.Txn) error { return s.d.ConversationTimer(tx, h, time.Duration(seconds)*time.Second) }))
}

func (s *session) tryReceive(queue string, r ReceiveSpec) (ms []Message, err error) {
	if r.Top == 0 {
		r.Top = -1
	}
	err = s.stmt(func(tx *store.Txn) (err error) {
		ms, err = s.d.Receive(tx, s.queue(queue), r)
		return err
	})
	return ms, err
}

func (s *session) receive(queue string, r ...ReceiveSpec) []Message {
	ms, err := s.tryReceive(queue, append(r, ReceiveSpec{})[0])
	s.must(err)
	return ms
}

// one is RECEIVE TOP (1) that must find something.
func (s *session) one(queue string) Message {
	ms := s.receive(queue, ReceiveSpec{Top: 1})
	require.Len(s.t, ms, 1)
	return ms[0]
}

func (r *rig) queue(name string) *Queue {
	return find(r.d.queues, func(q *Queue) bool { return q.Name == name })
}

func plain() QueueSettings { return QueueSettings{Enabled: true, PoisonHandled: true} }

func activated(proc string, readers int) QueueSettings {
	s := plain()
	s.Activation = Activation{Enabled: true, Procedure: proc, MaxReaders: readers, ExecuteAs: 1}
	return s
}

// service creates a queue of that name and a service of that name on it, with contract DEFAULT.
func (s *session) service(name string, q QueueSettings) {
	s.must(s.stmt(func(tx *store.Txn) error {
		queue, err := s.d.CreateQueue(tx, QueueSpec{ID: int32(1000 + len(s.d.queues)), Schema: "dbo", Name: name, QueueSettings: q})
		if err != nil {
			return err
		}
		_, err = s.d.CreateService(tx, name, 1, queue, []int32{s.d.Contract(ContractDefault).ID})
		return err
	}))
}

func (s *session) alter(queue string, change func(*QueueSettings)) {
	q := s.queue(queue)
	now := q.Settings()
	change(&now)
	s.must(s.stmt(func(tx *store.Txn) error { return s.d.AlterQueue(tx, q, now) }))
}

// endpoints shows all endpoints: service or side, and state.
func (r *rig) endpoints() []string {
	var out []string
	r.d.in.st.Alone(func(tx *store.Txn) {
		c := tx.Open(r.d.Endpoints(), store.Access{Mode: store.Dirty})
		defer c.Close()
		for {
			_, row, ok, err := c.Next()
			require.NoError(r.t, err)
			if !ok {
				return
			}
			e := decodeEndpoint(0, row)
			side := "target"
			if e.initiator {
				side = "initiator"
			}
			out = append(out, fmt.Sprintf("%s %s", side, e.state))
		}
	})
	slices.Sort(out)
	return out
}

// waiting shows the statuses of the transmission queue.
func (r *rig) waiting() (out []string) {
	r.d.in.st.Alone(func(tx *store.Txn) {
		c := tx.Open(r.d.Transmissions(), store.Access{Mode: store.Dirty})
		defer c.Close()
		for {
			_, row, ok, err := c.Next()
			require.NoError(r.t, err)
			if !ok {
				return
			}
			out = append(out, row[sentStatus].Str())
		}
	})
	return out
}

func (r *rig) monitor(queue string) MonitorInfo {
	for _, m := range r.in.Monitors() {
		if m.Queue == r.queue(queue).ID {
			return m
		}
	}
	return MonitorInfo{}
}

func (r *rig) requireError(err error, number int32) {
	r.t.Helper()
	var e *sqlerr.Error
	require.ErrorAs(r.t, err, &e)
	require.Equal(r.t, number, e.Number, e.Text)
}

func bodies(ms []Message) []string {
	out := []string{}
	for _, m := range ms {
		out = append(out, m.Body.Str())
	}
	return out
}

func types(ms []Message) []string {
	out := []string{}
	for _, m := range ms {
		out = append(out, m.TypeName)
	}
	return out
}
