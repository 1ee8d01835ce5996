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

// table has, by names in lower case, the IANA name of each Windows zone, the zone of each IANA name, and how that is spelled.
var table = sync.OnceValue(func() (t struct {
	names   []string
	iana    map[string]string
	zone    map[string]string
	spelled map[string]string
}) {
	t.iana, t.zone, t.spelled = map[string]string{}, map[string]string{}, map[string]string{}
	for line := range strings.Lines(windows) {
		zone, names, _ := strings.Cut(strings.TrimSpace(line), "\t")
		t.names = append(t.names, zone)
		for i, name := range strings.Fields(names) {
			if i == 0 {
				t.iana[strings.ToLower(zone)] = name
			}
			t.zone[strings.ToLower(name)], t.spelled[strings.ToLower(name)] = zone, name
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

// WithIANA returns the name of a zone as people know it: after that of Windows, the usual one of the IANA database.
func WithIANA(zone string) string {
	if name, ok := table().iana[strings.ToLower(zone)]; ok && !strings.EqualFold(zone, "UTC") {
		return zone + " (" + name + ")"
	}
	return zone
}

// Region returns how the IANA database spells a name, and the rules of the zone: of an IANA name in any case of letters, or an offset such as +01:00.
func Region(name string) (string, *time.Location, bool) {
	if at, err := time.Parse("-07:00", name); err == nil {
		_, offset := at.Zone()
		return name, time.FixedZone(name, offset), true
	}
	if spelled, ok := table().spelled[strings.ToLower(name)]; ok {
		name = spelled
	}
	loc, err := load(name)
	return name, loc, err == nil && name != "" && loc != time.Local
}

// Location returns the rules of a Windows zone. Case does not matter.
func Location(zone string) (*time.Location, bool) {
	name, ok := table().iana[strings.ToLower(zone)]
	if !ok {
		return nil, false
	}
	loc, err := load(name)
	return loc, err == nil
}

var loaded sync.Map // *time.Location by the IANA name of a zone that exists: to read one anew takes longer than to use it

// load is time.LoadLocation, which reads the rules each time.
func load(name string) (*time.Location, error) {
	if loc, ok := loaded.Load(name); ok {
		return loc.(*time.Location), nil
	}
	loc, err := time.LoadLocation(name)
	if err == nil {
		loaded.Store(name, loc)
	}
	return loc, err
}
