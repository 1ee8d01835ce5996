// Package zones maps the names of Windows time zones, which SQL Server uses, to the IANA database.
//
// windows.txt has one Windows zone per line, then a tab and its names in the IANA database, the usual one first. It was generated from the
// Unicode Common Locale Data Repository, version 48 (windowsZones.xml, and the aliases in timezone.xml; © Unicode, Inc.,
// https://www.unicode.org/license.txt), without what Go doesn't know.
package zones

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the rules themselves, wherever the program runs
)

//go:embed windows.txt
var windows string

// table has the IANA names of each Windows zone, and the zone of each IANA name, in lower case.
var table = sync.OnceValue(func() (t struct {
	names []string
	iana  map[string]string
	zone  map[string]string
}) {
	t.iana, t.zone = map[string]string{}, map[string]string{}
	for line := range strings.Lines(windows) {
		zone, names, _ := strings.Cut(strings.TrimSpace(line), "\t")
		t.names = append(t.names, zone)
		for i, name := range strings.Fields(names) {
			if i == 0 {
				t.iana[strings.ToLower(zone)] = name
			}
			t.zone[strings.ToLower(name)] = zone
		}
	}
	return t
})

// Windows returns the names of all Windows zones, sorted.
func Windows() []string { return table().names }

// FromIANA returns the Windows zone with the rules of an IANA zone, such as Central European Standard Time for Europe/Warsaw.
func FromIANA(name string) (string, bool) {
	zone, ok := table().zone[strings.ToLower(name)]
	return zone, ok
}

// Location returns the rules of a Windows zone. Case does not matter.
func Location(zone string) (*time.Location, bool) {
	name, ok := table().iana[strings.ToLower(zone)]
	if !ok {
		return nil, false
	}
	loc, err := time.LoadLocation(name)
	return loc, err == nil
}
