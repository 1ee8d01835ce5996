package client

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNews(t *testing.T) {
	require.Equal(t, []string{"queue b"}, News([]string{"queue a", "role r"}, []string{"queue a", "queue b", "role r"}))
	require.Empty(t, News([]string{"a"}, nil))
}
