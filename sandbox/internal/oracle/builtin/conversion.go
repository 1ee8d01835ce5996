package builtin

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func conversionFuncs() []Func {
	toDate := func(name string, t datatype.Type) Func {
		return Func{Name: name, MinArgs: 1, MaxArgs: 2, NullIn: true, Result: fixed(t, tText), Eval: func(c *call) value.Value {
			return parseDate(c, t)
		}}
	}
	convert := func(name string, t datatype.Type) Func {
		return Func{Name: name, MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(t, t), Eval: func(c *call) value.Value { return c.as(0, t) }}
	}
	return []Func{
		{Name: "TO_CHAR", MinArgs: 1, MaxArgs: 2, NullIn: true, Result: toCharType, Eval: toChar},
		toDate("TO_DATE", tDate),
		toDate("TO_TIMESTAMP", tTS),
		toDate("TO_TIMESTAMP_TZ", tTSTZ),
		{Name: "TO_NUMBER", MinArgs: 1, MaxArgs: 2, NullIn: true, Result: func(args []datatype.Type, _ bool) (datatype.Type, error) {
			if len(args) > 1 {
				return tNumber, check(args, tText)
			}
			return tNumber, check(args, tNumber)
		}, Eval: func(c *call) value.Value {
			if len(c.args) == 1 {
				return c.as(0, tNumber)
			}
			v, err := datatype.ParseNumberAs(c.text(0), c.text(1), c.env)
			if err != nil {
				return c.fail(err)
			}
			return v
		}},
		convert("TO_BINARY_DOUBLE", datatype.Of(datatype.BinaryDouble)),
		convert("TO_BINARY_FLOAT", datatype.Of(datatype.BinaryFloat)),
		{Name: "TO_CLOB", MinArgs: 1, MaxArgs: 1, NullIn: true, Result: fixed(tCLOB, tText), Eval: func(c *call) value.Value {
			return value.NewString(c.text(0))
		}},
		{Name: "EMPTY_CLOB", Result: fixed(tCLOB), Eval: func(*call) value.Value { return value.NewString("") }},
		{Name: "EMPTY_BLOB", Result: fixed(datatype.Of(datatype.BLOB)), Eval: func(*call) value.Value { return value.NewBytes(nil) }},
		{Name: "STANDARD_HASH", MinArgs: 1, MaxArgs: 2, Result: hashType, Eval: standardHash},
	}
}

func toCharType(args []datatype.Type, _ bool) (datatype.Type, error) {
	switch a := args[0]; {
	case a.ID == datatype.BLOB || a.ID == datatype.Boolean || a.ID == datatype.Raw:
		return tText, datatype.ErrInconsistent("CHAR", a)
	case len(args) > 1 && a.IsInterval():
		return tText, sqlerr.NotSupported("TO_CHAR of an interval with a format")
	case len(args) > 1 && isLOBText(a):
		return tText, datatype.ErrInconsistent("NUMBER", a)
	}
	return tText, check(args[1:], tText)
}

func toChar(c *call) value.Value {
	t := c.types[0]
	var s string
	var err error
	switch {
	case len(c.args) == 1:
		v := c.as(0, tText) // a CLOB that is too long is an error here
		s = v.Str()
	case t.IsDatetime():
		s, err = datatype.FormatDate(c.args[0], t, c.text(1), c.env)
	case t.IsBinaryFloat():
		err = sqlerr.NotSupported("TO_CHAR of a binary floating-point number with a format")
	default: // text is converted to a number
		n := c.as(0, tNumber)
		if c.err != nil {
			return n
		}
		s, err = datatype.FormatNumberAs(n, c.text(1), c.env)
	}
	if err != nil {
		return c.fail(err)
	}
	return datatype.NewText(s)
}

func parseDate(c *call, t datatype.Type) value.Value {
	if len(c.args) == 1 && c.types[0].ID == t.ID {
		return c.args[0]
	}
	s := c.text(0)
	format := c.env.Format(t.ID)
	if len(c.args) > 1 {
		format = c.text(1)
	}
	if c.err != nil || s == "" {
		return value.Value{}
	}
	v, err := datatype.ParseDate(s, format, t, c.env)
	if err != nil {
		return c.fail(err)
	}
	return v
}

// hashType accepts only text and RAW: for other types the hash covers the stored
// form, which the sandbox does not have.
func hashType(args []datatype.Type, plsql bool) (datatype.Type, error) {
	a := args[0]
	if plsql || !a.IsText() && a.ID != datatype.Raw || a.IsNational() {
		return tRaw, sqlerr.NotSupported("STANDARD_HASH of %s", a)
	}
	return tRaw, check(args[1:], tText)
}

func standardHash(c *call) value.Value {
	if !c.has(0) {
		return c.fail(sqlerr.NotSupported("STANDARD_HASH of NULL"))
	}
	method := "SHA1"
	if len(c.args) > 1 {
		method = strings.ToUpper(c.text(1))
	}
	data := []byte(c.args[0].Str())
	var sum []byte
	switch method {
	case "SHA1":
		h := sha1.Sum(data)
		sum = h[:]
	case "SHA256":
		h := sha256.Sum256(data)
		sum = h[:]
	case "SHA384":
		h := sha512.Sum384(data)
		sum = h[:]
	case "SHA512":
		h := sha512.Sum512(data)
		sum = h[:]
	case "MD5":
		h := md5.Sum(data)
		sum = h[:]
	default:
		return c.fail(sqlerr.NotSupported("STANDARD_HASH method %s", method))
	}
	return value.NewBytes(sum)
}
