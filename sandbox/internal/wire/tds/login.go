package tds

import (
	"encoding/binary"
	"slices"

	"github.com/dbsched/dbsched/sandbox/internal/charset"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Versions of TDS as LOGIN7 names them.
const (
	version73A = 0x730A0003 // date, time, datetime2, datetimeoffset, table-valued parameters
	version73B = 0x730B0003 // rows with a NULL bitmap
	version74  = 0x74000004
)

const (
	login7Fixed = 94 // bytes before the variable part
)

// loginRequest is LOGIN7 before it is checked.
type loginRequest struct {
	login          Login
	version        uint32
	packetSize     uint32
	integrated     bool
	changePassword bool
	features       []byte // the requested feature ids
}

// featureFedAuth is the feature extension of federated authentication.
const featureFedAuth = 2

// decodeLogin reads LOGIN7 ([MS-TDS] 2.2.6.4).
func decodeLogin(b []byte) (loginRequest, error) {
	var r loginRequest
	if len(b) < login7Fixed {
		return r, wire.Errorf("LOGIN7 of %d bytes", len(b))
	}
	if n := binary.LittleEndian.Uint32(b); uint64(n) != uint64(len(b)) {
		return r, wire.Errorf("LOGIN7 of %d bytes says it has %d", len(b), n)
	}
	r.version = binary.LittleEndian.Uint32(b[4:])
	r.packetSize = binary.LittleEndian.Uint32(b[8:])
	r.login.ClientPID = binary.LittleEndian.Uint32(b[16:])
	flags2, flagsType, flags3 := b[25], b[26], b[27]
	r.integrated = flags2&0x80 != 0
	r.login.ReadOnly = flagsType&0x20 != 0
	r.changePassword = flags3&0x01 != 0

	var err error
	field := func(at int) []byte {
		from, n := int(binary.LittleEndian.Uint16(b[at:])), 2*int(binary.LittleEndian.Uint16(b[at+2:]))
		if n == 0 {
			return nil
		}
		if from < login7Fixed || from+n > len(b) {
			if err == nil {
				err = wire.Errorf("LOGIN7 field at %d lies outside the message", at)
			}
			return nil
		}
		return b[from : from+n]
	}
	r.login.HostName = charset.FromUTF16(field(36))
	r.login.User = charset.FromUTF16(field(40))
	r.login.Password = charset.FromUTF16(reveal(field(44)))
	r.login.AppName = charset.FromUTF16(field(48))
	r.login.ServerName = charset.FromUTF16(field(52))
	r.login.ClientName = charset.FromUTF16(field(60))
	r.login.Language = charset.FromUTF16(field(64))
	r.login.Database = charset.FromUTF16(field(68))
	if err != nil {
		return loginRequest{}, err
	}
	if flags3&0x10 != 0 {
		if r.features, err = decodeFeatures(b); err != nil {
			return loginRequest{}, err
		}
	}
	return r, nil
}

// reveal undoes what LOGIN7 does to a password: nibbles swapped, then xor 0xA5.
func reveal(b []byte) []byte {
	b = slices.Clone(b)
	for i, c := range b {
		c ^= 0xA5
		b[i] = c<<4 | c>>4
	}
	return b
}

// decodeFeatures lists the ids of the feature extensions. Their offset is where
// the extension field points to.
func decodeFeatures(b []byte) ([]byte, error) {
	at := int(binary.LittleEndian.Uint16(b[56:]))
	if at < login7Fixed || at+4 > len(b) {
		return nil, wire.Errorf("LOGIN7 extension lies outside the message")
	}
	from := binary.LittleEndian.Uint32(b[at:])
	if from < login7Fixed || uint64(from) >= uint64(len(b)) {
		return nil, wire.Errorf("LOGIN7 features lie outside the message")
	}
	d := decode(b[from:])
	var ids []byte
	for d.Err == nil {
		id := d.U8()
		if id == 0xFF && d.Err == nil {
			return ids, nil
		}
		n := d.u32()
		if uint64(n) > uint64(len(d.B)) {
			d.Failf("LOGIN7 feature %d of %d bytes", id, n)
			break
		}
		d.Bytes(int(n))
		ids = append(ids, id)
	}
	return nil, d.Err
}

// judge reports what a login requires that this server cannot do, and settles version and packet
// size. None of the feature extensions is acknowledged, which is how a server says
// that it lacks them.
func (r *loginRequest) judge(encrypted bool) *sqlerr.Error {
	if r.version < version73A {
		return loginRefused("TDS version %#08x: the oldest is 7.3 (SQL Server 2008)", r.version)
	}
	if r.integrated {
		return sqlerr.New(18452, "Login failed. The login is from an untrusted domain and cannot be used with Integrated authentication.").At(14, 1)
	}
	if slices.Contains(r.features, featureFedAuth) {
		return loginRefused("federated authentication")
	}
	if r.changePassword {
		return loginRefused("changing the password at login")
	}
	r.login.TDSVersion = min(r.version, version74)
	size := defaultPacketSize
	if r.packetSize != 0 {
		size = int(min(max(r.packetSize, minPacketSize), maxPacketSize))
	}
	if encrypted {
		size = min(size, maxTLSPacketSize)
	}
	r.login.PacketSize, r.login.Encrypted = size, encrypted
	return nil
}

func loginRefused(format string, args ...any) *sqlerr.Error {
	return sqlerr.NotSupported(format, args...).Ending(sqlerr.Connection)
}
