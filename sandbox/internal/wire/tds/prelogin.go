package tds

import (
	"encoding/binary"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Options of PRELOGIN ([MS-TDS] 2.2.6.5).
const (
	preloginVersion    = 0
	preloginEncryption = 1
	preloginInstance   = 2
	preloginThread     = 3
	preloginMARS       = 4
	preloginEnd        = 0xFF
)

// Values of the encryption option.
const (
	encryptOff    = 0 // only the login packet
	encryptOn     = 1
	encryptNotSup = 2
)

// decodePrelogin returns what a client says about encryption; if it says nothing,
// the client has no encryption.
func decodePrelogin(b []byte) (encryption byte, err error) {
	encryption = encryptNotSup
	for i := 0; ; i += 5 {
		if i >= len(b) {
			return 0, wire.Errorf("PRELOGIN without an end")
		}
		if b[i] == preloginEnd {
			return encryption, nil
		}
		if i+5 > len(b) {
			return 0, wire.Errorf("PRELOGIN ends in an option")
		}
		at, n := int(binary.BigEndian.Uint16(b[i+1:])), int(binary.BigEndian.Uint16(b[i+3:]))
		if at+n > len(b) {
			return 0, wire.Errorf("PRELOGIN option %d lies outside the message", b[i])
		}
		if b[i] == preloginEncryption {
			if n != 1 {
				return 0, wire.Errorf("PRELOGIN encryption of %d bytes", n)
			}
			encryption = b[at]
		}
	}
}

// negotiate answers a client's encryption option.
func negotiate(client byte) byte {
	if client == encryptOff || client == encryptNotSup {
		return client
	}
	return encryptOn // on, required, and on with a client certificate, which the server did not request
}

// appendPrelogin appends the server's PRELOGIN. go-mssqldb refuses an option that
// lies at the very end, so the empty one must not be the last.
func appendPrelogin(dst []byte, banner Banner, encryption byte) []byte {
	build := binary.BigEndian.AppendUint16(nil, banner.Build)
	options := []struct {
		id   byte
		data []byte
	}{
		{preloginVersion, []byte{banner.Major, banner.Minor, build[0], build[1], 0, 0}},
		{preloginEncryption, []byte{encryption}},
		{preloginInstance, []byte{0}}, // any instance name is accepted
		{preloginThread, nil},
		{preloginMARS, []byte{0}}, // no
	}
	at := 5*len(options) + 1
	for _, o := range options {
		dst = append(dst, o.id)
		dst = binary.BigEndian.AppendUint16(dst, uint16(at))
		dst = binary.BigEndian.AppendUint16(dst, uint16(len(o.data)))
		at += len(o.data)
	}
	dst = append(dst, preloginEnd)
	for _, o := range options {
		dst = append(dst, o.data...)
	}
	return dst
}
