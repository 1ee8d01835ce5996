// Package builtin holds SQL Server's scalar functions and aggregates that need nothing
// but their arguments: no session, no clock, no catalog. Sources are the function pages
// of learn.microsoft.com, "What are the SQL database functions?".
package builtin

import (
	"cmp"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/function"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Many is the MaxArgs of a function without a practical limit.
const Many = 254

// Func is a scalar function, by its name in lower case. With DatePart, its first argument is what ParseDatePart returned. Result fails
// with 8116, 206 or 257 for a type that the function does not accept.
type Func = function.Func[func(args []datatype.Type) (datatype.Type, error), func(args []value.Value, types []datatype.Type) (value.Value, error)]

// CheckCount returns 174 or 189 if the function is not called with n arguments.
func CheckCount(f *Func, n int) error {
	switch {
	case f.Outside(n) == 0:
		return nil
	case f.MinArgs == f.MaxArgs:
		return message.MS(174, f.Name, f.MinArgs)
	}
	return message.MS(189, f.Name, f.MinArgs, f.MaxArgs)
}

// Lookup returns the function of that name; case does not matter.
func Lookup(name string) (*Func, bool) {
	f, ok := registry[strings.ToLower(name)]
	return f, ok
}

// registry is filled once and never changes.
var registry = function.Registry(stringFuncs(), searchFuncs(), textFuncs(), mathFuncs(), dateFuncs(), jsonFuncs())

// Short names for types.
var (
	tInt    = datatype.Of(datatype.Int)
	tBigInt = datatype.Of(datatype.BigInt)
	tFloat  = datatype.Of(datatype.Float)

	tDateTime = datatype.Of(datatype.DateTime)
)

func nvarchar(n int) datatype.Type { return datatype.Sized(datatype.NVarChar, n) }
func varchar(n int) datatype.Type  { return datatype.Sized(datatype.VarChar, n) }

// null is the NULL that functions return.
var null value.Value

// fixed is a Result for functions that always return the same type; each argument must convert implicitly
// to the type at its position (the last type applies to all further arguments).
func fixed(result datatype.Type, params ...datatype.Type) func([]datatype.Type) (datatype.Type, error) {
	return func(args []datatype.Type) (datatype.Type, error) {
		return result, check(args, params...)
	}
}

func check(args []datatype.Type, params ...datatype.Type) error {
	return function.Fit(args, params, datatype.CheckImplicit)
}

// to converts an argument implicitly.
func to(v value.Value, from, t datatype.Type) (value.Value, error) {
	return datatype.Convert(v, from, t, datatype.NoStyle, datatype.Implicit)
}

// toInt converts an argument to int and returns it.
func toInt(v value.Value, from datatype.Type) (int, error) {
	if from.IsInteger() && from.ID != datatype.BigInt {
		return int(v.N), nil
	}
	v, err := to(v, from, tInt)
	return int(v.N), err
}

// charType is the character type in which a function works on an argument: its own, or
// varchar if it is not a string. Fixed-length types become variable-length ones of the same length.
func charType(t datatype.Type) datatype.Type {
	switch t.ID {
	case datatype.Char, datatype.VarChar:
		return varchar(int(t.Len)).WithCollation(t.Coll)
	case datatype.NChar, datatype.NVarChar:
		return nvarchar(int(t.Len)).WithCollation(t.Coll)
	case datatype.Binary, datatype.VarBinary:
		return varchar(int(t.Len))
	case datatype.Untyped:
		return varchar(8000)
	default:
		return varchar(cmp.Or(textLens[t.ID], 40))
	}
}

// textLens are the lengths of the longest texts of types that are no strings; others have 40.
var textLens = map[datatype.ID]int{
	datatype.Bit: 1, datatype.TinyInt: 12, datatype.SmallInt: 12, datatype.Int: 12, datatype.BigInt: 24, datatype.Decimal: 41,
	datatype.UniqueIdentifier: 36, datatype.SQLVariant: 8000,
}

// textArg returns an argument as text in its charType.
func textArg(v value.Value, t datatype.Type) (string, error) {
	if t.IsCharacter() {
		return v.Str(), nil
	}
	v, err := to(v, t, charType(t).WithLen(datatype.Max))
	return v.Str(), err
}

// wide returns t with the largest length below (max), or t itself if it is a (max) type.
func wide(t datatype.Type) datatype.Type {
	switch {
	case t.IsMax():
		return t
	case t.IsUnicode():
		return t.WithLen(4000)
	}
	return t.WithLen(8000)
}

// common returns the character type for a result built from several strings: Unicode
// if any of them is Unicode, (max) if any of them is (max).
func common(types ...datatype.Type) datatype.Type {
	result := charType(types[0])
	for _, t := range types[1:] {
		c := charType(t)
		if c.IsUnicode() && !result.IsUnicode() {
			result.ID = datatype.NVarChar
		}
		if c.IsMax() {
			result.Len = datatype.Max
		}
	}
	return wide(result)
}

// newText returns s as a value of a character type, cut to its length.
func newText(s string, t datatype.Type) value.Value {
	if !t.IsMax() && len(s) > int(t.Len) {
		s = charset.Sub16(s, 0, int(t.Len))
	}
	return value.NewString(s)
}

// noLOB refuses text, ntext and xml arguments with 8116.
func noLOB(fn string, args []datatype.Type, places ...int) error {
	for _, i := range places {
		if i < len(args) {
			switch args[i].ID {
			case datatype.Table, datatype.Cursor:
				return datatype.ErrArgument(args[i], i+1, fn)
			}
		}
	}
	return nil
}

// countType is int, or bigint for the lengths and positions of a (max) type.
func countType(t datatype.Type) datatype.Type {
	if t.IsMax() {
		return tBigInt
	}
	return tInt
}
