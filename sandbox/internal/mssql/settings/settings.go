// Package settings holds the SET options of a session.
package settings

import "strings"

// Settings are the SET options of a session. A procedure and dynamic SQL get a copy, which
// is dropped when they return (learn.microsoft.com, "SET Statements (Transact-SQL)").
type Settings struct {
	NoCount, XactAbort, ImplicitTransactions           bool
	ANSINulls, ANSIPadding, ANSIWarnings, ANSINullDflt bool
	ArithAbort, ConcatNull, QuotedIdentifier           bool
	NumericRoundAbort, CursorCloseOnCommit, ForcePlan  bool
	FmtOnly, NoBrowseTable, NoExec, ParseOnly          bool
	RowCount, DateFirst                                int64
}

// Default returns the settings of a connection made by an OLE DB, ODBC or TDS driver that asks for
// ANSI defaults; ARITHABORT is implied by ANSI_WARNINGS from compatibility level 90 on.
func Default() Settings {
	return Settings{
		ANSINulls: true, ANSIPadding: true, ANSIWarnings: true, ANSINullDflt: true,
		ConcatNull: true, QuotedIdentifier: true, ArithAbort: true, DateFirst: 7,
	}
}

// Activation returns the settings of an activated procedure, as measured; the documentation gives the database defaults
// instead. Only ARITHABORT is off (FIDELITY.md, "activation SET options").
func Activation() Settings {
	o := Default()
	o.ArithAbort = false
	return o
}

// Flag finds an ON/OFF option by the parser's name for it.
func (o *Settings) Flag(name string) *bool {
	switch strings.ToLower(name) {
	case "nocount":
		return &o.NoCount
	case "xactabort":
		return &o.XactAbort
	case "implicittransactions":
		return &o.ImplicitTransactions
	case "ansinulls":
		return &o.ANSINulls
	case "ansipadding":
		return &o.ANSIPadding
	case "ansiwarnings":
		return &o.ANSIWarnings
	case "ansinulldflton":
		return &o.ANSINullDflt
	case "arithabort":
		return &o.ArithAbort
	case "concatnullyieldsnull":
		return &o.ConcatNull
	case "quotedidentifier":
		return &o.QuotedIdentifier
	case "numericroundabort":
		return &o.NumericRoundAbort
	case "cursorcloseoncommit":
		return &o.CursorCloseOnCommit
	case "forceplan":
		return &o.ForcePlan
	case "fmtonly":
		return &o.FmtOnly
	case "nobrowsetable":
		return &o.NoBrowseTable
	case "noexec":
		return &o.NoExec
	case "parseonly":
		return &o.ParseOnly
	}
	return nil
}
