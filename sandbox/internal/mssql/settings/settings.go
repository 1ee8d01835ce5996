// Package settings holds the SET options of a session.
package settings

import (
	"reflect"
	"strings"
)

// Settings are the SET options of a session. A procedure and dynamic SQL get a copy, which
// is dropped when they return (learn.microsoft.com, "SET Statements (Transact-SQL)").
type Settings struct {
	NoCount, XactAbort, ImplicitTransactions             bool
	ANSINulls, ANSIPadding, ANSIWarnings, ANSINullDfltOn bool
	ArithAbort, ConcatNullYieldsNull, QuotedIdentifier   bool
	NumericRoundAbort, CursorCloseOnCommit, ForcePlan    bool
	FmtOnly, NoBrowseTable, NoExec, ParseOnly            bool
	RowCount, DateFirst                                  int64
}

// Default returns the settings of a connection made by an OLE DB, ODBC or TDS driver that asks for
// ANSI defaults; ARITHABORT is implied by ANSI_WARNINGS from compatibility level 90 on.
func Default() Settings {
	return Settings{
		ANSINulls: true, ANSIPadding: true, ANSIWarnings: true, ANSINullDfltOn: true,
		ConcatNullYieldsNull: true, QuotedIdentifier: true, ArithAbort: true, DateFirst: 7,
	}
}

// Activation returns the settings of an activated procedure, as measured; the documentation gives the database defaults
// instead. Only ARITHABORT is off (FIDELITY.md, "activation SET options").
func Activation() Settings {
	o := Default()
	o.ArithAbort = false
	return o
}

// Flag finds an ON/OFF option by the parser's name for it, which the field has, too; nil: there is none.
func (o *Settings) Flag(name string) *bool {
	f := reflect.ValueOf(o).Elem().FieldByNameFunc(func(field string) bool { return strings.EqualFold(field, name) })
	if !f.IsValid() || f.Kind() != reflect.Bool {
		return nil
	}
	return f.Addr().Interface().(*bool)
}
