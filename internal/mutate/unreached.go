package main

import (
	"fmt"
	"slices"
	"strings"
)

// unreached lists the statements that no scenario and no history executes, by dialect, each with the reason in testdata/unreached.txt. It fails
// if one has none, or if they are more than a share of 3 %.
func (o options) unreached(all []mutant, by map[string]*reach) error {
	reasons, err := reasonsOf("unreached.txt")
	if err != nil {
		return err
	}
	total, missed, without := map[string]int{}, map[string]int{}, 0
	for _, m := range all {
		statement := strings.Join(strings.Fields(m.source()[m.start:m.end]), " ")
		if m.kind != "statement deleted" || strings.HasPrefix(strings.ToUpper(statement), "BEGIN") {
			continue
		}
		at := m.where()
		if len(at) == 0 {
			continue
		}
		total[m.dialect]++
		if slices.ContainsFunc(at, by[m.dialect].executes) {
			continue
		}
		missed[m.dialect]++
		if reasons[m.id] == "" {
			without++
		}
		fmt.Printf("%s %s:%d %s: %s\n", m.id, m.file, m.line, statement[:min(len(statement), 120)], reasons[m.id])
	}
	const most = 0.03
	for _, dialect := range o.dialects() {
		share := float64(missed[dialect]) / float64(max(1, total[dialect]))
		fmt.Printf("%s: %d of %d statements are executed by nothing (%.1f %%)\n", dialect, missed[dialect], total[dialect], 100*share)
		if share > most {
			return fmt.Errorf("more than %.0f %% of the statements for %s are executed by nothing", 100*most, dialect)
		}
	}
	if without > 0 {
		return fmt.Errorf("%d of them have no reason in internal/mutate/testdata/unreached.txt", without)
	}
	return nil
}
