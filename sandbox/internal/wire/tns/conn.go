package tns

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// conn is one client's connection.
type conn struct {
	*wire.Conn
	engine Engine
	banner Banner
	ctx    context.Context // for this connection: it ends when the client is gone
	in     packetReader
	out    packetWriter
	box    *inbox
	d      decoder

	descriptor string
	byteScales bool          // columns are described with the scale in one byte
	call       byte          // sequence number of the call
	python     bool          // python-oracledb reads everything except LOBs as described, whatever it defines them as
	sendsAll   bool          // go-ora: also sends values of variables of RETURNING … INTO
	failed     *sqlerr.Error // what comes with the next call
	status     uint64        // session status: inTransaction
	sess       Session
	cursors    map[int]*cursor
	lobs       lobTable
}

func newConn(wc *wire.Conn, engine Engine) *conn {
	c := &conn{Conn: wc, engine: engine, banner: engine.Banner(), box: newInbox(), cursors: map[int]*cursor{}}
	c.in = packetReader{r: wc.Net, limit: maxConnect}
	c.out.init(wc.Net, false, minDataUnit)
	c.d.Next = c.box.next
	return c
}

// serve runs a connection to its end.
func (c *conn) serve(ctx context.Context) error {
	timeout := c.LoginTimer()
	defer timeout.Stop()
	if ok, err := c.connect(); !ok || err != nil {
		return err
	}
	return c.Run(ctx, wire.Hooks{
		Read: c.read,
		Work: func(ctx context.Context) error { return c.work(ctx, timeout) },
		End:  c.box.end,
	})
}

// connect answers CONNECT; false: the client was refused.
func (c *conn) connect() (bool, error) {
	p, err := c.in.packet()
	if err != nil {
		return false, err
	}
	if p.kind != packConnect {
		return false, wire.Errorf("packet of type %d instead of CONNECT", p.kind)
	}
	r, err := decodeConnect(p.body)
	if err != nil {
		return false, err
	}
	for r.dataLen > 0 && len(r.data) < r.dataLen {
		// A long descriptor comes in a separate packet.
		if p, err = c.in.packet(); err != nil {
			return false, err
		}
		if p.kind != packData || len(p.body) == 0 {
			return false, wire.Errorf("packet of type %d instead of the connect descriptor", p.kind)
		}
		r.data += string(p.body)
	}
	version, sdu, ok := r.negotiate()
	if !ok {
		return false, c.out.send(packRefuse, refuse(12618)) // TNS:versions are incompatible
	}
	c.descriptor = r.data
	if name, code := c.service(); !c.engine.Serves(name) {
		c.Logger.Info("tns: connection refused", "service", name)
		return false, c.out.send(packRefuse, refuse(code))
	}
	if err := c.out.send(packAccept, accept(version, sdu)); err != nil {
		return false, err
	}
	c.in.wide, c.in.limit = true, int(sdu)
	c.out.init(c.Net, true, int(sdu))
	c.d.Full = int(sdu) - 128 // go-ora leaves 64 bytes free, without headers
	return true, nil
}

// service returns what the client wants to connect to, or the error if there is no
// such thing.
func (c *conn) service() (name string, code int) {
	if name = descriptorValue(c.descriptor, "SERVICE_NAME"); name != "" {
		return name, 12514
	}
	return descriptorValue(c.descriptor, "SID"), 12505
}

// read reads packets until the connection ends. A break cancels what is in progress.
func (c *conn) read() error {
	for {
		p, err := c.in.packet()
		if err != nil {
			return err
		}
		switch p.kind {
		case packData:
			if p.flags&dataFinal != 0 {
				return io.EOF
			}
			if err := c.box.put(p.body); err != nil {
				return err
			}
		case packMarker:
			kind := byte(markerBreak)
			if len(p.body) == 3 && p.body[0] == 1 {
				kind = p.body[2]
			}
			if c.box.marker(kind) {
				c.Cancel()
			}
		default:
			return wire.Errorf("packet of type %d", p.kind)
		}
	}
}

// work goes through the handshake and serves calls one after another.
func (c *conn) work(ctx context.Context, timeout *time.Timer) error {
	c.ctx = ctx
	ok, err := c.open()
	if !ok || err != nil {
		return err
	}
	timeout.Stop()
	for {
		c.d.Begin(c.MaxMessage)
		done, err := c.message()
		if errors.Is(err, errBreak) {
			if err = c.resume(); err != nil {
				return err
			}
			continue
		}
		if refusal, ok := errors.AsType[*sqlerr.Error](err); ok {
			if err := c.passOver(refusal); err != nil {
				return err
			}
			continue
		}
		if done || err != nil {
			return err
		}
	}
}

// passOver refuses a message that was read in part. Only the sizes of pieces tell where the next one begins; see Ended.
func (c *conn) passOver(refusal *sqlerr.Error) error {
	for c.d.B, c.d.Err = nil, nil; !c.d.Ended() && c.d.Err == nil; c.d.B = nil {
		c.d.Peek(1)
	}
	return cmp.Or(c.d.Err, c.turnAway(refusal))
}

// breakLatency is how long a break from JDBC waits for its answer. The thread that sends the break and the one that answers our marker
// share a buffer without a lock (oracle.net.ns.NIOMarkerPacket, markerBuffer): an answer that arrives before the first one has returned from
// its write hangs the driver or causes a BufferOverflowException. A server polls for breaks (BREAK_POLL_SKIP) and is never that fast.
const breakLatency = 10 * time.Millisecond

// resume goes through the handshake that follows a break (Session.processMarker), and
// tells the client that the call was canceled.
func (c *conn) resume() error {
	c.d.B, c.d.Err = nil, nil // discard what was read ahead
	if c.d.bare {
		time.Sleep(breakLatency) //nolint:forbidigo // the wire is outside of virtual time
	}
	if err := c.out.marker(markerBreak); err != nil {
		return err
	}
	if err := c.box.resume(); err != nil {
		return err
	}
	if err := c.out.marker(markerReset); err != nil {
		return err
	}
	return c.turnAway(sqlerr.New(1013, "user requested cancel of current operation"))
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
	fnDescribeQuery  = 0x62
	fnCloseCursors   = 0x69 // a piggyback
	fnAuthAnswer     = 0x73
	fnAuthChallenge  = 0x76
	fnDescribe       = 0x77
	fnCancelCursors  = 0x78 // a piggyback: their rows are no longer needed
	fnAttributes     = 0x87 // a piggyback
	fnPing           = 0x93
	fnSchema         = 0x98 // a piggyback
)

// message serves a message; done says that the connection must be closed.
func (c *conn) message() (done bool, err error) {
	kind := c.d.U8()
	function := c.d.U8()
	c.call = c.d.U8()
	if c.d.Err != nil {
		return false, c.d.Err
	}
	if kind == msgPiggyback {
		return false, c.piggyback(function)
	}
	if kind != msgFunction {
		return false, wire.Errorf("message of type %#x", kind)
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
	case fnDescribe:
		err = c.describeTable()
	case fnDescribeQuery:
		err = c.describeQuery()
	case fnPing:
		err = c.short(&Ping{})
	case fnVersion:
		err = c.version()
	case fnLogoff: // it commits (Oracle Call Interface, OCISessionEnd)
		if c.status != 0 {
			_ = c.quietly(&Commit{})
		}
		return true, c.out.Message(appendStatus(nil, 0))
	default:
		err = sqlerr.NotSupported("TTC function %#x", function)
	}
	if errors.Is(err, errFatal) {
		return true, nil
	}
	return false, err
}

// piggyback serves what comes before a call and gets no answer.
func (c *conn) piggyback(function byte) error {
	switch function {
	case fnCloseCursors, fnCancelCursors:
		c.d.U8()
		for n := c.d.count(); n > 0 && c.d.Err == nil; n-- {
			if id := c.d.u(); function == fnCloseCursors {
				c.closeCursor(id)
			} else if cu := c.cursors[id]; cu != nil {
				c.closeResult(cu)
			}
		}
		return c.d.Err
	case fnLOB:
		return c.freeLOBs()
	case fnAttributes:
		return c.attributes()
	case fnSchema:
		c.d.U8()
		return c.tell(&Attributes{Schema: c.d.text(c.d.count())})
	default:
		return sqlerr.NotSupported("TTC piggyback %#x", function)
	}
}

// attributes serves the piggyback with what an application says about itself (node-oracledb, messages/base.js,
// _writeEndToEndPiggybacks): first all lengths, then those texts that have changed.
func (c *conn) attributes() error {
	c.d.Bytes(2)
	c.d.u() // which have changed
	var sent [6]bool
	var size [6]int
	length := func(i int) { sent[i], size[i] = c.d.U8() != 0, c.d.count() }
	for i := range 4 { // client identifier, module, action, execution context
		length(i)
	}
	c.d.U8()
	c.d.u()
	length(4) // client information
	c.d.U8()
	c.d.u()
	c.d.U8()
	c.d.u()
	length(5) // operation
	var texts [6]*string
	for i := range texts {
		if sent[i] {
			texts[i] = new(string)
		}
		if sent[i] && size[i] > 0 {
			*texts[i] = c.d.text(size[i])
		}
	}
	return c.tell(&Attributes{Identifier: texts[0], Module: texts[1], Action: texts[2], Info: texts[4]})
}

// tell passes to the session what came with a call; an error is the answer to that call.
func (c *conn) tell(a *Attributes) error {
	if c.d.Err == nil {
		c.failed = cmp.Or(c.failed, c.quietly(a))
	}
	return c.d.Err
}

func (c *conn) short(req Request) error {
	return c.respond(func(w *ResponseWriter) {
		w.status = true
		c.do(req, w)
	})
}

// version sends the server's version (db_version.go). The answer must not span packets.
func (c *conn) version() error {
	c.d.U8()
	c.d.u()
	c.d.U8()
	c.d.U8()
	c.d.u()
	if c.d.Err != nil {
		return c.d.Err
	}
	text := c.banner.Product + " " + c.banner.release()
	b := appendUint([]byte{msgParameter}, uint64(len(text)))
	if c.d.bare {
		b = append(b, text...)
	} else {
		b = appendClr(b, text)
	}
	return c.out.Message(appendStatus(appendUint(b, c.banner.number()), 0))
}

// errFatal reports that the session has ended.
var errFatal = errors.New("tns: the session has ended")

// respond runs a call, if it could be read, and sends its answer.
func (c *conn) respond(call func(w *ResponseWriter)) error {
	if c.d.Err != nil {
		return c.d.Err
	}
	w := &ResponseWriter{conn: c, end: callEnd{call: c.call}, Answer: wire.NewAnswer(c.ctx, &c.out.Packets)}
	done, err := c.Answer(c.ctx, &w.Answer, func() {
		if c.box.setBusy(true) {
			w.Cancel() // broken before it could begin
		} else if c.failed != nil {
			w.Error(c.failed)
			c.failed = nil
		} else {
			call(w)
		}
	}, func() error {
		if c.box.setBusy(false) {
			return errBreak
		}
		return w.finish()
	})
	if done {
		return errFatal
	}
	return err
}

// quietly passes to the session a request whose answer is not needed.
func (c *conn) quietly(req Request) *sqlerr.Error {
	w := &ResponseWriter{conn: c, Answer: wire.NewAnswer(c.ctx, nil), cur: &cursor{}}
	defer w.Cancel()
	c.do(req, w)
	return w.failure
}

// do passes a request to the session.
func (c *conn) do(req Request, w *ResponseWriter) {
	c.status = 0
	c.Guard(func() { c.sess.Do(req, w) }, func(p any) {
		w.Error(sqlerr.New(600, "internal error code, arguments: [sandbox], [%v]", p).Ending(sqlerr.Connection))
	})
}

// be16 reads two bytes.
func be16(b []byte) uint16 { return binary.BigEndian.Uint16(b) }
