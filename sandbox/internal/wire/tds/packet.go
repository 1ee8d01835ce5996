package tds

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Packet types ([MS-TDS] 2.2.3.1.1).
const (
	packBatch       = 0x01
	packRPC         = 0x03
	packReply       = 0x04
	packAttention   = 0x06
	packBulkLoad    = 0x07
	packFedAuth     = 0x08
	packTransaction = 0x0E
	packLogin7      = 0x10
	packSSPI        = 0x11
	packPrelogin    = 0x12
)

// Status bits of a packet ([MS-TDS] 2.2.3.1.2).
const (
	statusEOM           = 0x01
	statusIgnore        = 0x02
	statusReset         = 0x08
	statusResetKeepTran = 0x10
)

const (
	headerSize        = 8
	minPacketSize     = 512
	defaultPacketSize = 4096
	maxPacketSize     = 32767
	// A TLS connection has smaller packets: one fits a TLS record.
	maxTLSPacketSize = 16383
)

// message is a request put together from its packets.
type message struct {
	kind    byte
	status  byte // status of the first packet
	ignore  bool // canceled by the client before it was complete
	payload []byte
}

// packetReader reads packets. Its buffer never grows beyond a packet, whatever a
// header claims.
type packetReader struct {
	r   io.Reader
	buf [maxPacketSize]byte
}

// packet reads one packet; the payload is valid until the next call.
func (p *packetReader) packet() (kind, status byte, payload []byte, err error) {
	if _, err := io.ReadFull(p.r, p.buf[:headerSize]); err != nil {
		return 0, 0, nil, err
	}
	size := int(binary.BigEndian.Uint16(p.buf[2:]))
	if size < headerSize || size > maxPacketSize {
		return 0, 0, nil, wire.Errorf("packet of %d bytes", size)
	}
	kind, status = p.buf[0], p.buf[1]
	return kind, status, p.buf[headerSize:size], wire.ReadRest(p.r, p.buf[headerSize:size])
}

// message reads packets up to the end of a message of at most limit bytes. After
// the first packet afterFirst is called, if there is one.
func (p *packetReader) message(limit int, afterFirst func()) (message, error) {
	kind, status, payload, err := p.packet()
	if err != nil {
		return message{}, err
	}
	if afterFirst != nil {
		afterFirst()
	}
	m := message{kind: kind, status: status}
	for {
		if len(m.payload)+len(payload) > limit {
			return message{}, wire.Errorf("message of more than %d bytes", limit)
		}
		m.payload = append(m.payload, payload...)
		if status&statusEOM != 0 {
			m.ignore = status&statusIgnore != 0
			return m, nil
		}
		if kind, status, payload, err = p.packet(); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return message{}, err
		}
		if kind != m.kind {
			return message{}, wire.Errorf("packet of type %#x within a message of type %#x", kind, m.kind)
		}
	}
}

// packetWriter splits messages into packets.
type packetWriter struct {
	wire.Packets
	w    io.Writer
	kind byte
	spid uint16 // the session, for the header
	seq  byte
	out  []byte
}

// init sets the packet size, including the header.
func (p *packetWriter) init(w io.Writer, kind byte, size int) {
	*p = packetWriter{w: w, kind: kind, Packets: wire.Packets{Room: size - headerSize, Send: p.packet}}
}

// packet sends one packet in one write.
func (p *packetWriter) packet(payload []byte, last bool) error {
	p.seq++
	status := byte(0)
	if last {
		status = statusEOM
	}
	p.out = append(p.out[:0], p.kind, status, 0, 0, byte(p.spid>>8), byte(p.spid), p.seq, 0)
	p.out = append(p.out, payload...)
	binary.BigEndian.PutUint16(p.out[2:], uint16(len(p.out)))
	if last {
		p.seq = 0
	}
	_, err := p.w.Write(p.out)
	return err
}
