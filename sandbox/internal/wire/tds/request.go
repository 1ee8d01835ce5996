package tds

import (
	"errors"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// procName names a well-known procedure by number.
func procName(id uint16) (string, bool) {
	names := [...]string{
		ProcCursor: "sp_cursor", ProcCursorOpen: "sp_cursoropen", ProcCursorPrepare: "sp_cursorprepare",
		ProcCursorExecute: "sp_cursorexecute", ProcCursorPrepExec: "sp_cursorprepexec", ProcCursorUnprepare: "sp_cursorunprepare",
		ProcCursorFetch: "sp_cursorfetch", ProcCursorOption: "sp_cursoroption", ProcCursorClose: "sp_cursorclose",
		ProcExecuteSQL: "sp_executesql", ProcPrepare: "sp_prepare", ProcExecute: "sp_execute", ProcPrepExec: "sp_prepexec",
		ProcPrepExecRPC: "sp_prepexecrpc", ProcUnprepare: "sp_unprepare",
	}
	if id == 0 || int(id) >= len(names) {
		return "", false
	}
	return names[id], true
}

// maxCallParams is SQL Server's limit ("Maximum capacity specifications for SQL Server").
const maxCallParams = 2100

// maxTableColumns is the maximum number of columns of a table, without sparse ones (same page).
const maxTableColumns = 1024

// decodeRequests reads the requests of a message, several only if they are calls. A
// *sqlerr.Error is sent to the client and leaves the connection usable, any other error
// ends it.
func decodeRequests(m message) ([]Request, error) {
	d := decode(m.payload)
	var reqs []Request
	switch m.kind {
	case packBatch:
		d.allHeaders()
		if len(d.B)%2 != 0 {
			d.Failf("half a character at the end of a batch")
		}
		reqs = []Request{&Batch{SQL: charset.FromUTF16(d.B)}}
	case packRPC:
		d.allHeaders()
		reqs = d.calls()
	case packTransaction:
		d.allHeaders()
		reqs = []Request{d.transaction()}
	case packBulkLoad:
		reqs = []Request{d.bulkLoad()}
	default:
		d.Failf("message of type %#x", m.kind)
	}
	if d.Err != nil {
		return nil, d.Err
	}
	switch {
	case m.status&statusReset != 0:
		reqs[0].reset(ResetAll)
	case m.status&statusResetKeepTran != 0:
		reqs[0].reset(ResetKeepTran)
	}
	return reqs, nil
}

// allHeaders reads ALL_HEADERS ([MS-TDS] 2.2.5.3). The transaction descriptor says
// nothing on a connection without MARS, and an activity id is for traces.
func (d *decoder) allHeaders() {
	const queryNotification, transactionDescriptor, traceActivity = 1, 2, 3
	total := d.u32()
	if total < 4 || uint64(total-4) > uint64(len(d.B)) {
		d.Failf("headers of %d bytes", total)
		return
	}
	h := decode(d.Bytes(int(total - 4)))
	for !h.Ended() {
		n := h.u32()
		kind := h.u16()
		if n < 6 || uint64(n-6) > uint64(len(h.B)) {
			h.Failf("header of %d bytes", n)
			break
		}
		h.Bytes(int(n - 6))
		switch kind {
		case transactionDescriptor, traceActivity:
		case queryNotification:
			h.Fail(sqlerr.NotSupported("query notifications"))
		default:
			h.Failf("header of type %d", kind)
		}
	}
	d.Err = h.Err
}

// calls reads all calls of a message. The separator has been 0xFF since TDS 7.2; 0x80,
// the earlier one, is now the length of a name of 128 characters.
func (d *decoder) calls() []Request {
	const separator, noExecute = 0xFF, 0xFE
	var reqs []Request
	params := 0
	for first := true; first || !d.Ended(); first = false {
		r := &RPC{}
		if n := d.u16(); n == 0xFFFF {
			var ok bool
			r.ProcID = d.u16()
			if r.Proc, ok = procName(r.ProcID); !ok {
				d.Failf("procedure number %d", r.ProcID)
				return nil
			}
		} else {
			r.Proc = charset.FromUTF16(d.Bytes(2 * int(n)))
		}
		r.Recompile = d.u16()&1 != 0
		for !d.Ended() {
			if d.B[0] == separator {
				d.U8()
				break
			}
			if d.B[0] == noExecute {
				d.Fail(sqlerr.NotSupported("calls that are not to be executed"))
				return nil
			}
			if len(r.Params) == maxCallParams {
				d.Fail(sqlerr.New(8003, "The incoming request has too many parameters. The server supports a maximum of %d parameters. "+
					"Reduce the number of parameters and resend the request.", maxCallParams).Ending(sqlerr.Batch))
				return nil
			}
			if params++; params > maxParams {
				d.Failf("more than %d parameters in a message", maxParams)
				return nil
			}
			r.Params = append(r.Params, d.param(len(r.Params)))
		}
		if d.Err != nil {
			return nil
		}
		reqs = append(reqs, r)
	}
	return reqs
}

func (d *decoder) param(ordinal int) Param {
	const byReference, useDefault, encrypted = 1, 2, 8
	p := Param{Name: d.bVarchar(), Ordinal: ordinal}
	status := d.U8()
	p.Output, p.Default = status&byReference != 0, status&useDefault != 0
	if status&encrypted != 0 {
		d.Fail(sqlerr.NotSupported("Always Encrypted"))
		return p
	}
	if len(d.B) > 0 && TypeID(d.B[0]) == TableType {
		d.U8()
		p.TVP = d.tvp()
		p.Type.ID = TableType
		return p
	}
	w := d.typeInfo()
	p.Type, p.Value = w.Type, d.value(w)
	if errors.Is(d.Err, errInvalid) {
		d.Err = invalidParam(p)
	}
	return p
}

// invalidParam is SQL Server's error for a value outside its type.
func invalidParam(p Param) *sqlerr.Error {
	return sqlerr.New(8023, "The incoming tabular data stream (TDS) remote procedure call (RPC) protocol stream is incorrect. "+
		"Parameter %d (%q): The supplied value is not a valid instance of data type %s. Check the source data for invalid values. "+
		"An example of an invalid value is data of numeric type with scale greater than precision.",
		p.Ordinal+1, p.Name, p.Type).Ending(sqlerr.Batch)
}

// transaction reads a transaction manager request. Names have their length in bytes.
func (d *decoder) transaction() *Transaction {
	t := &Transaction{Op: TransactionOp(d.u16())}
	switch t.Op {
	case BeginTransaction:
		t.Isolation = d.isolation()
		t.Name = d.bVarbyteText()
	case CommitTransaction, RollbackTransaction:
		t.Name = d.bVarbyteText()
		if t.BeginAfter = d.U8()&1 != 0; t.BeginAfter {
			t.Isolation = d.isolation()
			t.BeginName = d.bVarbyteText()
		}
	case SaveTransaction:
		if t.Name = d.bVarbyteText(); t.Name == "" {
			d.Failf("savepoint without a name")
		}
	case 0, 1, 6:
		if d.Err == nil {
			d.Fail(sqlerr.NotSupported("distributed transactions"))
		}
	default:
		d.Failf("transaction manager request %d", t.Op)
	}
	return t
}

func (d *decoder) isolation() Isolation {
	i := Isolation(d.U8())
	if i > Snapshot {
		d.Failf("isolation level %d", i)
	}
	return i
}

// bulkLoad reads the data of a bulk load: COLMETADATA, ROWs, DONE.
func (d *decoder) bulkLoad() *BulkLoad {
	if t := d.U8(); t != tokenColMetadata {
		d.Failf("bulk load begins with token %#x", t)
		return nil
	}
	n := int(d.u16())
	if n == 0 || n > maxTableColumns {
		d.Failf("bulk load of %d columns", n)
		return nil
	}
	b := &BulkLoad{}
	var types []wireType
	for range n {
		w, c := d.column()
		c.Name = d.bVarchar()
		if d.Err != nil {
			return nil
		}
		types, b.Columns = append(types, w), append(b.Columns, c)
	}
	for d.Err == nil {
		if d.Ended() { // FreeTDS sends no DONE
			return b
		}
		switch t := d.U8(); t {
		case tokenRow:
			if !d.Cell(n) {
				return nil
			}
			row := make(value.Row, n)
			for i, w := range types {
				row[i] = d.value(w)
			}
			b.Rows = append(b.Rows, row)
		case tokenDone:
			return b
		default:
			d.Failf("token %#x in a bulk load", t)
		}
	}
	if errors.Is(d.Err, errInvalid) {
		d.Err = wire.Errorf("bulk load, row %d: %v", len(b.Rows), errInvalid)
	}
	return nil
}

// column reads user type, flags and TYPE_INFO.
func (d *decoder) column() (wireType, Column) {
	d.u32()
	flags := d.u16()
	w := d.typeInfo()
	switch w.ID {
	case Null:
		d.Failf("column without a type")
	case Text, NText, Image:
		if d.Err == nil {
			d.Fail(sqlerr.NotSupported("columns of type %s", w.Type))
		}
	}
	return w, Column{
		Type: w.Type, Nullable: flags&flagNullable != 0, Identity: flags&flagIdentity != 0,
		Computed: flags&flagComputed != 0, Default: flags&flagDefault != 0,
	}
}

// tvp reads a table-valued parameter after its type byte ([MS-TDS] 2.2.5.5.5).
func (d *decoder) tvp() *TVP {
	const end, row, orderUnique, columnOrdering, null = 0x00, 0x01, 0x10, 0x11, 0xFFFF
	d.bVarchar() // the database: empty
	t := &TVP{Schema: d.bVarchar(), Name: d.bVarchar()}
	n := int(d.u16())
	if t.Null = n == null; t.Null {
		n = 0
	}
	if n > maxTableColumns {
		d.Failf("table-valued parameter of %d columns", n)
	}
	var types []wireType
	for range n {
		w, c := d.column()
		c.Name = d.bVarchar()
		if d.Err != nil {
			return t
		}
		types, t.Columns = append(types, w), append(t.Columns, c)
	}
	switch tok := d.U8(); tok {
	case end:
	case orderUnique, columnOrdering:
		if d.Err == nil {
			d.Fail(sqlerr.NotSupported("sort order and column order of table-valued parameters"))
		}
	default:
		d.Failf("token %#x in a table-valued parameter", tok)
	}
	for d.Err == nil {
		switch tok := d.U8(); tok {
		case row:
			if n == 0 || !d.Cell(n) {
				d.Failf("row of a table-valued parameter without columns")
				return t
			}
			r := make(value.Row, n)
			for i, w := range types {
				if !t.Columns[i].Default {
					r[i] = d.value(w)
				}
			}
			t.Rows = append(t.Rows, r)
		case end:
			return t
		default:
			d.Failf("token %#x in a table-valued parameter", tok)
		}
	}
	if errors.Is(d.Err, errInvalid) {
		d.Err = wire.Errorf("table-valued parameter, row %d: %v", len(t.Rows)+1, errInvalid)
	}
	return t
}
