package plsql

import "github.com/dbsched/dbsched/sandbox/internal/value"

// Native is the Go body of a subprogram of a supplied package. Errors are raised in the caller.
type Native func(c *NativeCall) error

// NativeCall is a call of a Native.
type NativeCall struct {
	Host Host

	routine *routine
	args    []value.Value
	result  value.Value
}

// index returns the position of the parameter with that name; an unknown name is a bug in the native.
func (c *NativeCall) index(name string) int {
	if i := c.routine.param(name); i >= 0 {
		return i
	}
	panic("plsql: " + c.routine.name + " has no parameter " + name)
}

// Arg returns the value of a parameter (upper case), its default if the caller gave none; NULL for an OUT parameter.
func (c *NativeCall) Arg(name string) value.Value { return c.args[c.index(name)] }

// Has reports whether there is a parameter of that name: overloads differ.
func (c *NativeCall) Has(name string) bool { return c.routine.param(name) >= 0 }

// Set sets an OUT or IN OUT parameter that is not a record or collection; the caller gets it if the native succeeds.
func (c *NativeCall) Set(name string, v value.Value) { c.args[c.index(name)] = v }

// Record returns the record of a parameter; for an OUT parameter, it has the defaults of its type. It may be changed.
func (c *NativeCall) Record(name string) *Record { return c.Arg(name).Any().(*Record) }

// Collection returns the collection of a parameter; for an OUT parameter, it is empty. It may be changed.
func (c *NativeCall) Collection(name string) *Collection { return c.Arg(name).Any().(*Collection) }

// Return sets what a function returns, a value of its type.
func (c *NativeCall) Return(v value.Value) { c.result = v }
