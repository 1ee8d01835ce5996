package audit

import (
	"os"
)

// CensusVariable names the environment variable that turns the audit into a census: nothing is refused for want of a row
// in the table, and every fact is appended to the file that the variable names. `make audit` runs all tests so, and what
// they executed becomes the table.
const CensusVariable = "DBSCHED_CENSUS"

// CensusFromEnvironment returns what to tell facts to when the variable is set, otherwise nil.
func CensusFromEnvironment() func(fact string) {
	path := os.Getenv(CensusVariable)
	if path == "" {
		return nil
	}
	seen := map[string]bool{}
	return func(fact string) {
		if seen[fact] {
			return
		}
		seen[fact] = true
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		defer f.Close()
		if _, err := f.WriteString(fact + "\n"); err != nil {
			panic(err)
		}
	}
}
