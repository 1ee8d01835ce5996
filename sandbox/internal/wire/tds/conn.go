package tds

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// maxQueued is how many messages a client may send ahead; one attention needs a
// place, too.
const maxQueued = 4

// conn is one client's connection.
type conn struct {
	server *server
	number uint64
	net    net.Conn
	log    *slog.Logger
	in     packetReader
	out    packetWriter
	sess   Session
	nbc    bool

	closeSession sync.Once
	carried      Reset // of a message that never reached the session

	mu       sync.Mutex
	running  *ResponseWriter // the request that Do works on
	waiting  int             // requests read and not finished, the running one included
	attended bool            // running was, or the next request is to be, cancelled
	busy     bool            // an answer is under way
	closing  bool            // the connection ends with that answer
}

// serve runs a connection to its end.
func (c *conn) serve(ctx context.Context) error {
	login, err := c.open(ctx)
	if err != nil || c.sess == nil {
		return err
	}
	defer c.closeSession.Do(c.sess.Close)
	c.log.Debug("tds: login", "login", login)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages := make(chan message, maxQueued)
	var readErr error
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(messages)
		readErr = c.read(messages)
		// Nobody listens any more: what runs ends.
		cancel()
		c.closeSession.Do(c.sess.Close)
	})
	err = c.work(ctx, messages)
	_ = c.net.Close() // ends the reader
	reader.Wait()
	return errors.Join(err, readErr)
}

// open goes from PRELOGIN to the answer to LOGIN7; the session stays nil when the
// client was turned away.
func (c *conn) open(ctx context.Context) (Login, error) {
	timeout := time.AfterFunc(c.server.options.LoginTimeout, func() { _ = c.net.Close() })
	defer timeout.Stop()
	c.in.r = c.net
	c.out = packetWriter{w: c.net, kind: packReply, size: defaultPacketSize}

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
			secure, err := handshake(ctx, c.net, c.server.options.TLS)
			if err != nil {
				return Login{}, err
			}
			c.in.r = secure
			if encryption == encryptOff {
				// Only the first packet of LOGIN7 is encrypted; the answer is not.
				afterFirst = func() { c.in.r = c.net }
			} else {
				c.out.w = secure
			}
		}
		if first, err = c.in.message(maxLogin, afterFirst); err != nil {
			return Login{}, err
		}
	}
	if first.kind != packLogin7 {
		return Login{}, protocolErrorf("message of type %#x instead of LOGIN7", first.kind)
	}
	return c.login(ctx, first.payload, encryption == encryptOn || encryption == encryptReq)
}

// first reads the first message. A client of TDS 8.0 begins with a TLS record instead.
func (c *conn) first() (message, error) {
	const tlsHandshake = 0x16
	m, err := c.in.message(maxLogin, nil)
	if c.in.buf[0] == tlsHandshake && c.in.buf[1] == 3 {
		refuseStrict(c.net)
		return m, protocolErrorf("TDS 8.0 (encrypt=strict) is not supported")
	}
	return m, err
}

func (c *conn) prelogin(payload []byte) (byte, error) {
	client, err := decodePrelogin(payload)
	if err != nil {
		return 0, err
	}
	answer, ok := negotiate(client, c.server.options.RequireEncryption)
	if err := c.out.message(appendPrelogin(nil, c.server.banner, answer)); err != nil {
		return 0, err
	}
	if !ok {
		return 0, protocolErrorf("the client has no encryption, which is required")
	}
	return answer, nil
}

// login judges LOGIN7, opens the session and answers.
func (c *conn) login(ctx context.Context, payload []byte, encrypted bool) (Login, error) {
	r, err := decodeLogin(payload)
	if err != nil {
		return Login{}, err
	}
	refusal := r.judge(encrypted)
	l := r.login
	l.Connection = c.number
	l.Disconnect = c.disconnect
	var sess Session
	if refusal == nil {
		sess, err = c.server.engine.Login(ctx, l)
		if err != nil && !errors.As(err, &refusal) {
			c.log.Error("tds: login", "login", l, "error", err)
			refusal = sqlerr.New(18456, "Login failed for user '%s'.", l.User).At(14, 1)
		}
	}
	w := c.response(ctx, false)
	defer w.cancel()
	if refusal != nil {
		c.log.Info("tds: login refused", "login", l, "error", refusal)
		w.Error(refusal)
		return l, w.finish()
	}
	c.sess = sess
	env := sess.Environment()
	c.out.spid = env.SPID
	c.nbc = l.TDSVersion >= version73B
	w.EnvDatabase("master", env.Database)
	w.Info(Message{Number: 5701, State: 2, Text: fmt.Sprintf("Changed database context to '%s'.", env.Database), Line: 1})
	w.buf = appendEnv(w.buf, envCollation, env.Collation[:], nil)
	w.EnvLanguage("", env.Language)
	w.Info(Message{Number: 5703, State: 1, Text: fmt.Sprintf("Changed language setting to %s.", env.Language), Line: 1})
	w.buf = appendLoginAck(w.buf, c.server.banner, l.TDSVersion)
	w.envText(envPacketSize, fmt.Sprint(defaultPacketSize), fmt.Sprint(l.PacketSize))
	if err := w.finish(); err != nil {
		c.sess.Close()
		c.sess = nil
		return l, err
	}
	c.out.size = l.PacketSize // from the next message on
	return l, nil
}

func (c *conn) response(ctx context.Context, rpc bool) *ResponseWriter {
	w := &ResponseWriter{out: &c.out, server: c.server.banner.ServerName, nbc: c.nbc, rpc: rpc}
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w
}

// read reads messages until the connection ends. An attention cancels what is under
// way; if nothing is, it is acknowledged when its turn comes.
func (c *conn) read(messages chan<- message) error {
	for {
		m, err := c.in.message(c.server.options.MaxMessage, nil)
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
				return nil
			}
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
			return protocolErrorf("more than %d messages ahead of the response", maxQueued)
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
		if c.running != nil {
			c.running.cancel()
			c.sess.Cancel()
		}
	}
	return true
}

// work executes messages one after the other.
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

// request executes a message; done says that the connection is to be closed.
func (c *conn) request(ctx context.Context, m message) (done bool, err error) {
	w := c.response(ctx, m.kind == packRPC)
	defer w.cancel()
	c.mu.Lock()
	c.running, c.busy = w, true
	if c.attended { // before the request could begin
		w.cancel()
	}
	c.mu.Unlock()

	var broken error
	if m.ignore {
		// Taken back before it was complete: "a single DONE token" with DONE_ERROR
		// ([MS-TDS] 2.2.1.7).
		w.rpc, w.errored = false, true
	} else {
		broken = c.answer(m, w)
	}
	if ctx.Err() != nil { // the server stops, and the request may have ended half-way
		return true, broken
	}

	c.mu.Lock()
	attended := c.attended
	c.running, c.attended = nil, false
	c.waiting--
	c.mu.Unlock()
	w.errored = w.errored || attended
	err = w.finish()
	if err == nil && attended {
		err = c.acknowledge()
	}
	c.mu.Lock()
	c.busy = false
	done = w.fatal || c.closing
	c.mu.Unlock()
	return done, errors.Join(broken, err)
}

// disconnect is what the engine ends the connection with.
func (c *conn) disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing = true; !c.busy {
		_ = c.net.Close()
	}
}

// acknowledge answers an attention. As from SQL Server, it is a message of its own
// even when it cut a response short; tedious counts on that (its pull request 1738).
func (c *conn) acknowledge() error {
	return c.out.message(done{token: tokenDone, status: doneAttn}.append(nil))
}

// answer decodes a message and has it executed; an error ends the connection.
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
	return c.execute(reqs, w)
}

// carry keeps a reset that did not reach the session for the next request that does.
func (c *conn) carry(status byte) {
	switch {
	case status&statusReset != 0:
		c.carried = ResetAll
	case status&statusResetKeepTran != 0 && c.carried == ResetNone:
		c.carried = ResetKeepTran
	}
}

// execute hands requests to the session. A panic there ends this connection only.
func (c *conn) execute(reqs []Request, w *ResponseWriter) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("tds: panic in a session: %v\n%s", p, debug.Stack())
			w.Error(sqlerr.New(3624, "A system assertion check has failed. sandbox: %v", p).At(20, 1))
		}
	}()
	for i, req := range reqs {
		if c.carried == ResetAll || c.carried != ResetNone && req.resetting() == ResetNone {
			req.reset(c.carried)
		}
		c.carried = ResetNone
		if w.ctx.Err() != nil {
			c.carried = req.resetting()
			return nil
		}
		if req.resetting() != ResetNone {
			w.ackReset()
		}
		c.sess.Do(req, w)
		if w.fatal {
			return nil
		}
		if i < len(reqs)-1 {
			w.finishCall()
		}
	}
	return nil
}
