package dialects

import (
	"slices"
	"strings"
)

// List is the dialects a program was built with.
type List []Dialect

// ByName returns the dialect called name.
func (l List) ByName(name string) (Dialect, error) {
	for _, d := range l {
		if d.Name() == name {
			return d, nil
		}
	}
	return nil, Usagef("unknown dialect %q. Valid values: %s", name, strings.Join(l.Names(), ", "))
}

// ByDSN returns the dialect that the DSN's scheme belongs to, or that reads it because it is a connection string of ADO.NET. Its error
// quotes only the scheme of the DSN, because the rest may hold a password.
func (l List) ByDSN(dsn string) (Dialect, error) {
	for _, d := range l {
		if r, ok := d.(interface{ ReadsConnectionString(text string) bool }); ok && r.ReadsConnectionString(dsn) {
			return d, nil
		}
	}
	scheme, _, ok := strings.Cut(dsn, "://")
	if !ok || strings.ContainsFunc(scheme, notScheme) {
		return nil, Usagef("the DSN is not a URL; it must start with one of: %s", strings.Join(l.prefixes(), ", "))
	}
	for _, d := range l {
		if slices.Contains(d.Schemes(), strings.ToLower(scheme)) {
			return d, nil
		}
	}
	return nil, Usagef("unknown DSN scheme %q. Valid schemes: %s", scheme+"://", strings.Join(l.prefixes(), ", "))
}

// Names returns the names in order.
func (l List) Names() []string {
	names := make([]string, 0, len(l))
	for _, d := range l {
		names = append(names, d.Name())
	}
	return names
}

func (l List) prefixes() []string {
	var all []string
	for _, d := range l {
		for _, s := range d.Schemes() {
			all = append(all, s+"://")
		}
	}
	return all
}

// notScheme reports whether RFC 3986 forbids r in a scheme: "user:pw@host" pasted
// without one must not be echoed.
func notScheme(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '+', r == '-', r == '.':
		return false
	}
	return true
}
