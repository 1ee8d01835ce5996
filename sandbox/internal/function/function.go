// Package function defines how both engines list the functions that need nothing but their arguments: T is an engine's datatype, R how a
// function returns the type of its result, E how it computes the result.
package function

import "github.com/dbsched/dbsched/sandbox/internal/value"

// Func is a scalar function.
type Func[R, E any] struct {
	Name    string // as messages show it
	MinArgs int
	MaxArgs int
	NullIn  bool // any NULL argument gives NULL; the caller need not call Eval
	// DatePart says that the first argument is not an expression but the name of a date part, as an int.
	DatePart bool
	// Result returns the type of the result for arguments of these static types, or the error for a type that it does not accept.
	Result R
	// Eval computes the result from arguments of exactly the types given to Result.
	Eval E
}

// Outside is -1 if n arguments are too few, 1 if they are too many, else 0.
func (f *Func[R, E]) Outside(n int) int {
	switch {
	case n < f.MinArgs:
		return -1
	case n > f.MaxArgs:
		return 1
	}
	return 0
}

// Registry is functions by name.
func Registry[R, E any](groups ...[]Func[R, E]) map[string]*Func[R, E] {
	m := make(map[string]*Func[R, E])
	for _, group := range groups {
		for i := range group {
			m[group[i].Name] = &group[i]
		}
	}
	return m
}

// Fit asks implicit for each argument whether it converts to the type at its position; the last type applies to all further arguments.
func Fit[T any](args, params []T, implicit func(from, to T) error) error {
	for i, a := range args {
		if len(params) == 0 {
			break
		}
		if err := implicit(a, params[min(i, len(params)-1)]); err != nil {
			return err
		}
	}
	return nil
}

// Accumulator computes one aggregate over one group.
type Accumulator interface {
	// Add takes one more value of the argument's type; NULL does not count.
	Add(v value.Value) error
	// Result returns the aggregate of what was added; without values, NULL (0 for counts).
	Result() (value.Value, error)
}

// Aggregate is an aggregate function. COUNT(*) is COUNT of anything that is not NULL; DISTINCT and order are up to the caller. N creates an
// Accumulator.
type Aggregate[T, N any] struct {
	Name string
	// Separator says that a second argument, a constant, separates (STRING_AGG, LISTAGG).
	Separator bool
	// Result returns the type of the result, or the error for a type that it does not accept.
	Result func(arg T) (T, error)
	New    N
}
