package integration

import (
	"time"
)

// seedTasks are the nine calls of "Complex Ordering with SQL Jobs".
var seedTasks = []struct {
	delay time.Duration
	order int
}{
	{10100 * time.Millisecond, 100}, {10100 * time.Millisecond, 100},
	{10200 * time.Millisecond, 200}, {10200 * time.Millisecond, 200}, {10200 * time.Millisecond, 200},
	{10300 * time.Millisecond, 300},
	{10400 * time.Millisecond, 400}, {10400 * time.Millisecond, 400},
	{10500 * time.Millisecond, 500},
}
