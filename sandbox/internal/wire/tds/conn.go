package tds

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// maxQueued is how many messages a client may send before it gets an answer; an attention needs
// a place, too.
const maxQueued = 4

// conn is one client's connection.
type conn struct {
	*wire.Conn
	engine  Engine
	banner  Banner
	in      packetReader
	out     packetWriter
	sess    Session
	nbc     bool
	carried Reset // from a message that never reached the session

	mu       sync.Mutex
	waiting  int  // requests read but not finished, including the running one
	attended bool // the running or the next request is canceled
}

// serve runs a connection to its end.
func (c *conn) serve(ctx context.Context) error {
	login, err := c.open(ctx)
	if err != nil || c.sess == nil {
		return err
	}
	c.Logger.Debug("tds: login", "login", login)
	messages := make(chan message, maxQueued)
	return c.Run(ctx, wire.Hooks{
		Read: func() error { return c.read(messages) },
		Work: func(ctx context.Context) error { return c.work(ctx, messages) },
	})
}

// open goes from PRELOGIN to the answer to LOGIN7; the session stays nil when the
// client was rejected.
func (c *conn) open(ctx context.Context) (Login, error) {
	defer c.LoginTimer().Stop()
	c.in.r = c.Net
	c.out.init(c.Net, packReply, defaultPacketSize)

	first, err := c.first()
	if err != nil {
		return Login{}, err
	}
	encryption, afterFirst := byte(encryptNotSup), func() {}
	if first.kind == packPrelogin {
		if encryption, err = c.prelogin(first.payload); err != nil {
			return Login{}, err
		}
		if encryption != encryptNotSup {
			secure, err := handshake(ctx, c.Net)
			if err != nil {
				return Login{}, err
			}
			c.in.r = secure
			if encryption == encryptOff {
				// Only the first packet of LOGIN7 is encrypted; the answer is not.
				afterFirst = func() { c.in.r = c.Net }
			} else {
				c.out.w = secure
			}
		}
		if first, err = c.in.message(wire.MaxLogin, afterFirst); err != nil {
			return Login{}, err
		}
	}
	if first.kind != packLogin7 {
		return Login{}, wire.Errorf("message of type %#x instead of LOGIN7", first.kind)
	}
	return c.login(ctx, first.payload, encryption == encryptOn)
}

// first reads the first message. A client of TDS 8.0 begins with a TLS record instead.
func (c *conn) first() (message, error) {
	const tlsHandshake = 0x16
	m, err := c.in.message(wire.MaxLogin, nil)
	if c.in.buf[0] == tlsHandshake && c.in.buf[1] == 3 {
		refuseStrict(c.Net)
		return m, wire.Errorf("TDS 8.0 (encrypt=strict) is not supported")
	}
	return m, err
}

func (c *conn) prelogin(payload []byte) (byte, error) {
	client, err := decodePrelogin(payload)
	if err != nil {
		return 0, err
	}
	answer := negotiate(client)
	return answer, c.out.Message(appendPrelogin(nil, c.banner, answer))
}

// login checks LOGIN7, opens the session and answers.
func (c *conn) login(ctx context.Context, payload []byte, encrypted bool) (Login, error) {
	r, err := decodeLogin(payload)
	if err != nil {
		return Login{}, err
	}
	refusal := r.judge(encrypted)
	l := r.login
	l.Connection = c.Number
	l.Disconnect = c.Disconnect
	var sess Session
	if refusal == nil {
		sess, err = c.engine.Login(ctx, l)
		if err != nil && !errors.As(err, &refusal) {
			c.Logger.Error("tds: login", "login", l, "error", err)
			refusal = sqlerr.New(18456, "Login failed for user '%s'.", l.User).At(14, 1)
		}
	}
	w := c.response(ctx, false)
	defer w.Cancel()
	if refusal != nil {
		c.Logger.Info("tds: login refused", "login", l, "error", refusal)
		w.Error(refusal)
		return l, w.finish()
	}
	c.sess = sess
	c.Attach(sess)
	env := sess.Environment()
	c.out.spid = env.SPID
	c.nbc = l.TDSVersion >= version73B
	w.EnvDatabase("master", env.Database)
	w.Info(Message{Number: 5701, State: 2, Text: fmt.Sprintf("Changed database context to '%s'.", env.Database), Line: 1})
	w.Buf = appendEnv(w.Buf, envCollation, env.Collation[:], nil)
	w.EnvLanguage("", env.Language)
	w.Info(Message{Number: 5703, State: 1, Text: fmt.Sprintf("Changed language setting to %s.", env.Language), Line: 1})
	w.Buf = appendLoginAck(w.Buf, c.banner, l.TDSVersion)
	w.envText(envPacketSize, fmt.Sprint(defaultPacketSize), fmt.Sprint(l.PacketSize))
	if err := w.finish(); err != nil {
		c.sess.Close()
		c.sess = nil
		return l, err
	}
	c.out.Room = l.PacketSize - headerSize // from the next message on
	return l, nil
}

func (c *conn) response(ctx context.Context, rpc bool) *ResponseWriter {
	return &ResponseWriter{Answer: wire.NewAnswer(ctx, &c.out.Packets), server: c.banner.ServerName, nbc: c.nbc, rpc: rpc}
}

// read reads messages until the connection ends. An attention cancels what is in
// progress; if nothing is, it is acknowledged when its turn comes.
func (c *conn) read(messages chan<- message) error {
	defer close(messages)
	for {
		m, err := c.in.message(c.MaxMessage, nil)
		if err != nil {
			return err
		}
		if m.kind == packAttention && c.attention() {
			continue
		}
		if m.kind != packAttention {
			c.mu.Lock()
			c.waiting++
			c.mu.Unlock()
		}
		select {
		case messages <- m:
		default:
			return wire.Errorf("more than %d messages ahead of the response", maxQueued)
		}
	}
}

// attention cancels the running or next request; false: there is none.
func (c *conn) attention() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == 0 {
		return false
	}
	if !c.attended {
		c.attended = true
		c.Cancel()
	}
	return true
}

// work executes messages one after another.
func (c *conn) work(ctx context.Context, messages <-chan message) error {
	for m := range messages {
		if m.kind == packAttention {
			if err := c.acknowledge(); err != nil {
				return err
			}
			continue
		}
		if done, err := c.request(ctx, m); done || err != nil {
			return err
		}
	}
	return nil
}

// request executes a message; done says that the connection must be closed.
func (c *conn) request(ctx context.Context, m message) (done bool, err error) {
	w := c.response(ctx, m.kind == packRPC)
	var broken error
	done, err = c.Answer(ctx, &w.Answer, func() {
		c.mu.Lock()
		attended := c.attended
		c.mu.Unlock()
		if attended { // before the request could begin
			w.Cancel()
		}
		if m.ignore {
			// Canceled before it was complete: "a single DONE token" with DONE_ERROR
			// ([MS-TDS] 2.2.1.7).
			w.rpc, w.errored = false, true
		} else {
			broken = c.answer(m, w)
		}
	}, func() error {
		c.mu.Lock()
		attended := c.attended
		c.attended = false
		c.waiting--
		c.mu.Unlock()
		w.errored = w.errored || attended
		err := w.finish()
		if err == nil && attended {
			err = c.acknowledge()
		}
		return err
	})
	return done, errors.Join(broken, err)
}

// acknowledge answers an attention. As in SQL Server, it is a separate message
// even when it cut a response short; tedious relies on that (its pull request 1738).
func (c *conn) acknowledge() error {
	return c.out.Message(done{token: tokenDone, status: doneAttn}.append(nil))
}

// answer decodes a message and executes it; an error ends the connection.
func (c *conn) answer(m message, w *ResponseWriter) error {
	reqs, err := decodeRequests(m)
	if refusal, ok := errors.AsType[*sqlerr.Error](err); ok {
		c.carry(m.status)
		w.Error(refusal)
		return nil
	}
	if err != nil {
		w.Error(sqlerr.New(4002, "The incoming tabular data stream (TDS) protocol stream is incorrect. The stream ended unexpectedly.").
			Ending(sqlerr.Connection))
		return err
	}
	c.Guard(func() { c.execute(reqs, w) }, func(p any) {
		w.Error(sqlerr.New(3624, "A system assertion check has failed. sandbox: %v", p).At(20, 1))
	})
	return nil
}

// carry keeps a reset that did not reach the session for the next request that reaches it.
func (c *conn) carry(status byte) {
	switch {
	case status&statusReset != 0:
		c.carried = ResetAll
	case status&statusResetKeepTran != 0 && c.carried == ResetNone:
		c.carried = ResetKeepTran
	}
}

// execute hands requests to the session.
func (c *conn) execute(reqs []Request, w *ResponseWriter) {
	for i, req := range reqs {
		if c.carried == ResetAll || c.carried != ResetNone && req.resetting() == ResetNone {
			req.reset(c.carried)
		}
		c.carried = ResetNone
		if w.Context().Err() != nil {
			c.carried = req.resetting()
			return
		}
		if req.resetting() != ResetNone {
			w.ackReset()
		}
		c.sess.Do(req, w)
		if w.Fatal {
			return
		}
		if i < len(reqs)-1 {
			w.finishCall()
		}
	}
}
