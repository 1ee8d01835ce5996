package tds

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// TransactionChange says what became of a session's transaction.
type TransactionChange uint8

// What clients are told of transactions, whoever began or ended them.
const (
	TransactionBegun      TransactionChange = envBegin
	TransactionCommitted  TransactionChange = envCommit
	TransactionRolledBack TransactionChange = envRollback
)

// ErrCancelled is returned by the methods of a ResponseWriter when the client sent
// an attention: what is written is no longer sent.
var ErrCancelled = errors.New("tds: the client has cancelled the request")

// ResponseWriter sends the answer to a request. Output is buffered up to the size of
// a packet; rows stream. Which DONE is the last one, whether an error came before it
// and whether an attention is to be acknowledged is the writer's business.
//
// The first failure to send sticks: then methods do nothing, Err tells it, and the
// session is being closed.
type ResponseWriter struct {
	ctx     context.Context
	cancel  context.CancelFunc
	out     *packetWriter
	server  string
	nbc     bool // the client knows rows with a NULL bitmap
	rpc     bool // statements end with DONEINPROC, the request with DONEPROC
	buf     []byte
	columns []Column
	query   bool  // a result set was sent since the last DONE
	errored bool  // an error was sent since the last DONE
	pending *done // the last DONE, until it is known whether more follows
	fatal   bool  // the connection is to be closed afterwards
	err     error
}

// Context is done when the request is cancelled by an attention or the connection
// is gone.
func (w *ResponseWriter) Context() context.Context { return w.ctx }

// Err returns why nothing can be sent any more: ErrCancelled or what broke the
// connection.
func (w *ResponseWriter) Err() error {
	if w.err == nil && w.ctx.Err() != nil {
		return ErrCancelled
	}
	return w.err
}

// begin makes room for a token: the DONE before it now has a successor.
func (w *ResponseWriter) begin() bool {
	if w.Err() != nil {
		return false
	}
	w.release()
	return true
}

func (w *ResponseWriter) release() {
	if w.pending != nil {
		w.pending.status |= doneMore
		w.buf = w.pending.append(w.buf)
		w.pending = nil
	}
}

// end sends what fills packets.
func (w *ResponseWriter) end() {
	buf, err := w.out.full(w.buf)
	w.buf = buf
	w.broken(err)
}

func (w *ResponseWriter) broken(err error) {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("tds: send: %w", err)
	}
}

// Flush sends what is buffered, as RAISERROR … WITH NOWAIT does.
func (w *ResponseWriter) Flush() {
	if !w.begin() || len(w.buf) == 0 {
		return
	}
	w.broken(w.out.packet(w.buf, false))
	w.buf = w.buf[:0]
}

// Columns begins a result set. The slice is kept until DoneStatement.
func (w *ResponseWriter) Columns(columns []Column) error {
	if len(columns) == 0 || len(columns) > 4096 { // columns per SELECT statement
		return fmt.Errorf("tds: result set of %d columns", len(columns))
	}
	if !w.begin() {
		return w.Err()
	}
	n := len(w.buf)
	b, err := appendColMetadata(w.buf, columns)
	if err != nil {
		w.buf = b[:n]
		return err
	}
	w.buf, w.columns, w.query = b, columns, true
	w.end()
	return w.Err()
}

// Row sends a row of the result set. A value that does not fit its column is an
// error and sends nothing.
func (w *ResponseWriter) Row(row value.Row) error {
	if err := w.Err(); err != nil {
		return err // perhaps already of the Columns before
	}
	if w.columns == nil {
		return errors.New("tds: row without a result set")
	}
	if len(row) != len(w.columns) {
		return fmt.Errorf("tds: row of %d values in a result set of %d columns", len(row), len(w.columns))
	}
	if !w.begin() {
		return w.Err()
	}
	start := len(w.buf)
	b, nulls := w.buf, -1
	if w.nbc && slices.ContainsFunc(row, value.Value.IsNull) {
		b = append(b, tokenNBCRow)
		nulls = len(b)
		b = append(b, make([]byte, (len(row)+7)/8)...)
	} else {
		b = append(b, tokenRow)
	}
	var err error
	for i, v := range row {
		c := &w.columns[i]
		if nulls >= 0 && v.IsNull() && c.Nullable {
			b[nulls+i/8] |= 1 << (i % 8)
			continue
		}
		if b, err = appendValue(b, c.Type, c.Nullable, v); err != nil {
			w.buf = b[:start]
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
	}
	w.buf = b
	w.end()
	return w.Err()
}

// DoneStatement ends a statement, and its result set if it had one. Statements that
// tell nothing (DECLARE, SET, IF …) have no need of it.
func (w *ResponseWriter) DoneStatement(d Done) {
	token := byte(tokenDone)
	if d.InProc || w.rpc {
		token = tokenDoneInProc
	}
	w.done(token, d)
}

// DoneProcedure ends an EXECUTE of a batch with the procedure's return status. The
// end of a remote procedure call is none: there ReturnStatus is to be used.
func (w *ResponseWriter) DoneProcedure(status int32) {
	w.ReturnStatus(status)
	w.done(tokenDoneProc, Done{})
}

func (w *ResponseWriter) done(token byte, d Done) {
	if !w.begin() {
		return
	}
	t := &done{token: token, command: d.Command}
	if d.HasCount {
		t.status, t.rows = doneCount, d.Rows
	}
	if w.query && d.Command == CommandNone && token != tokenDoneProc {
		t.command = CommandSelect
	}
	if w.errored {
		t.status |= doneError
	}
	w.pending, w.columns, w.query, w.errored = t, nil, false, false
}

// Error sends an error. One of severity 10 or less is a message. One that ends the
// connection closes it when Do has returned.
func (w *ResponseWriter) Error(e *sqlerr.Error) {
	if e.Scope == sqlerr.Connection || e.Severity >= 20 {
		w.fatal = true
	}
	m := Message{Number: e.Number, Class: e.Severity, State: e.State, Text: e.Text, Proc: e.Unit, Line: e.Line}
	if e.Severity <= 10 {
		w.Info(m)
		return
	}
	if !w.begin() {
		return
	}
	w.errored = true
	w.buf = appendMessage(w.buf, tokenError, w.server, m)
	w.end()
}

// Info sends a message.
func (w *ResponseWriter) Info(m Message) {
	if !w.begin() {
		return
	}
	w.buf = appendMessage(w.buf, tokenInfo, w.server, m)
	w.end()
}

// ReturnStatus sends a procedure's return status. In a remote procedure call it
// comes after all statements, before the first ReturnValue; sp_executesql has one, too.
func (w *ResponseWriter) ReturnStatus(status int32) {
	if !w.begin() {
		return
	}
	w.buf = binary.LittleEndian.AppendUint32(append(w.buf, tokenReturnStatus), uint32(status))
	w.end()
}

// ReturnValue sends an output parameter of a remote procedure call, as it was named,
// ordered and, for the engine's choice, typed by the call.
func (w *ResponseWriter) ReturnValue(p Param) error {
	if !w.begin() {
		return w.Err()
	}
	const outputParameter = 1
	start := len(w.buf)
	b := binary.LittleEndian.AppendUint16(append(w.buf, tokenReturnValue), uint16(p.Ordinal))
	b = append(appendBVarchar(b, p.Name), outputParameter)
	b, err := appendTypeHeader(b, p.Type, flagNullable, true)
	if err == nil {
		b, err = appendValue(b, p.Type, true, p.Value)
	}
	if err != nil {
		w.buf = b[:start]
		return fmt.Errorf("parameter %s: %w", p.Name, err)
	}
	w.buf = b
	w.end()
	return w.Err()
}

// EnvDatabase tells that the current database has changed. SQL Server sends message
// 5701 with it.
func (w *ResponseWriter) EnvDatabase(before, after string) { w.envText(envDatabase, before, after) }

// EnvLanguage tells that the language has changed. SQL Server sends message 5703
// with it.
func (w *ResponseWriter) EnvLanguage(before, after string) { w.envText(envLanguage, before, after) }

func (w *ResponseWriter) envText(kind byte, before, after string) {
	if !w.begin() {
		return
	}
	w.buf = appendEnvText(w.buf, kind, before, after)
	w.end()
}

// EnvTransaction tells what became of the session's transaction, begun or ended by
// whatever statement. The descriptor is the engine's and not 0. It is sent even when
// the request was cancelled: else a client would believe in a transaction that is gone.
func (w *ResponseWriter) EnvTransaction(change TransactionChange, descriptor uint64) {
	if w.err != nil {
		return
	}
	w.release()
	id := binary.LittleEndian.AppendUint64(nil, descriptor)
	if change == TransactionBegun {
		w.buf = appendEnv(w.buf, byte(change), id, nil)
	} else {
		w.buf = appendEnv(w.buf, byte(change), nil, id)
	}
	w.end()
}

// ackReset tells that the session was reset; it comes first.
func (w *ResponseWriter) ackReset() { w.buf = appendEnv(w.buf, envResetAck, nil, nil) }

// finishCall ends one of several calls of a message that is not the last one.
func (w *ResponseWriter) finishCall() {
	if w.begin() {
		t := done{token: tokenDoneProc, status: doneMore}
		if w.errored {
			t.status |= doneError
		}
		w.columns, w.query, w.errored = nil, false, false
		w.buf = t.append(w.buf)
		w.end()
	}
}

// finish ends the response.
func (w *ResponseWriter) finish() error {
	if w.err != nil {
		return w.err
	}
	last := done{token: tokenDone}
	switch {
	case w.rpc:
		w.release()
		last.token = tokenDoneProc
	case w.pending != nil && w.pending.token != tokenDoneInProc:
		last, w.pending = *w.pending, nil
	default:
		w.release()
	}
	if w.errored {
		last.status |= doneError
	}
	w.broken(w.out.message(last.append(w.buf)))
	w.buf = nil
	return w.err
}
