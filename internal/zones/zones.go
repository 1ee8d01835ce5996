// Package zones knows what the time zones of Windows, which SQL Server uses, are called in the IANA database.
//
// windows.txt has a zone of Windows a line, then a tab and its names in the IANA database, the usual one first. It was made from the
// Unicode Common Locale Data Repository, version 48 (windowsZones.xml, and the aliases in timezone.xml; © Unicode, Inc.,
// https://www.unicode.org/license.txt), less what Go does not know.
package zones

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // the zones themselves, wherever the program runs
)

//go:embed windows.txt
var windows string

// table has the IANA names of each zone of Windows, and the zone of each IANA name, in lower case.
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

// Windows returns the names of all zones of Windows, sorted.
func Windows() []string { return table().names }

// FromIANA returns the zone of Windows with the rules of an IANA zone, such as Central European Standard Time for Europe/Warsaw.
func FromIANA(name string) (string, bool) {
	zone, ok := table().zone[strings.ToLower(name)]
	return zone, ok
}

// Location returns the rules of a zone of Windows. Case does not matter.
func Location(zone string) (*time.Location, bool) {
	name, ok := table().iana[strings.ToLower(zone)]
	if !ok {
		return nil, false
	}
	loc, err := time.LoadLocation(name)
	return loc, err == nil
}
