package zones

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestEveryZoneHasRules(t *testing.T) {
	require.IsIncreasing(t, Windows())
	require.Greater(t, len(Windows()), 130)
	for _, zone := range Windows() {
		_, ok := Location(zone)
		require.True(t, ok, zone)
	}
}

func TestNames(t *testing.T) {
	for iana, want := range map[string]string{
		"Europe/Warsaw": "Central European Standard Time", "america/new_york": "Eastern Standard Time", "Asia/Kolkata": "India Standard Time",
		"Australia/Lord_Howe": "Lord Howe Standard Time", "Etc/UTC": "UTC", "UTC": "UTC",
	} {
		got, ok := FromIANA(iana)
		require.True(t, ok, iana)
		require.Equal(t, want, got)
	}
	_, ok := FromIANA("Europe/Nowhere")
	require.False(t, ok)
	_, ok = Location("Europe/Warsaw")
	require.False(t, ok)
}

// TestWithIANA: only the names of Windows need another; UTC is called so everywhere.
func TestWithIANA(t *testing.T) {
	for zone, want := range map[string]string{
		"Central European Standard Time": "Central European Standard Time (Europe/Warsaw)", "romance standard time": "romance standard time (Europe/Paris)",
		"UTC": "UTC", "Europe/Madrid": "Europe/Madrid", "+01:00": "+01:00", "": "",
	} {
		require.Equal(t, want, WithIANA(zone))
	}
}

func TestLocation(t *testing.T) {
	loc, ok := Location("central european standard time")
	require.True(t, ok)
	require.Equal(t, "2026-07-01T14:00:00+02:00", time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC).In(loc).Format(time.RFC3339))
}
