package aq

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/store"
)

// rig is an instance that tests drive in virtual time.
type rig struct {
	t  *testing.T
	k  *kernel.Kernel
	st *store.Store
	in *Instance
}

func newRig(t *testing.T, o kernel.Options) *rig {
	t.Helper()
	k := kernel.New(o)
	st := store.New(k, store.Options{DetectAfter: time.Second})
	t.Cleanup(k.Close)
	return &rig{t: t, k: k, st: st, in: New(k, st)}
}

func (r *rig) since() time.Duration { return r.k.Now().Sub(kernel.Epoch) }

// session is a client; it is its own Caller.
type session struct {
	*rig
	task    *kernel.Task
	sess    *store.Session
	tx      *store.Txn
	c       Consumer
	commits int
	done    bool
}

func (s *session) Session() *store.Session { return s.sess }

func (s *session) Commit() error {
	s.commits++
	if s.tx != nil {
		s.commit()
	}
	return nil
}

func (r *rig) session(name string, fn func(s *session)) *session {
	s := &session{rig: r}
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
	r.k.RunReady()
}

func (s *session) commit()   { tx := s.tx; s.tx = nil; tx.Commit() }
func (s *session) rollback() { tx := s.tx; s.tx = nil; tx.Rollback() }

// stmt runs a statement in the session's transaction, which, as in Oracle, the first statement begins.
func (s *session) stmt(fn func(tx *store.Txn) error) error {
	if s.tx == nil {
		s.tx = s.sess.Begin()
	}
	s.tx.NewStatement()
	m := s.tx.Mark()
	err := fn(s.tx)
	if err != nil {
		s.tx.RollbackStatement(m)
	}
	return err
}

func (s *session) delay(d time.Duration) { s.task.Block(kernel.Wait{For: d, Kind: kernel.Demand}) }

func (s *session) must(err error) { require.NoError(s.t, err) }

// queue creates and starts a queue of that name, in a queue table of that name with _T appended.
func (s *session) queue(name string, o Settings) {
	s.must(s.in.CreateTable(s, TableSpec{Owner: "APP", Name: name + "_T", PayloadType: "RAW"}))
	s.must(s.in.CreateQueue(s, QueueSpec{Owner: "APP", Name: name, Table: name + "_T", Settings: o}))
	s.must(s.in.Start(s, "APP", name, true, true))
}

func (s *session) send(queue, text string, p ...Properties) (id MsgID) {
	props := Properties{Priority: 1}
	if len(p) > 0 {
		props = p[0]
	}
	s.must(s.stmt(func(tx *store.Txn) error {
		q, err := s.in.Queue("APP", queue)
		if err == nil {
			id, err = s.in.Enqueue(tx, q, false, props, []byte(text))
		}
		return err
	}))
	return id
}

func (s *session) try(queue string, o Options) (text string, err error) {
	if o.Mode == 0 {
		o.Mode = Remove
	}
	err = s.stmt(func(tx *store.Txn) error {
		q, err := s.in.Queue("APP", queue)
		if err != nil {
			return err
		}
		m, err := s.in.Dequeue(tx, &s.c, q, o)
		if err == nil {
			text = string(m.Payload)
		}
		return err
	})
	return text, err
}

func (s *session) get(queue string, o Options) string {
	text, err := s.try(queue, o)
	s.must(err)
	return text
}

// none checks that there is nothing to dequeue.
func (s *session) none(queue string, o Options) {
	_, err := s.try(queue, o)
	s.requireError(err, 25228)
}

// states shows the messages of a queue table: queue, text, state, attempts.
func (s *session) states(table string) map[string]*Message {
	out := map[string]*Message{}
	tx := s.sess.Begin()
	defer tx.Rollback()
	for _, m := range s.in.table("APP", table).Messages(tx) {
		out[string(m.Payload)] = m
	}
	return out
}

func (r *rig) requireError(err error, number int32) {
	r.t.Helper()
	var e *sqlerr.Error
	require.ErrorAs(r.t, err, &e)
	require.Equal(r.t, number, e.Number, e.Text)
}
