package tds

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// TestChunksEndWithPackets: no chunk of a (max) value crosses the end of a packet, wherever the value begins.
func TestChunksEndWithPackets(t *testing.T) {
	long := strings.Repeat("0123456789", 5000)
	for _, size := range []int{512, 4096, 8000, 32767} {
		for _, id := range []TypeID{NVarChar, VarChar, VarBinary} {
			for offset := range 12 {
				t.Run(fmt.Sprint(size, " ", id, " ", offset), func(t *testing.T) {
					want := []byte(long)
					v := value.NewString(long)
					switch id {
					case NVarChar:
						want = charset.AppendUTF16(nil, long)
					case VarBinary:
						v = value.NewBytes(want)
					}
					room, sent := size-headerSize, []byte(nil)
					w := &ResponseWriter{Answer: wire.NewAnswer(t.Context(), &wire.Packets{Room: room, Send: func(payload []byte, last bool) error {
						require.True(t, last || len(payload) == room)
						sent = append(sent, payload...)
						return nil
					}})}
					columns := []Column{{Type: Type{ID: VarChar, Size: 100, Collation: CIAS}}, {Type: Type{ID: id, Size: Max}, Nullable: true}}
					meta, err := appendColMetadata(nil, columns)
					require.NoError(t, err)
					require.NoError(t, w.Columns(columns))
					require.NoError(t, w.Row(value.Row{value.NewString(strings.Repeat("x", offset)), v}))
					require.NoError(t, w.finish())

					at := len(meta) + 1 + 2 + offset
					require.EqualValues(t, len(want), binary.LittleEndian.Uint64(sent[at:]))
					at += 8
					var got []byte
					for {
						n := int(binary.LittleEndian.Uint32(sent[at:]))
						if at += 4; n == 0 {
							break
						}
						require.LessOrEqual(t, at%room+n, room, "a chunk of %d bytes at %d", n, at)
						require.True(t, id != NVarChar || n == 1 || (len(got)+n)%2 == 0, "half a character")
						got = append(got, sent[at:at+n]...)
						at += n
					}
					require.Equal(t, want, got)
					require.Equal(t, byte(tokenDone), sent[at])
				})
			}
		}
	}
}
