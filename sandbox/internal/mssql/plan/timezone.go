package plan

import (
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/internal/zones"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// atTimeZone is AT TIME ZONE. A value with an offset is converted; one without is already a local time: in the gap of a time change
// it gets the offset after the change, in the overlap the one before it (AT TIME ZONE, Remarks).
func (n *names) atTimeZone(x *ast.AtTimeZoneCall) *expr {
	e := n.scalar(x.DateValue)
	zone := implicitTo(n.scalar(x.TimeZone), datatype.Sized(datatype.NVarChar, 128))
	scale := e.Type.Scale
	switch e.Type.ID {
	case datatype.DateTimeOffset, datatype.DateTime2:
	case datatype.DateTime:
		scale = 3
	default:
		panic(datatype.ErrArgument(e.Type, 1, "AT TIME ZONE"))
	}
	date, name, local := e.Eval, zone.Eval, e.Type.ID != datatype.DateTimeOffset
	return derive(datatype.Scaled(datatype.DateTimeOffset, scale), "AT TIME ZONE", []*expr{e, zone}, func(fr *query.Frame) value.Value {
		v, z := date(fr), name(fr)
		if v.IsNull() || z.IsNull() {
			return value.Value{}
		}
		loc, ok := zones.Location(z.Str())
		if !ok {
			query.Raise(message.MS(9820, z.Str()))
		}
		ticks := v.N
		if local {
			before, after := offset(loc, ticks-datatype.TicksPerDay), offset(loc, ticks+datatype.TicksPerDay)
			if t := ticks - after; offset(loc, t) == after && offset(loc, ticks-before) != before {
				ticks = t
			} else {
				ticks -= before
			}
		}
		return value.NewTime(ticks, int16(offset(loc, ticks)/datatype.TicksPerMinute))
	})
}

// offset is how far a zone is ahead of UTC at an instant, in ticks.
func offset(loc *time.Location, ticks int64) int64 {
	at := time.Unix((ticks-datatype.DateTicks(1970, 1, 1))/datatype.TicksPerSecond, 0)
	_, seconds := at.In(loc).Zone()
	return int64(seconds) * datatype.TicksPerSecond / datatype.TicksPerMinute * datatype.TicksPerMinute
}
