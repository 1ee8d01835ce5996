package builtin

import (
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/mssql/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// indexUnits returns where find begins in text from a position on, -1 if nowhere.
func indexUnits(text, find []uint16, from int) int {
	for i := from; i+len(find) <= len(text); i++ {
		if text[i] == find[0] && slices.Equal(text[i:i+len(find)], find) {
			return i
		}
	}
	return -1
}

// collationOf is the collation in which a function compares two arguments: that of
// the first string among them.
func collationOf(types ...datatype.Type) datatype.Collation {
	for _, t := range types {
		if t.Coll != datatype.NoColl {
			return t.Coll
		}
	}
	return datatype.CIAS
}

func searchFuncs() []Func {
	return []Func{
		{
			Name: "charindex", MinArgs: 2, MaxArgs: 3, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				return countType(args[1]), noLOB("charindex", args, 0)
			},
			Eval: charIndex,
		},
		{
			Name: "patindex", MinArgs: 2, MaxArgs: 2, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				return countType(args[1]), noLOB("patindex", args, 0)
			},
			Eval: func(args []value.Value, types []datatype.Type) (value.Value, error) {
				pattern, s, err := twoTexts(args, types)
				if err != nil {
					return null, err
				}
				t := common(types[1], types[0]).WithCollation(collationOf(types[1], types[0]))
				l, err := datatype.NewLike(pattern, "", t)
				if err != nil {
					return null, err
				}
				return value.NewInt(int64(l.Index(s))), nil
			},
		},
		{
			Name: "replace", MinArgs: 3, MaxArgs: 3, NullIn: true,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				return common(args...), noLOB("replace", args, 0, 1, 2)
			},
			Eval: replace,
		},
		{
			Name: "stuff", MinArgs: 4, MaxArgs: 4,
			Result: func(args []datatype.Type) (datatype.Type, error) {
				return common(args[0], args[3]), noLOB("stuff", args, 0, 3)
			},
			Eval: stuff,
		},
	}
}

func charIndex(args []value.Value, types []datatype.Type) (value.Value, error) {
	find, s, err := twoTexts(args, types)
	if err != nil {
		return null, err
	}
	from := 1
	if len(args) == 3 {
		if from, err = toInt(args[2], types[2]); err != nil {
			return null, err
		}
	}
	if find == "" {
		return value.NewInt(0), nil
	}
	c := collationOf(types[1], types[0])
	at := indexUnits(datatype.FoldUnits(s, c), datatype.FoldUnits(find, c), max(0, from-1))
	return value.NewInt(int64(at + 1)), nil
}

func replace(args []value.Value, types []datatype.Type) (value.Value, error) {
	s, find, err := twoTexts(args, types)
	if err != nil {
		return null, err
	}
	with, err := textArg(args[2], types[2])
	if err != nil {
		return null, err
	}
	t := common(types...)
	if find == "" {
		return newText(s, t), nil
	}
	c := collationOf(types...)
	units, folded, pattern := charset.Units(s), datatype.FoldUnits(s, c), datatype.FoldUnits(find, c)
	by := charset.Units(with)
	var out []uint16
	at := 0
	for {
		next := indexUnits(folded, pattern, at)
		if next < 0 {
			break
		}
		if err := sqlerr.Fits(2 * len(out)); err != nil {
			return null, err
		}
		out = append(append(out, units[at:next]...), by...)
		at = next + len(pattern)
	}
	if at == 0 {
		return newText(s, t), nil
	}
	return newText(charset.FromUnits(append(out, units[at:]...)), t), nil
}

func stuff(args []value.Value, types []datatype.Type) (value.Value, error) {
	if args[0].IsNull() || args[1].IsNull() || args[2].IsNull() {
		return null, nil
	}
	s, err := textArg(args[0], types[0])
	if err != nil {
		return null, err
	}
	with := "" // NULL only deletes
	if !args[3].IsNull() {
		if with, err = textArg(args[3], types[3]); err != nil {
			return null, err
		}
	}
	start, err := toInt(args[1], types[1])
	if err != nil {
		return null, err
	}
	n, err := toInt(args[2], types[2])
	size := charset.Len16(s)
	if err != nil || start < 1 || start > size || n < 0 {
		return null, err
	}
	n = min(n, size-start+1)
	head, tail := charset.Sub16(s, 0, start-1), charset.Sub16(s, start-1+n, size)
	return newText(charset.Join(charset.Join(head, with), tail), common(types[0], types[3])), nil
}
