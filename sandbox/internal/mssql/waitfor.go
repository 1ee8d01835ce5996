package mssql

import (
	"fmt"
	"strings"
	"time"

	"github.com/sqlc-dev/teesql/ast"

	"github.com/dbsched/dbsched/sandbox/internal/kernel"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/query"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

// waitFor runs WAITFOR DELAY, WAITFOR TIME and WAITFOR (RECEIVE …).
func (s *Session) waitFor(f *frame, n *ast.WaitForStatement) {
	switch strings.ToLower(n.WaitForOption) {
	case "delay":
	case "statement":
		s.waitForMessage(f, n)
		return
	default:
		panic(sqlerr.NotSupported("WAITFOR %s", n.WaitForOption))
	}
	v, t, err := s.typed(f, n, n.Parameter)
	query.Check(err)
	clock := query.Must(clockText(textOf(v), v.N, t))
	if reason, _ := s.block("WAITFOR", kernel.Wait{For: clock}); reason == kernel.Interrupted {
		panic(errAttention)
	}
}

// clockText reads the argument of WAITFOR: hh:mm[[:ss].mss], or a datetime whose date part is not used.
// The seeds write '00:00:00:100' for 100 ms: the last colon stands for the point, as in all datetime literals.
func clockText(text string, ticks int64, t datatype.Type) (time.Duration, error) {
	bad := message.MS(148, text)
	if !t.IsCharacter() {
		const day = 24 * int64(time.Hour/100)
		return time.Duration(ticks%day) * 100, nil
	}
	text = strings.TrimSpace(text)
	main, fraction, _ := strings.Cut(text, ".")
	parts := strings.Split(main, ":")
	if len(parts) == 4 && fraction == "" {
		main, fraction = strings.Join(parts[:3], ":"), parts[3]
	}
	var h, m, sec int
	n, err := fmt.Sscanf(main+":0", "%d:%d:%d", &h, &m, &sec)
	if err != nil || n != 3 || len(parts) < 2 || h < 0 || h > 23 || m < 0 || m > 59 || sec < 0 || sec > 59 || len(fraction) > 3 {
		return 0, bad
	}
	var ms int
	if fraction != "" {
		if _, err := fmt.Sscanf((fraction + "00")[:3], "%d", &ms); err != nil {
			return 0, bad
		}
		if len(parts) == 4 { // hh:mm:ss:mmm counts milliseconds, not a fraction
			if _, err := fmt.Sscanf(fraction, "%d", &ms); err != nil {
				return 0, bad
			}
		}
	}
	return time.Duration(h)*time.Hour + time.Duration(m)*time.Minute + time.Duration(sec)*time.Second + time.Duration(ms)*time.Millisecond, nil
}
