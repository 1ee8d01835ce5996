package datatype

import (
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/message"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Types of constants, learn.microsoft.com "Constants (Transact-SQL)".

// IntLiteral returns the decimal type of an integer literal that is combined with
// a decimal: as many digits as it has. With anything else it is an int.
func IntLiteral(n int64) Type {
	digits := len(strconv.FormatInt(n, 10))
	if n < 0 {
		digits--
	}
	return DecimalOf(uint8(digits), 0)
}

// NumberLiteral reads an unsigned numeric constant: int where it fits, decimal for
// more digits or a point, float with an exponent. A decimal has the digits as written,
// leading zeros of the whole part not counted.
func NumberLiteral(text string) (value.Value, Type, error) {
	if strings.ContainsAny(text, "eE") {
		mantissa, exp, _ := strings.Cut(strings.ToLower(text), "e")
		if exp == "" || exp == "+" || exp == "-" { // 1e is 1e0
			exp += "0"
		}
		f, err := strconv.ParseFloat(mantissa+"e"+exp, 64)
		if err != nil {
			return value.Value{}, Type{}, message.MS(168, text)
		}
		return value.NewFloat(f), Of(Float), nil
	}
	whole, frac, point := strings.Cut(text, ".")
	whole = strings.TrimLeft(whole, "0")
	if !point && len(whole) <= 10 {
		if n, err := strconv.ParseInt("0"+whole, 10, 32); err == nil {
			return value.NewInt(n), Of(Int), nil
		}
	}
	digits := whole + frac
	if len(digits) > 38 {
		return value.Value{}, Type{}, message.MS(1007, text)
	}
	m, ok := new(big.Int).SetString("0"+digits, 10)
	if !ok {
		return value.Value{}, Type{}, message.MS(102, text)
	}
	scale := uint8(len(frac))
	t := DecimalOf(uint8(max(len(digits), 1)), scale)
	t.Num = true
	return value.NewBigDecimal(m, scale), t, nil
}

// StringLiteral gives a character constant its type: varchar(n) or, with unicode,
// nvarchar(n), (max) if it is longer than the sized type holds. The length of an empty one is 1.
func StringLiteral(s string, unicode bool, coll Collation) (value.Value, Type) {
	id, limit := VarChar, 8000
	if unicode {
		id, limit = NVarChar, 4000
	} else {
		s = ToCodePage(s)
	}
	n := max(charset.Len16(s), 1)
	if n > limit {
		n = Max
	}
	return value.NewString(s), Sized(id, n).WithCollation(coll)
}

// BinaryLiteral reads the hexadecimal digits after 0x; an odd number of them gets
// a leading zero. Its type is varbinary(n).
func BinaryLiteral(hexDigits string) (value.Value, Type, error) {
	if len(hexDigits)%2 == 1 {
		hexDigits = "0" + hexDigits
	}
	b, err := hex.DecodeString(hexDigits)
	if err != nil {
		return value.Value{}, Type{}, message.MS(102, hexDigits)
	}
	n := max(len(b), 1)
	if n > 8000 {
		n = Max
	}
	return value.NewBytes(b), Sized(VarBinary, n), nil
}
