//go:build !race

package tns_test

const raceDetector = false
