package simulation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// look is a step that photographs the tables; nothing else happens.
const look order = "look"

// photo is what one statement sees in dbsched's tables: of each transaction everything or nothing.
type photo struct {
	at      time.Time     // by the server's clock
	skew    time.Duration // how far that was moved
	settled bool          // everything has ended
	idle    bool          // so have the workers: nobody has started the scheduler for an hour
	all     map[string][]line
}

// line is a row of a table.
type line struct {
	table  *table
	values []string
}

// table is a table of dbsched's, and which of its columns are read.
type table struct {
	name    string
	columns []string
	place   map[string]int
}

// photographed are the tables and their columns, as SQL Server's are called. A star: there is none like it on Oracle; a plus: only there.
var photographed = []*table{
	read("Tasks", `TaskId ProcessId ExecutionOrder Priority ExpectedSeconds Rank* Status WaitReason DueAt MaxAttempts RetryDelaySeconds OnOrphan Attempt
		Failures Orphans OutageSince TimeoutSeconds StopOutcome StopAt StopTries DedupKey DuplicateOf EnqueuedAt EnqueuedBy TransactionId* LaneId WorkerId
		LogId StartedAt FinishedAt ResourceId SqlText ClaimKey+`),
	read("Logs", `LogId TaskId ProcessId ExecutionOrder Attempt EnqueuedBy LaneId WorkerId SessionId StartedAt EndedAt Outcome ErrorNumber RowsAffected SqlText`),
	read("Lanes", `LaneId State StateAt WorkerId SessionId EnteredAt OrderedAt+ CondemnedBy+`),
	read("Processes", `ProcessId Name Status CloseRequested MaxParallel OnError Running HasWork WaveOrder WaveRank WaveTaskId* LastServedAt TasksSucceeded
		TasksFailed CreatedAt FinishedAt`),
	read("Settings", `Started MaxWorkers MaxLanes NextSweepAt MaxRetryDelaySeconds MaxOrphans`),
	read("ResourceRequests", `ResourceId RequestId Status Access ProcessId TaskId SessionId LeaseSeconds LeaseUntil RequestedAt GrantedAt`),
	read("ProcessRequests", `ProcessId RequestId Action`),
}

func read(name, columns string) *table {
	t := &table{name: name, columns: strings.Fields(columns), place: map[string]int{}}
	for i, c := range t.columns {
		t.place[strings.TrimRight(c, "*+")] = i
	}
	return t
}

// snapshot is the query that photographs the tables: all, or only some.
func snapshot(dialect string, some ...string) string {
	width := 0
	for _, t := range photographed {
		width = max(width, len(t.columns))
	}
	var parts []string
	for i, t := range photographed {
		if len(some) > 0 && !slices.Contains(some, t.name) {
			continue
		}
		exprs := []string{fmt.Sprintf("'%d'", i)}
		for n := range width {
			column := ""
			if n < len(t.columns) {
				column = t.columns[n]
			}
			if dialect == "mssql" {
				exprs = append(exprs, mssqlText(column))
			} else {
				exprs = append(exprs, oracleText(column))
			}
		}
		from := "dbsched." + t.name + " AS x"
		if dialect == "oracle" {
			from = "ds_" + snake(t.name) + " x"
		}
		parts = append(parts, "SELECT "+strings.Join(exprs, ", ")+" FROM "+from)
	}
	all := strings.Join(parts, "\nUNION ALL ")
	if dialect == "mssql" {
		return "SET TRANSACTION ISOLATION LEVEL SNAPSHOT;\n" + all + ";"
	}
	return all
}

func mssqlText(column string) string {
	expr := "x." + strings.TrimSuffix(column, "*")
	switch {
	case column == "" || strings.HasSuffix(column, "+"):
		return "N''"
	case strings.HasSuffix(column, "At") || column == "OutageSince" || column == "LeaseUntil":
		return "COALESCE(CONVERT(nvarchar(30), CONVERT(datetime2(3), " + expr + "), 126), N'')"
	case column == "EnqueuedBy":
		return "CONVERT(nvarchar(200), x.EnqueuedBySid, 1)"
	case column == "SqlText":
		return "LEFT(x.SqlText, 100)"
	}
	return "COALESCE(CONVERT(nvarchar(200), " + expr + "), N'')"
}

func oracleText(column string) string {
	expr := "x." + snake(strings.TrimSuffix(column, "+"))
	switch {
	case column == "" || strings.HasSuffix(column, "*"):
		return "''"
	case column == "WaveRank":
		return "to_char(x.wave_key)"
	case column == "Access":
		return "x.access_mode"
	case strings.HasSuffix(column, "At") || column == "OutageSince" || column == "LeaseUntil":
		return "to_char(sys_extract_utc(" + expr + `), 'YYYY-MM-DD"T"HH24:MI:SS.FF3')`
	case column == "SqlText":
		return "to_char(substr(x.sql_text, 1, 100))"
	}
	return "to_char(" + expr + ")"
}

// snake returns Oracle's name of a column or table.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func (l line) text(column string) string { return l.values[l.table.place[column]] }
func (l line) has(column string) bool    { return l.text(column) != "" }
func (l line) flag(column string) bool   { return l.text(column) == "1" || l.text(column) == "Y" }
func (l line) is(column string, values ...string) bool {
	return slices.Contains(values, l.text(column))
}

// num is a number; none is 0.
func (l line) num(column string) int64 { return num(l.text(column)) }

// time is a time; none is zero.
func (l line) time(column string) time.Time {
	if !l.has(column) {
		return time.Time{}
	}
	at, err := time.Parse("2006-01-02T15:04:05.999", l.text(column))
	if err != nil {
		panic(err)
	}
	return at
}

// photograph photographs the tables, unless a fault prevents it.
func (p *player) photograph(query string) *photo {
	c, err := p.s.Open("")
	if err != nil {
		return nil
	}
	defer c.Close()
	rows, err := c.Do(query)
	if err != nil {
		if !lost(err) && !faulty.MatchString(err.Error()) {
			p.h.trouble = append(p.h.trouble, fmt.Sprintf("the tables: %v", err))
		}
		return nil
	}
	f := &photo{at: p.s.Now(), skew: p.skew, all: map[string][]line{}}
	for _, r := range rows {
		i, _ := strconv.Atoi(r[0])
		t := photographed[i]
		f.all[t.name] = append(f.all[t.name], line{t, r[1:]})
	}
	p.h.photos = append(p.h.photos, f)
	return f
}
