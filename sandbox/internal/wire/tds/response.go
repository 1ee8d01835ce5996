package tds

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// TransactionChange says what happened to a session's transaction.
type TransactionChange uint8

// What clients are told about transactions, whoever began or ended them.
const (
	TransactionBegun      TransactionChange = envBegin
	TransactionCommitted  TransactionChange = envCommit
	TransactionRolledBack TransactionChange = envRollback
)

// ErrCancelled says that the client sent an attention.
var ErrCancelled = wire.ErrCancelled

// ResponseWriter sends the answer to a request. Output is buffered up to the size of
// a packet; rows stream. Which DONE is the last one, whether an error came before it
// and whether an attention must be acknowledged is up to the writer.
type ResponseWriter struct {
	wire.Answer
	server  string
	nbc     bool // the client supports rows with a NULL bitmap
	rpc     bool // statements end with DONEINPROC, the request with DONEPROC
	columns []Column
	query   bool  // a result set has been sent since the last DONE
	errored bool  // an error has been sent since the last DONE
	pending *done // the last DONE, until it is known whether more follows
}

// begin makes room for a token: the DONE before it is no longer the last.
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
		w.Buf = w.pending.append(w.Buf)
		w.pending = nil
	}
}

// Flush sends what is buffered, as RAISERROR … WITH NOWAIT does.
func (w *ResponseWriter) Flush() {
	if w.begin() {
		w.Answer.Flush()
	}
}

// Columns begins a result set. The slice is kept until DoneStatement.
func (w *ResponseWriter) Columns(columns []Column) error {
	if len(columns) == 0 || len(columns) > 4096 { // columns per SELECT statement
		return fmt.Errorf("tds: result set of %d columns", len(columns))
	}
	if !w.begin() {
		return w.Err()
	}
	n := len(w.Buf)
	b, err := appendColMetadata(w.Buf, columns)
	if err != nil {
		w.Buf = b[:n]
		return err
	}
	w.Buf, w.columns, w.query = b, columns, true
	w.Spill()
	return w.Err()
}

// Row sends a row of the result set. A value that does not fit its column is an
// error and sends nothing.
func (w *ResponseWriter) Row(row value.Row) error {
	if err := w.Err(); err != nil {
		return err // possibly already from Columns
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
	start := len(w.Buf)
	b, nulls := w.Buf, -1
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
		if b, err = appendValue(b, c.Type, c.Nullable, v, w.Room()); err != nil {
			w.Buf = b[:start]
			return fmt.Errorf("column %q: %w", c.Name, err)
		}
	}
	w.Buf = b
	w.Spill()
	return w.Err()
}

// DoneStatement ends a statement, and its result set if it had one. Statements that
// report nothing (DECLARE, SET, IF …) do not need it.
func (w *ResponseWriter) DoneStatement(d Done) {
	token := byte(tokenDone)
	if d.InProc || w.rpc {
		token = tokenDoneInProc
	}
	w.done(token, d)
}

// DoneProcedure ends an EXECUTE in a batch with the procedure's return status. The
// end of a remote procedure call is different: there, use ReturnStatus.
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

// Error sends an error. An error of severity 10 or less is a message. One that ends the
// connection closes it when Do has returned.
func (w *ResponseWriter) Error(e *sqlerr.Error) {
	if e.Scope == sqlerr.Connection || e.Severity >= 20 {
		w.Fatal = true
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
	w.Buf = appendMessage(w.Buf, tokenError, w.server, m)
	w.Spill()
}

// Info sends a message.
func (w *ResponseWriter) Info(m Message) {
	if !w.begin() {
		return
	}
	w.Buf = appendMessage(w.Buf, tokenInfo, w.server, m)
	w.Spill()
}

// ReturnStatus sends a procedure's return status. In a remote procedure call it
// comes after all statements, before the first ReturnValue; sp_executesql also has one.
func (w *ResponseWriter) ReturnStatus(status int32) {
	if !w.begin() {
		return
	}
	w.Buf = binary.LittleEndian.AppendUint32(append(w.Buf, tokenReturnStatus), uint32(status))
	w.Spill()
}

// ReturnValue sends an output parameter of a remote procedure call, named, ordered and,
// where the engine leaves the choice, typed as in the call.
func (w *ResponseWriter) ReturnValue(p Param) error {
	if !w.begin() {
		return w.Err()
	}
	const outputParameter = 1
	start := len(w.Buf)
	b := binary.LittleEndian.AppendUint16(append(w.Buf, tokenReturnValue), uint16(p.Ordinal))
	b = append(appendBVarchar(b, p.Name), outputParameter)
	b, err := appendTypeHeader(b, p.Type, flagNullable, true)
	if err == nil {
		b, err = appendValue(b, p.Type, true, p.Value, w.Room())
	}
	if err != nil {
		w.Buf = b[:start]
		return fmt.Errorf("parameter %s: %w", p.Name, err)
	}
	w.Buf = b
	w.Spill()
	return w.Err()
}

// EnvDatabase reports that the current database has changed. SQL Server sends message
// 5701 with it.
func (w *ResponseWriter) EnvDatabase(before, after string) { w.envText(envDatabase, before, after) }

// EnvLanguage reports that the language has changed. SQL Server sends message 5703
// with it.
func (w *ResponseWriter) EnvLanguage(before, after string) { w.envText(envLanguage, before, after) }

func (w *ResponseWriter) envText(kind byte, before, after string) {
	if !w.begin() {
		return
	}
	w.Buf = appendEnvText(w.Buf, kind, before, after)
	w.Spill()
}

// EnvTransaction reports what happened to the session's transaction, begun or ended by
// any statement. The descriptor is the engine's and not 0. It is sent even when
// the request was canceled: otherwise a client would think a transaction was open that is gone.
func (w *ResponseWriter) EnvTransaction(change TransactionChange, descriptor uint64) {
	if w.Broken() != nil {
		return
	}
	w.release()
	id := binary.LittleEndian.AppendUint64(nil, descriptor)
	if change == TransactionBegun {
		w.Buf = appendEnv(w.Buf, byte(change), id, nil)
	} else {
		w.Buf = appendEnv(w.Buf, byte(change), nil, id)
	}
	w.Spill()
}

// ackReset reports that the session was reset; it comes first.
func (w *ResponseWriter) ackReset() { w.Buf = appendEnv(w.Buf, envResetAck, nil, nil) }

// finishCall ends a call that is not the last one of a message.
func (w *ResponseWriter) finishCall() {
	if w.begin() {
		t := done{token: tokenDoneProc, status: doneMore}
		if w.errored {
			t.status |= doneError
		}
		w.columns, w.query, w.errored = nil, false, false
		w.Buf = t.append(w.Buf)
		w.Spill()
	}
}

// finish ends the response.
func (w *ResponseWriter) finish() error {
	if err := w.Broken(); err != nil {
		return err
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
	w.Buf = last.append(w.Buf)
	return w.Finish()
}
