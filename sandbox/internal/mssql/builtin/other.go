package builtin

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

func otherFuncs() []Func {
	variant := datatype.Of(datatype.SQLVariant)
	return []Func{
		{
			Name: "hashbytes", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				if !args[1].IsCharacter() && !args[1].IsBinary() && args[1].ID != datatype.Untyped {
					return datatype.Type{}, datatype.ErrArgument(args[1], 2, "hashbytes")
				}
				return datatype.Sized(datatype.VarBinary, 8000), check(args[:1], nvarchar(4000))
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				raw, err := datatype.Convert(args[1], types[1], datatype.Sized(datatype.VarBinary, datatype.Max), datatype.NoStyle, datatype.Explicit)
				if err != nil {
					return null, err
				}
				sum, ok := hash(args[0].Str(), []byte(raw.Str()))
				switch {
				case !ok:
					return null, nil // an unknown algorithm gives NULL
				case sum == nil:
					return null, sqlerr.NotSupported("HASHBYTES('%s')", args[0].Str())
				}
				return value.NewBytes(sum), nil
			},
		},
		{
			Name: "sql_variant_property", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: fixed(variant, variant, varchar(128)),
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				v, err := to(args[0], types[0], variant)
				if err != nil {
					return null, err
				}
				x, _ := datatype.VariantOf(v)
				return variantProperty(x, args[1].Str()), nil
			},
		},
	}
}

// hash returns the digest; ok is false for no algorithm of SQL Server, the digest nil
// for one that is not modelled.
func hash(algorithm string, data []byte) (sum []byte, ok bool) {
	switch strings.ToUpper(algorithm) {
	case "MD5":
		s := md5.Sum(data)
		return s[:], true
	case "SHA", "SHA1":
		s := sha1.Sum(data)
		return s[:], true
	case "SHA2_256":
		s := sha256.Sum256(data)
		return s[:], true
	case "SHA2_512":
		s := sha512.Sum512(data)
		return s[:], true
	case "MD2", "MD4":
		return nil, true
	}
	return nil, false
}

func variantProperty(x datatype.Variant, property string) value.Value {
	number := func(n int) value.Value { return datatype.NewVariant(value.NewInt(int64(n)), tInt) }
	text := func(s string) value.Value { return datatype.NewVariant(value.NewString(s), datatype.SysName()) }
	switch strings.ToLower(property) {
	case "basetype":
		return text(x.Type.Name())
	case "precision":
		return number(int(x.Type.Precision()))
	case "scale":
		return number(int(x.Type.CatalogScale()))
	case "maxlength":
		return number(int(x.Type.MaxLength()))
	case "totalbytes": // two bytes of type, then facets, then the value
		overhead := 2
		switch {
		case x.Type.IsCharacter():
			overhead = 8
		case x.Type.IsBinary(), x.Type.ID == datatype.Decimal:
			overhead = 4
		case x.Type.ID == datatype.Time, x.Type.ID == datatype.DateTime2, x.Type.ID == datatype.DateTimeOffset:
			overhead = 3
		}
		return number(overhead + int(DataLength(x.Value, x.Type)))
	case "collation":
		if x.Type.IsCharacter() {
			return text(x.Type.Coll.String())
		}
	}
	return null
}
