package dialects

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"regexp"
	"strings"
)

var (
	// words are what Go's own errors mean.
	words = strings.NewReplacer(
		context.Canceled.Error(), "interrupted",
		context.DeadlineExceeded.Error(), "the time is up",
		sql.ErrNoRows.Error(), "the row that should be there is missing",
		driver.ErrBadConn.Error(), "the server closed the connection",
		io.ErrUnexpectedEOF.Error(), "the server closed the connection",
		"use of closed network connection", "the connection is closed",
	)
	// scanned matches a value that a column should not have.
	scanned = regexp.MustCompile(`sql: Scan error on column index \d+, name "([^"]*)": .*`)
)

// Words returns the text of an error for people: what it says in Go's terms is translated.
func Words(err error) string {
	if err == nil {
		return ""
	}
	text := scanned.ReplaceAllString(err.Error(), "column $1 has a value that it should not have")
	return words.Replace(text)
}

// firing matches the task that starts a firing of a schedule, on either engine.
var firing = regexp.MustCompile(`(?i)\.run_?firing(?: @FiringId = |\()(\d+)`)

// TaskText returns the SQL of a task for a list. The tasks of process 0 are dbsched's own: it says in words what they do.
func TaskText(process int64, sql string) string {
	if process != 0 {
		return sql
	}
	if m := firing.FindStringSubmatch(sql); m != nil {
		return "(internal: starts a schedule, firing " + m[1] + ")"
	}
	return "(internal) " + sql
}
