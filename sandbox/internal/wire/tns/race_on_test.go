//go:build race

package tns_test

// raceDetector is on: go-ora's cancellation itself has a race (Session.IsBreak reads
// without the lock that BreakConnection writes under), which would fail the tests.
const raceDetector = true
