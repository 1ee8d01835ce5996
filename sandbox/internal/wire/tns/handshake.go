package tns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
	"github.com/dbsched/dbsched/sandbox/internal/value"
	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// fieldVersion is the version of TTC's layouts: 11 is 12.2. Clients use the lower
// of theirs and the server's.
const fieldVersion = 11

// Positions in the compile-time capabilities (tcp_protocol_nego.go, data_type_nego.go).
const (
	capLogon        = 4
	capFieldVersion = 7
	capEndOfCall    = 15
	capSequence     = 16
	capWideTypes    = 27
	capLongChunks   = 37
)

// compileCaps are the server's compile-time capabilities.
func compileCaps() []byte {
	b := make([]byte, 45)
	b[0], b[1] = 6, 1
	b[capLogon] = 32 | 2 // keys by PBKDF2, session keys without padding
	b[capFieldVersion] = fieldVersion
	b[capEndOfCall], b[capSequence] = 1, 1 // both are in every end of a call
	b[capWideTypes] = 1                    // data types in two bytes
	b[capLongChunks] = 32                  // chunks of a long CLR of up to 32,767 bytes
	return b
}

// runtimeCaps are the server's: data types of Oracle 8, the time zone with the data
// types, texts of 32,767 bytes.
func runtimeCaps() []byte { return []byte{2, 1, 0, 0, 0, 0, 4} }

// open handles protocol, data types and login; false: the client was rejected.
func (c *conn) open() (bool, error) {
	c.d.Begin(wire.MaxLogin)
	if err := c.protocol(); err != nil {
		return false, err
	}
	c.d.Begin(wire.MaxLogin)
	if err := c.dataTypes(); err != nil {
		return false, err
	}
	return c.login()
}

// maxBanner is how much of the banner clients can read, its final zero included: go-ora 49 bytes, node-oracledb 48.
const maxBanner = 48

// convertsLengths are the flags of texts that come with their own length (python-oracledb, constants.pxi,
// TNS_ENCODING_MULTI_BYTE and TNS_ENCODING_CONV_LENGTH).
const convertsLengths = 1 | 2

// protocol answers the negotiation of the protocol (newTCPNego).
func (c *conn) protocol() error {
	if m := c.d.U8(); m != msgProtocol && c.d.Err == nil {
		return wire.Errorf("message of type %#x instead of the protocol", m)
	}
	for c.d.U8() != 0 { // versions that the client has
	}
	for c.d.U8() != 0 { // its name
	}
	if c.d.Err != nil {
		return c.d.Err
	}
	name := c.banner.Product
	name = name[:min(len(name), maxBanner-1)]
	b := append([]byte{msgProtocol, 6, 0}, name...)
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint16(b, charsetUTF8)
	b = append(b, convertsLengths, 0, 0) // no conversions of character sets
	const formats = 11
	b = binary.BigEndian.AppendUint16(b, formats)
	b = append(b, make([]byte, formats-2)...)
	b = binary.BigEndian.AppendUint16(b, charsetUTF16)
	caps, runtime := compileCaps(), runtimeCaps()
	b = append(append(b, byte(len(caps))), caps...)
	b = append(append(b, byte(len(runtime))), runtime...)
	return c.out.Message(b)
}

// From the data types that clients list: signed bytes, and a representation. go-ora
// lists another representation and reads the scale of a column in two bytes, compressed; Oracle's
// thin clients (node-oracledb, python-oracledb) list this one and read it as a byte. That one follows from the other
// is a guess that works for both.
const (
	typeSB1              = 27
	representationOracle = 10
)

// dataTypes answers the negotiation of data types (DataTypeNego.write; node-oracledb's
// dataType.js). Otherwise clients list the same types.
func (c *conn) dataTypes() error {
	if m := c.d.U8(); m != msgDataTypes && c.d.Err == nil {
		return wire.Errorf("message of type %#x instead of the data types", m)
	}
	c.d.Bytes(4) // character sets
	c.d.bare = c.d.U8()&^1&convertsLengths == 0
	caps := c.d.Bytes(int(c.d.U8()))
	runtime := c.d.Bytes(int(c.d.U8()))
	if c.d.Err != nil {
		return c.d.Err
	}
	if len(caps) <= capFieldVersion || caps[capFieldVersion] < fieldVersion {
		return c.turnAway(sqlerr.NotSupported("clients older than 12.2"))
	}
	zone := len(runtime) > 1 && runtime[1]&1 != 0
	version := len(caps) > capLongChunks && caps[capLongChunks]&2 != 0
	if zone {
		c.d.Bytes(11)
		if version {
			c.d.Bytes(4)
		}
	}
	wide := len(caps) > capWideTypes && caps[capWideTypes] != 0
	number := func() int {
		if !wide {
			return int(c.d.U8())
		}
		if b := c.d.Bytes(2); b != nil {
			return int(be16(b))
		}
		return 0
	}
	if b := c.d.Peek(2); b != nil && be16(b) != uint16(Varchar2) {
		c.d.Bytes(2) // go-ora sends the national character set here, node-oracledb begins the list
	}
	// A type, what it is converted to and, unless that is 0, how, and a 0.
	for t := number(); t != 0; t = number() {
		if number() != 0 {
			how := number()
			number()
			c.byteScales = c.byteScales || t == typeSB1 && how == representationOracle
		}
	}
	if c.d.Err != nil {
		return c.d.Err
	}
	b := []byte{msgDataTypes}
	if zone {
		b = append(b, 0x80, 0, 0, 0, 60, 60, 60, 0x80, 0, 0, 0) // the database's time zone: +00:00
		if version {
			b = append(b, 0, 0, 0, 0)
		}
	}
	b = append(b, 0)
	if wide {
		b = append(b, 0)
	}
	return c.out.Message(b)
}

// authCall is one of the two calls of the login (Connection.doAuth, AuthObject.Write).
type authCall struct {
	function   byte
	call       byte // sequence number
	user       string
	mode       int
	properties map[string]string
}

// maxProperties limits the properties of a login; clients send about 20.
const maxProperties = 200

func (d *decoder) authCall() authCall {
	var a authCall
	if m := d.U8(); m != msgFunction && d.Err == nil {
		d.Failf("message of type %#x instead of the login", m)
	}
	a.function = d.U8()
	a.call = d.U8()
	named := d.U8() != 0
	size := d.u() // the name's
	a.mode = d.u()
	d.U8()
	n := d.count()
	d.Bytes(2)
	if n > maxProperties {
		d.Failf("login with %d properties", n)
		return a
	}
	if named {
		a.user = d.text(size)
	}
	a.properties = d.keyVals(n)
	return a
}

// Modes of a login.
const modeSYSDBA = 0x20

// login performs O5LOGON.
func (c *conn) login() (bool, error) {
	c.d.Begin(wire.MaxLogin)
	first := c.d.authCall()
	if c.d.Err != nil {
		return false, c.d.Err
	}
	if first.function != fnAuthChallenge || first.user == "" {
		return false, c.turnAway(sqlerr.New(1005, "null password given; logon denied"))
	}
	v := c.engine.Verifier(first.user)
	if v == nil {
		v = unknownUser()
	}
	ch := newChallenge(v)
	if err := c.out.Message(appendEnd(ch.append(nil), callEnd{})); err != nil {
		return false, err
	}
	c.d.Begin(wire.MaxLogin)
	second := c.d.authCall()
	if c.d.Err != nil {
		return false, c.d.Err
	}
	p := second.properties
	c.call = second.call
	response, ok := "", false
	if second.function == fnAuthAnswer && second.user == first.user {
		response, ok = ch.answer(p["AUTH_SESSKEY"], p["AUTH_PASSWORD"])
	}
	for k, v := range first.properties { // node-oracledb sends its properties only once
		if p[k] == "" {
			p[k] = v
		}
	}
	l := Login{
		User: second.user, SYSDBA: second.mode&modeSYSDBA != 0,
		Program: p["AUTH_PROGRAM_NM"], Machine: p["AUTH_MACHINE"], Terminal: p["AUTH_TERMINAL"],
		OSUser: p["AUTH_SID"], ClientPID: p["AUTH_PID"], Driver: p["SESSION_CLIENT_DRIVER_NAME"],
		ConnectionData: c.descriptor, Connection: c.Number,
		Disconnect: c.Disconnect,
	}
	l.Service, _ = c.service()
	switch {
	case !ok:
		c.Logger.Info("tns: login refused", "login", l)
		return false, c.turnAway(sqlerr.New(1017, "invalid username/password; logon denied"))
	case p["PROXY_CLIENT_NAME"] != "":
		return false, c.turnAway(sqlerr.NotSupported("proxy authentication"))
	case p["AUTH_NEWPASSWORD"] != "":
		return false, c.turnAway(sqlerr.NotSupported("changing the password at login"))
	}
	return c.start(l, p["AUTH_ALTER_SESSION"], response)
}

// start opens the session, sets it up as the client wants it and confirms the login.
func (c *conn) start(l Login, alter, response string) (bool, error) {
	sess, err := c.engine.Login(c.ctx, l)
	if err != nil {
		refusal, ok := errors.AsType[*sqlerr.Error](err)
		if !ok {
			c.Logger.Error("tns: login", "login", l, "error", err)
			refusal = sqlerr.New(1017, "invalid username/password; logon denied")
		}
		return false, c.turnAway(refusal)
	}
	c.sess, c.sendsAll = sess, l.Driver == "OracleClientGo"
	c.python = strings.HasPrefix(l.Driver, "python-oracledb")
	c.Attach(sess)
	if c.ctx.Err() != nil { // the reader may have ended before the session existed
		return false, c.ctx.Err()
	}
	if text := strings.TrimRight(alter, "\x00 "); text != "" {
		if e := c.quietly(&Execute{Statement: &Statement{SQL: text}, Iterations: []value.Row{{}}}); e != nil {
			return false, c.turnAway(e)
		}
	}
	c.Logger.Debug("tns: login", "login", l)
	env, banner := sess.Environment(), c.banner
	b := appendUint([]byte{msgParameter}, 11)
	b = appendKeyVal(b, "AUTH_VERSION_STRING", "- "+banner.Product, 0)
	b = appendKeyVal(b, "AUTH_VERSION_NO", fmt.Sprint(banner.number()), 0)
	b = appendKeyVal(b, "AUTH_SESSION_ID", fmt.Sprint(env.SID), 0)
	b = appendKeyVal(b, "AUTH_SERIAL_NUM", fmt.Sprint(env.Serial), 0)
	b = appendKeyVal(b, "AUTH_SC_DBUNIQUE_NAME", banner.DBName, 0)
	b = appendKeyVal(b, "AUTH_SC_INSTANCE_NAME", banner.DBName, 0)
	b = appendKeyVal(b, "AUTH_SC_SERVICE_NAME", l.Service, 0)
	b = appendKeyVal(b, "AUTH_INSTANCENAME", banner.DBName, 0)
	b = appendKeyVal(b, "AUTH_MAX_OPEN_CURSORS", fmt.Sprint(maxCursors), 0)
	b = appendKeyVal(b, "AUTH_MAX_IDEN_LENGTH", "128", 0)
	b = appendKeyVal(b, "AUTH_SVR_RESPONSE", response, 0)
	// The language is sent with the session, so go-ora does not have to ask for it
	// (loadNLSData).
	const sync, language, territory = 5, 16, 9
	b = append(b, msgServerSide, sync, 0, 0)
	b = append(appendUint(b, 2), 0)
	b = appendKeyVal(b, "AUTH_NLS_LXLAN", env.Language, language)
	b = appendKeyVal(b, "AUTH_NLS_LXCTERRITORY", env.Territory, territory)
	b = append(b, 0)
	return true, c.out.Message(appendEnd(b, callEnd{}))
}

// turnAway rejects the login with an error.
func (c *conn) turnAway(e *sqlerr.Error) error {
	end := callEnd{code: errorCode(e), text: errorText(e), call: c.call, status: c.status}
	return c.out.Message(appendEnd(nil, end))
}
