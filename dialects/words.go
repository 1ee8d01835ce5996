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
