package builtin

import (
	"github.com/dbsched/dbsched/sandbox/internal/oracle/datatype"
	"github.com/dbsched/dbsched/sandbox/internal/value"
)

// Functions that return one of their arguments. They evaluate all of them; where Oracle
// stops early (COALESCE, DECODE, CASE) the caller does, with Common and the helpers here.

func choiceFuncs() []Func {
	return []Func{
		{Name: "NVL", MinArgs: 2, MaxArgs: 2,
			Result: func(args []datatype.Type, _ bool) (datatype.Type, error) { return firstType(args) },
			Eval: func(c *call) value.Value {
				if c.has(0) {
					return c.chosen(0, c.types)
				}
				return c.chosen(1, c.types)
			}},
		{Name: "NVL2", MinArgs: 3, MaxArgs: 3,
			Result: func(args []datatype.Type, _ bool) (datatype.Type, error) { return firstType(args[1:]) },
			Eval: func(c *call) value.Value {
				if c.has(0) {
					return c.chosen(1, c.types[1:])
				}
				return c.chosen(2, c.types[1:])
			}},
		{Name: "COALESCE", MinArgs: 2, MaxArgs: Many,
			Result: func(args []datatype.Type, _ bool) (datatype.Type, error) { return datatype.Common(args...) },
			Eval: func(c *call) value.Value {
				for i := range c.args {
					if c.has(i) {
						t, err := datatype.Common(c.types...)
						if err != nil {
							return c.fail(err)
						}
						return c.as(i, t)
					}
				}
				return value.Value{}
			}},
		{Name: "NULLIF", MinArgs: 2, MaxArgs: 2,
			Result: func(args []datatype.Type, plsql bool) (datatype.Type, error) {
				if args[0].ID == datatype.Untyped {
					return args[0], datatype.ErrInconsistent("-", args[0])
				}
				// Numbers may be of different types, nothing else may ("NULLIF").
				if _, err := datatype.Common(args...); err != nil {
					return args[0], err
				}
				_, err := datatype.CompareType(args[0], args[1], plsql)
				return args[0], err
			},
			Eval: func(c *call) value.Value {
				if c.has(0) && c.has(1) && c.compare(0, 1) == 0 {
					return value.Value{}
				}
				return c.args[0]
			}},
		extreme("GREATEST", 1),
		extreme("LEAST", -1),
	}
}

// firstType is the rule of NVL, NVL2, DECODE, GREATEST and LEAST: numbers take the
// widest type; otherwise all take the first one's type, and text becomes VARCHAR2.
func firstType(args []datatype.Type) (datatype.Type, error) {
	t := args[0]
	for _, a := range args[1:] {
		if t.ID != datatype.Untyped {
			break
		}
		t = a
	}
	if t.IsNumeric() {
		for _, a := range args {
			if a.IsNumeric() {
				t, _ = datatype.Common(t, a)
			}
		}
	}
	if t.IsText() {
		t = textType(t)
		for _, a := range args {
			if isLOBText(a) {
				t = tCLOB
			}
		}
	}
	return t, check(args, t)
}

// chosen returns argument i in the type that firstType gives.
func (c *call) chosen(i int, types []datatype.Type) value.Value {
	t, err := firstType(types)
	if err != nil {
		return c.fail(err)
	}
	return c.as(i, t)
}

// compare compares two arguments that are not NULL as the comparison operators do.
func (c *call) compare(i, k int) int {
	t, err := datatype.CompareType(c.types[i], c.types[k], c.env.PLSQL)
	if err != nil {
		c.fail(err)
		return 0
	}
	a, b := c.as(i, t), c.as(k, t)
	if c.err != nil {
		return 0
	}
	return datatype.Compare(a, b, t)
}

func extreme(name string, want int) Func {
	return Func{Name: name, MinArgs: 1, MaxArgs: Many, NullIn: true,
		Result: func(args []datatype.Type, _ bool) (datatype.Type, error) { return firstType(args) },
		Eval: func(c *call) value.Value {
			t, err := firstType(c.types)
			if err != nil {
				return c.fail(err)
			}
			best := c.as(0, t)
			for i := 1; i < len(c.args) && c.err == nil; i++ {
				if v := c.as(i, t); c.err == nil && datatype.Compare(v, best, t)*want > 0 {
					best = v
				}
			}
			return best
		}}
}

// DecodeTypes returns the types of DECODE(expr, search, result, …, default): the one in
// which expr and searches are compared, and that of the result. args are all arguments.
func DecodeTypes(args []datatype.Type) (compare, result datatype.Type, err error) {
	var searches, results []datatype.Type
	for i := 1; i < len(args); i++ {
		if i%2 == 1 && i+1 < len(args) {
			searches = append(searches, args[i])
		} else {
			results = append(results, args[i])
		}
	}
	// "Oracle converts expr and each search to the data type of the first search", and
	// NULL or text as the first result makes the result VARCHAR2.
	if compare, err = firstType(append(searches, args[0])); err != nil {
		return compare, result, err
	}
	if len(results) > 0 && results[0].ID == datatype.Untyped {
		results[0] = tText
	}
	result, err = firstType(results)
	return compare, result, err
}

// DecodeEqual compares two values as DECODE does: NULL equals NULL. Both are of type t.
func DecodeEqual(a, b value.Value, t datatype.Type) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	return datatype.Compare(a, b, t) == 0
}
