package tns

import (
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// maxBinds is the maximum number of variables in a statement (Database Reference, "Logical
// Database Limits").
const maxBinds = 65535

// Flags of a bind variable.
const (
	bindRepeated = 0x80
	bindPrefetch = 0x2000000 // in the second word
)

// bindDefs reads the descriptions of n bind variables or defined columns
// (ParameterInfo.write).
func (d *decoder) bindDefs(n int) []Bind {
	if n > maxBinds {
		d.Failf("%d bind variables", n)
		return nil
	}
	var binds []Bind
	for i := 0; i < n && d.Err == nil; i++ {
		wire, flags := d.U8(), d.U8()
		var b Bind
		b.Type.Precision = d.U8()
		if d.bare && (TypeID(wire) == Number || TypeID(wire) >= Timestamp && TypeID(wire) <= IntervalDS || TypeID(wire) == TimestampLTZ) {
			b.Type.Scale = int8(d.u())
		} else {
			b.Type.Scale = int8(d.U8())
		}
		b.Type.Length = d.u()
		b.MaxElements = d.u()
		more := d.u()
		objectType := d.u()
		if objectType > 0 {
			d.clr()
		}
		d.u() // its version
		charset := d.u()
		form := d.U8()
		b.Type.Chars = d.u()
		d.u() // collation
		var ok bool
		if b.Type.ID, ok = wireType(wire); d.Err == nil && (!ok || objectType > 0) {
			d.Fail(sqlerr.NotSupported("a bind variable of type %d", wire))
			return nil
		}
		b.Array = b.MaxElements > 0
		b.late = b.Type.ID.isLong()
		b.prefetch = more&bindPrefetch != 0
		b.Repeated = flags&bindRepeated != 0
		b.Type.National = form == 2 || charset == charsetUTF16
		binds = append(binds, b)
	}
	return binds
}

// locator is a LOB locator that a client passes; it is replaced with its value.
type locator uint64

// rows reads the values of n executions. sent says which variables have one. An
// error in a value whose bytes could be read is returned in refusal.
func (d *decoder) rows(n int, binds []Bind, sent func(i int) bool) (rows []value.Row, refusal *sqlerr.Error) {
	some := false
	for i := range binds {
		some = some || sent(i)
	}
	if !some || d.Ended() { // with RETURNING … INTO there may be nothing sent
		return []value.Row{make(value.Row, len(binds))}, nil
	}
	for i := 0; i < n && d.Err == nil; i++ {
		if m := d.U8(); m != msgRowData {
			d.Failf("message %#x instead of the values of bind variables", m)
			return nil, nil
		}
		if !d.Cell(len(binds)) {
			return nil, nil
		}
		row := make(value.Row, len(binds))
		for _, late := range []bool{false, true} {
			for j := range binds {
				if binds[j].late != late || !sent(j) {
					continue
				}
				if d.Ended() {
					// Oracle's clients send nothing for the variables of RETURNING … INTO,
					// which come last.
					break
				}
				v, err := d.bindValue(&binds[j])
				if err != nil && refusal == nil {
					refusal = sqlerr.NotSupported("bind variable %d: %v", j+1, err)
				}
				row[j] = v
			}
		}
		rows = append(rows, row)
	}
	return rows, refusal
}

// bindValue reads one value (Stmt.writePars).
func (d *decoder) bindValue(b *Bind) (value.Value, error) {
	switch {
	case b.Array:
		n := d.count()
		var first error
		var list []value.Value
		for i := 0; i < n && d.Cell(1); i++ {
			v, err := readValue(b.Type, d.clr())
			if first == nil {
				first = err
			}
			list = append(list, v)
		}
		return value.NewRef(list), first
	case b.Type.ID == Boolean:
		v := d.U8()
		if v == clrNull2 { // followed by a 1, it is NULL (python-oracledb, messages/base.pyx)
			d.U8()
			return value.Value{}, nil
		}
		return readValue(b.Type, d.Bytes(int(v)))
	case b.Type.ID == Rowid:
		return d.rowid(), nil
	case b.Type.ID == RefCursor:
		d.clr() // for a cursor that the engine opens
		return value.Value{}, nil
	case b.Type.ID.isLOB():
		if d.u() == 0 {
			return value.Value{}, nil
		}
		id, ok := locatorID(d.clr())
		if !ok {
			return value.Value{}, nil
		}
		return value.NewRef(locator(id)), nil
	default:
		return readValue(b.Type, d.clr())
	}
}
