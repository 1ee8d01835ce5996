package audit

import (
	"encoding/json"
	"os"
	"sync"
)

// CensusVariable names the environment variable that turns audits into a census: nothing is refused for lack of a row in
// a table, and every fact is appended to the file that the variable names with the engine's name after a dot.
// `make audit` runs all tests this way, and what they executed becomes the tables.
const CensusVariable = "DBSCHED_CENSUS"

// ComposedVariable names the environment variable that makes the engines note what SQL composes and runs: every text of
// EXECUTE IMMEDIATE, EXEC and sp_executesql is appended to the file that the variable names with the engine's name after
// a dot, to be checked by independent parsers. A line is a JSON list: the stored unit that runs the text, or "", the text, and its parameter declarations.
const ComposedVariable = "DBSCHED_COMPOSED"

// Census returns the function that records an engine's facts if the variable is set, otherwise nil. It is safe for concurrent use.
func Census(engine string) func(fact string) {
	path := os.Getenv(CensusVariable)
	if path == "" {
		return nil
	}
	var mu sync.Mutex
	seen := map[string]bool{}
	return func(fact string) {
		mu.Lock()
		defer mu.Unlock()
		if !seen[fact] {
			seen[fact] = true
			appendLine(path+"."+engine, fact)
		}
	}
}

// Composed records a composed text that is run, if the variable is set.
func Composed(engine, unit, text, parameters string) {
	path := os.Getenv(ComposedVariable)
	if path == "" {
		return
	}
	line, err := json.Marshal([]string{unit, text, parameters})
	if err != nil {
		panic(err)
	}
	appendLine(path+"."+engine, string(line))
}

// appendLine adds a line to a file that other processes add to as well.
func appendLine(path, line string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		panic(err)
	}
}
