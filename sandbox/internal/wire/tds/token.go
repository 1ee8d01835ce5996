package tds

import (
	"encoding/binary"
	"fmt"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
)

// Tokens of a response ([MS-TDS] 2.2.7).
const (
	tokenReturnStatus = 0x79
	tokenColMetadata  = 0x81
	tokenError        = 0xAA
	tokenInfo         = 0xAB
	tokenReturnValue  = 0xAC
	tokenLoginAck     = 0xAD
	tokenRow          = 0xD1
	tokenNBCRow       = 0xD2
	tokenEnvChange    = 0xE3
	tokenDone         = 0xFD
	tokenDoneProc     = 0xFE
	tokenDoneInProc   = 0xFF
)

// Bits of DONE's status ([MS-TDS] 2.2.7.6).
const (
	doneMore  = 0x01
	doneError = 0x02
	doneCount = 0x10
	doneAttn  = 0x20
)

// Kinds of ENVCHANGE ([MS-TDS] 2.2.7.9).
const (
	envDatabase   = 1
	envLanguage   = 2
	envPacketSize = 4
	envCollation  = 7
	envBegin      = 8
	envCommit     = 9
	envRollback   = 10
	envResetAck   = 18
)

// Flags of a column ([MS-TDS] 2.2.7.4).
const (
	flagNullable         = 0x0001
	flagCaseSensitive    = 0x0002
	flagUpdatable        = 0x0004
	flagUpdatableUnknown = 0x0008
	flagIdentity         = 0x0010
	flagComputed         = 0x0020
	flagDefault          = 0x0200 // table-valued parameters only
)

const maxNameUnits = 255 // maximum length of a text whose length is a byte

// appendBVarchar appends text with its length in a byte; longer text is cut.
func appendBVarchar(b []byte, s string) []byte {
	at := len(b)
	b = charset.AppendUTF16(append(b, 0), s)
	if units := (len(b) - at - 1) / 2; units > maxNameUnits {
		b = b[:at+1+2*maxNameUnits]
	}
	b[at] = byte((len(b) - at - 1) / 2)
	return b
}

func appendColMetadata(b []byte, cols []Column) ([]byte, error) {
	b = append(b, tokenColMetadata)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(cols)))
	for _, c := range cols {
		var flags uint16
		if c.Nullable {
			flags |= flagNullable
		}
		if c.Type.Collation == CSAS || c.Type.Collation == BIN2 {
			flags |= flagCaseSensitive
		}
		switch {
		case c.Identity:
			flags |= flagIdentity
		case c.Computed:
			flags |= flagComputed
		case c.Updatable:
			flags |= flagUpdatableUnknown
		}
		var err error
		if b, err = appendTypeHeader(b, c.Type, flags, c.Nullable); err != nil {
			return b, fmt.Errorf("column %q: %w", c.Name, err)
		}
		b = appendBVarchar(b, c.Name)
	}
	return b, nil
}

// appendTypeHeader appends user type, flags and TYPE_INFO.
func appendTypeHeader(b []byte, t Type, flags uint16, nullable bool) ([]byte, error) {
	b = binary.LittleEndian.AppendUint32(b, t.User)
	b = binary.LittleEndian.AppendUint16(b, flags)
	return appendTypeInfo(b, t, nullable)
}

// maxMessageUnits keeps the text of an ERROR or INFO within the token's length.
const maxMessageUnits = 30000

// appendMessage appends an ERROR or INFO token ([MS-TDS] 2.2.7.10, 2.2.7.13).
func appendMessage(b []byte, token byte, server string, m Message) []byte {
	at := len(b)
	b = append(b, token, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(m.Number))
	b = append(b, m.State, m.Class, 0, 0)
	text := len(b)
	b = charset.AppendUTF16(b, m.Text)
	if len(b)-text > 2*maxMessageUnits {
		b = b[:text+2*maxMessageUnits]
	}
	binary.LittleEndian.PutUint16(b[text-2:], uint16((len(b)-text)/2))
	b = appendBVarchar(b, server)
	b = appendBVarchar(b, m.Proc)
	b = binary.LittleEndian.AppendUint32(b, uint32(m.Line))
	binary.LittleEndian.PutUint16(b[at+1:], uint16(len(b)-at-3))
	return b
}

func appendEnv(b []byte, kind byte, after, before []byte) []byte {
	b = append(b, tokenEnvChange)
	b = binary.LittleEndian.AppendUint16(b, uint16(3+len(after)+len(before)))
	b = append(b, kind, byte(len(after)))
	b = append(b, after...)
	b = append(b, byte(len(before)))
	return append(b, before...)
}

func appendEnvText(b []byte, kind byte, before, after string) []byte {
	data := appendBVarchar(appendBVarchar([]byte{kind}, after), before)
	b = append(b, tokenEnvChange)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	return append(b, data...)
}

func appendLoginAck(b []byte, banner Banner, version uint32) []byte {
	at := len(b)
	b = append(b, tokenLoginAck, 0, 0, 1) // the interface: Transact-SQL
	b = binary.BigEndian.AppendUint32(b, version)
	b = appendBVarchar(b, banner.Product)
	b = append(b, banner.Major, banner.Minor)
	b = binary.BigEndian.AppendUint16(b, banner.Build)
	binary.LittleEndian.PutUint16(b[at+1:], uint16(len(b)-at-3))
	return b
}

// done is a DONE, DONEPROC or DONEINPROC token.
type done struct {
	token   byte
	status  uint16
	command Command
	rows    int64
}

func (d done) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(append(b, d.token), d.status)
	b = binary.LittleEndian.AppendUint16(b, uint16(d.command))
	return binary.LittleEndian.AppendUint64(b, uint64(d.rows))
}
