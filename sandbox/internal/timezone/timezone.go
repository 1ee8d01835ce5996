// Package timezone knows the time zone regions of Oracle: their names, and the numbers that represent them on the wire (go-ora,
// converters/type_conversion.go, oracleZones, and JDBC have the same). Their rules come from the IANA database.
package timezone

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // for machines without the database
)

//go:embed regions.txt
var regions string

// tables lead to the rules of a region, which are loaded once: comparing two values of a region compares pointers.
type tables struct {
	load    map[string]func() *time.Location // by the name in small letters, and by the number's key
	numbers map[string]int
}

func key(number int) string { return fmt.Sprint("\x00", number) }

var read = sync.OnceValue(func() tables {
	t := tables{map[string]func() *time.Location{}, map[string]int{}}
	for line := range strings.Lines(regions) {
		var number int
		var name string
		if _, err := fmt.Sscan(line, &number, &name); err != nil {
			panic(err)
		}
		load := sync.OnceValue(func() *time.Location {
			l, _ := time.LoadLocation(name)
			return l
		})
		t.load[strings.ToLower(name)], t.load[key(number)], t.numbers[name] = load, load, number
	}
	return t
})

// Find finds a region by its name. It returns nil for those without rules, which the IANA database lacks.
func Find(name string) (l *time.Location, known bool) {
	if strings.HasPrefix(name, "\x00") { // see key
		return nil, false
	}
	return find(strings.ToLower(name))
}

func find(key string) (l *time.Location, known bool) {
	load, known := read().load[key]
	if !known {
		return nil, false
	}
	return load(), true
}

// ByNumber finds a region by its number; nil: there is none, or it has no rules.
func ByNumber(n int) *time.Location {
	l, _ := find(key(n))
	return l
}

// Number returns the number of a region.
func Number(l *time.Location) int { return read().numbers[l.String()] }

// Transitions returns the changes of a region's offset as JDBC reads them (oracle.sql.TIMEZONETAB): how many, and for each its instant as a
// DATE in UTC, hours plus 20 and minutes plus 60 of the offset, and whether it is daylight saving time. The IANA database lists
// changes up to 2037.
func Transitions(l *time.Location) []byte {
	b := []byte{0}
	for at := time.Date(1800, 1, 1, 0, 0, 0, 0, time.UTC); !at.IsZero() && at.Year() < 2038; {
		here := at.In(l)
		_, offset := here.Zone()
		b = append(b, byte(at.Year()/100+100), byte(at.Year()%100+100), byte(at.Month()), byte(at.Day()),
			byte(at.Hour()+1), byte(at.Minute()+1), byte(at.Second()+1), byte(offset/3600+20), byte(offset/60%60+60), 0)
		if here.IsDST() {
			b[len(b)-1] = 1
		}
		_, at = here.ZoneBounds()
		at = at.UTC()
	}
	b[0] = byte(len(b) / 10)
	return b
}
