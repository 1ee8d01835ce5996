package tns

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Versions of TNS.
const (
	lowestVersion  = 315 // 12.1, the oldest supported: lengths of four bytes
	highestVersion = 317 // 318 would add out-of-band checks and a second word of flags
)

// maxConnect is the maximum length of a connect descriptor.
const maxConnect = 8192

// connectRequest is CONNECT (network/connect_packet.go).
type connectRequest struct {
	version, lowest uint16
	sdu             uint32
	dataLen         int
	data            string // the descriptor, if it came in the packet
}

// decodeConnect reads CONNECT; b has no packet header, but offsets count it.
func decodeConnect(b []byte) (connectRequest, error) {
	const fixed = 34 - headerSize // up to the flags; what follows depends on the version
	var r connectRequest
	if len(b) < fixed {
		return r, wire.Errorf("CONNECT of %d bytes", len(b)+headerSize)
	}
	u16 := func(at int) uint16 { return binary.BigEndian.Uint16(b[at-headerSize:]) }
	r.version, r.lowest = u16(8), u16(10)
	r.sdu = uint32(u16(14))
	r.dataLen = int(u16(24))
	offset := int(u16(26)) - headerSize
	if len(b) >= 62-headerSize && (offset < 0 || offset >= 62-headerSize) {
		if wide := binary.BigEndian.Uint32(b[58-headerSize:]); wide != 0 {
			r.sdu = wide
		}
	}
	if r.dataLen > maxConnect {
		return r, wire.Errorf("connect descriptor of %d bytes", r.dataLen)
	}
	if offset < 0 || offset > len(b) {
		return r, wire.Errorf("connect descriptor outside CONNECT")
	}
	if len(b)-offset >= r.dataLen {
		r.data = string(b[offset : offset+r.dataLen])
	}
	return r, nil
}

// negotiate settles the version and packet size; ok is false if there is no common version.
func (r *connectRequest) negotiate() (version uint16, sdu uint32, ok bool) {
	version = min(r.version, highestVersion)
	if version < lowestVersion || version < r.lowest {
		return 0, 0, false
	}
	sdu = min(max(r.sdu, minDataUnit), sessionDataUnit)
	return version, sdu, true
}

// accept returns the body of ACCEPT (network/accept_packet.go).
func accept(version uint16, sdu uint32) []byte {
	b := make([]byte, 45-headerSize)
	u16 := func(at int, v uint16) { binary.BigEndian.PutUint16(b[at-headerSize:], v) }
	u16(8, version)
	u16(12, uint16(sdu))
	u16(14, uint16(sdu))
	u16(16, 1) // byte order
	u16(20, uint16(len(b)+headerSize))
	// "No native services": clients skip the negotiation of Advanced Networking.
	// Bit 0x400 of the options at 10 stays off: a cancel is a marker, never urgent data.
	b[22-headerSize] = 4
	binary.BigEndian.PutUint32(b[32-headerSize:], sdu)
	binary.BigEndian.PutUint32(b[36-headerSize:], sdu)
	return b
}

// refuse returns the body of REFUSE with a listener's error.
func refuse(code int) []byte {
	text := fmt.Sprintf("(DESCRIPTION=(TMP=)(VSNNUM=0)(ERR=%d)(ERROR_STACK=(ERROR=(CODE=%d)(EMFI=4))))", code, code)
	b := []byte{4, 4, 0, 0}
	binary.BigEndian.PutUint16(b[2:], uint16(len(text)))
	return append(b, text...)
}

// descriptorValue finds (key=value) in a connect descriptor; names are not case-
// sensitive (Database Net Services Reference, "Syntax rules for configuration files").
func descriptorValue(descriptor, key string) string {
	for rest := descriptor; ; {
		open := strings.IndexByte(rest, '(')
		if open < 0 {
			return ""
		}
		rest = rest[open+1:]
		at := strings.IndexAny(rest, "=()")
		if at < 0 {
			return ""
		}
		if rest[at] != '=' || !strings.EqualFold(strings.TrimSpace(rest[:at]), key) {
			continue
		}
		value := rest[at+1:]
		end := strings.IndexAny(value, "()")
		if end < 0 {
			return ""
		}
		return strings.Trim(strings.TrimSpace(value[:end]), `"`)
	}
}
