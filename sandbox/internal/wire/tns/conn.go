package tns

import (
	"context"
	"encoding/binary"
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

// conn is one client's connection.
type conn struct {
	server *server
	number uint64
	net    net.Conn
	log    *slog.Logger
	ctx    context.Context // the connection's own: it ends when the client is gone
	in     packetReader
	out    packetWriter
	box    *inbox
	d      decoder

	descriptor   string
	byteScales   bool // columns are described with the scale in one byte
	sess         Session
	closeSession sync.Once
	cursors      map[int]*cursor
	lobs         lobTable

	mu      sync.Mutex
	running *ResponseWriter // the call that Do works on
	busy    bool            // an answer is under way
	closing bool            // the connection ends with that answer
}

func newConn(s *server, number uint64, nc net.Conn, log *slog.Logger) *conn {
	c := &conn{server: s, number: number, net: nc, log: log, box: newInbox(), cursors: map[int]*cursor{}}
	c.in = packetReader{r: nc, limit: maxConnect}
	c.out = packetWriter{w: nc, size: minDataUnit}
	c.d.next = c.box.next
	return c
}

// serve runs a connection to its end.
func (c *conn) serve(ctx context.Context) error {
	timeout := time.AfterFunc(c.server.options.LoginTimeout, func() { _ = c.net.Close() })
	defer timeout.Stop()
	if ok, err := c.connect(); !ok || err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c.ctx = ctx
	var readErr error
	var reader sync.WaitGroup
	reader.Go(func() {
		readErr = c.read()
		// Nobody listens any more: what runs ends.
		cancel()
		c.mu.Lock()
		sess := c.sess
		c.mu.Unlock()
		if sess != nil {
			c.closeSession.Do(sess.Close)
		}
		end := readErr
		if end == nil {
			end = io.EOF
		}
		c.box.end(end)
	})
	err := c.work(ctx, timeout)
	_ = c.net.Close() // ends the reader, wherever it waits
	c.box.end(net.ErrClosed)
	reader.Wait()
	if c.sess != nil {
		c.closeSession.Do(c.sess.Close)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, readErr) {
		err = nil // readErr says it
	}
	return errors.Join(err, readErr)
}

// connect answers CONNECT; false: the client was refused.
func (c *conn) connect() (bool, error) {
	p, err := c.in.packet()
	if err != nil {
		return false, err
	}
	if p.kind != packConnect {
		return false, protocolErrorf("packet of type %d instead of CONNECT", p.kind)
	}
	r, err := decodeConnect(p.body)
	if err != nil {
		return false, err
	}
	for r.dataLen > 0 && len(r.data) < r.dataLen {
		// A long descriptor comes in a packet of its own.
		if p, err = c.in.packet(); err != nil {
			return false, err
		}
		if p.kind != packData || len(p.body) == 0 {
			return false, protocolErrorf("packet of type %d instead of the connect descriptor", p.kind)
		}
		r.data += string(p.body)
	}
	version, sdu, ok := r.negotiate(c.server.options.MaxVersion)
	if !ok {
		return false, c.out.send(packRefuse, refuse(12618)) // TNS:versions are incompatible
	}
	c.descriptor = r.data
	if name, code := c.service(); !c.server.engine.Serves(name) {
		c.log.Info("tns: connection refused", "service", name)
		return false, c.out.send(packRefuse, refuse(code))
	}
	if err := c.out.send(packAccept, accept(version, sdu)); err != nil {
		return false, err
	}
	c.in.wide, c.out.wide = version >= wideVersion, version >= wideVersion
	c.in.limit, c.out.size = int(sdu), int(sdu)
	c.d.full = int(sdu) - 128 // go-ora leaves 64 bytes, headers aside
	return true, nil
}

// service returns what the client wants to connect to, and the error if there is no
// such thing.
func (c *conn) service() (name string, code int) {
	if name = descriptorValue(c.descriptor, "SERVICE_NAME"); name != "" {
		return name, 12514
	}
	return descriptorValue(c.descriptor, "SID"), 12505
}

// read reads packets until the connection ends. A break cancels what is under way.
func (c *conn) read() error {
	for {
		p, err := c.in.packet()
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		}
		switch p.kind {
		case packData:
			if p.flags&dataFinal != 0 {
				return nil
			}
			if err := c.box.put(p.body); errors.Is(err, net.ErrClosed) {
				return nil
			} else if err != nil {
				return err
			}
		case packMarker:
			kind := byte(markerBreak)
			if len(p.body) == 3 && p.body[0] == 1 {
				kind = p.body[2]
			}
			if c.box.marker(kind) {
				c.cancel()
			}
		default:
			return protocolErrorf("packet of type %d", p.kind)
		}
	}
}

// cancel ends the running call.
func (c *conn) cancel() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running != nil {
		c.running.cancel()
		c.sess.Cancel()
	}
}

// work goes through the handshake and serves calls one after the other.
func (c *conn) work(ctx context.Context, timeout *time.Timer) error {
	ok, err := c.open(ctx)
	if !ok || err != nil {
		return err
	}
	timeout.Stop()
	for {
		c.d.begin(c.server.options.MaxMessage)
		done, err := c.message()
		if errors.Is(err, errBreak) {
			if err = c.resume(); err != nil {
				return err
			}
			continue
		}
		if refusal, ok := errors.AsType[*sqlerr.Error](err); ok {
			// It cannot be told where the next message begins.
			end := callEnd{code: errorCode(refusal), text: errorText(errorCode(refusal), refusal.Text)}
			return errors.Join(c.out.message(appendEnd(nil, end)), err)
		}
		if done || err != nil {
			return err
		}
	}
}

// resume goes through the handshake that follows a break (Session.processMarker), and
// tells that the call was cancelled.
func (c *conn) resume() error {
	c.d.drop()
	if err := c.out.marker(markerBreak); err != nil {
		return err
	}
	if err := c.box.resume(); err != nil {
		return err
	}
	if err := c.out.marker(markerReset); err != nil {
		return err
	}
	const cancelled = 1013
	end := callEnd{code: cancelled, text: errorText(cancelled, "user requested cancel of current operation")}
	return c.out.message(appendEnd(nil, end))
}

// Functions of TTC.
const (
	fnReexecute      = 0x04
	fnFetch          = 0x05
	fnLogoff         = 0x09
	fnCommit         = 0x0E
	fnRollback       = 0x0F
	fnVersion        = 0x3B
	fnReexecuteFetch = 0x4E
	fnExecute        = 0x5E
	fnLOB            = 0x60
	fnCloseCursors   = 0x69 // a piggyback
	fnAuthAnswer     = 0x73
	fnAuthChallenge  = 0x76
	fnPing           = 0x93
)

// message serves a message; done says that the connection is to be closed.
func (c *conn) message() (done bool, err error) {
	kind := c.d.u8()
	function := c.d.u8()
	c.d.u8() // sequence number
	if c.d.err != nil {
		return false, c.d.err
	}
	if kind == msgPiggyback {
		return false, c.piggyback(function)
	}
	if kind != msgFunction {
		return false, protocolErrorf("message of type %#x", kind)
	}
	switch function {
	case fnExecute:
		err = c.execute()
	case fnReexecute, fnReexecuteFetch:
		err = c.reexecute(function == fnReexecuteFetch)
	case fnFetch:
		err = c.fetch()
	case fnLOB:
		err = c.lob()
	case fnCommit:
		err = c.short(&Commit{})
	case fnRollback:
		err = c.short(&Rollback{})
	case fnPing:
		err = c.short(&Ping{})
	case fnVersion:
		err = c.version()
	case fnLogoff:
		return true, c.out.message(appendStatus(nil))
	default:
		err = sqlerr.NotSupported("TTC function %#x", function)
	}
	if errors.Is(err, errFatal) {
		return true, nil
	}
	return false, err
}

// piggyback serves what comes before a call and is not answered.
func (c *conn) piggyback(function byte) error {
	switch function {
	case fnCloseCursors:
		c.d.u8()
		for n := c.d.count(); n > 0 && c.d.err == nil; n-- {
			c.closeCursor(c.d.u())
		}
		return c.d.err
	case fnLOB:
		return c.freeLOBs()
	default:
		return sqlerr.NotSupported("TTC piggyback %#x", function)
	}
}

func (c *conn) short(req Request) error {
	return c.respond(func(w *ResponseWriter) {
		w.status = true
		c.do(req, w)
	})
}

// version tells what the server is (db_version.go). The answer must not span packets.
func (c *conn) version() error {
	c.d.u8()
	c.d.u()
	c.d.u8()
	c.d.u8()
	c.d.u()
	if c.d.err != nil {
		return c.d.err
	}
	text := c.server.banner.Product + " " + c.server.banner.release()
	b := appendClr(appendUint([]byte{msgParameter}, uint64(len(text))), text)
	return c.out.message(appendStatus(appendUint(b, c.server.banner.number())))
}

// errFatal says that the session is over.
var errFatal = errors.New("tns: the session has ended")

// respond runs a call and sends its answer.
func (c *conn) respond(call func(w *ResponseWriter)) error {
	w := &ResponseWriter{conn: c}
	w.ctx, w.cancel = context.WithCancel(c.ctx)
	defer w.cancel()
	c.mu.Lock()
	c.running, c.busy = w, true
	c.mu.Unlock()
	if c.box.setBusy(true) {
		w.cancel() // broken before it could begin
	} else {
		call(w)
	}
	if c.ctx.Err() != nil { // the server stops, and the call may have ended half-way
		return errFatal
	}
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	err := errBreak
	if !c.box.setBusy(false) {
		err = w.finish()
	}
	c.mu.Lock()
	c.busy = false
	closing := c.closing
	c.mu.Unlock()
	if err == nil && w.fatal || closing {
		err = errFatal
	}
	return err
}

// disconnect is what the engine ends the connection with.
func (c *conn) disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing = true; !c.busy {
		_ = c.net.Close()
	}
}

// quiet returns a writer for a request whose answer nobody wants.
func (c *conn) quiet(ctx context.Context) *ResponseWriter {
	w := &ResponseWriter{conn: c, quiet: true, cur: &cursor{}}
	w.ctx, w.cancel = context.WithCancel(ctx)
	return w
}

// do hands a request to the session. A panic there ends this connection only.
func (c *conn) do(req Request, w *ResponseWriter) {
	defer func() {
		if w.quiet {
			w.cancel()
		}
		if p := recover(); p != nil {
			c.log.Error("tns: panic in a session", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			w.Error(sqlerr.New(600, "internal error code, arguments: [sandbox], [%v]", p).Ending(sqlerr.Connection))
		}
	}()
	c.sess.Do(req, w)
}

// be16 reads two bytes.
func be16(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
