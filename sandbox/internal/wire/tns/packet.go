package tns

import (
	"encoding/binary"
	"io"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// Packet types (network/packets.go).
const (
	packConnect = 1
	packAccept  = 2
	packRefuse  = 4
	packData    = 6
	packMarker  = 12
)

// Sizes in bytes.
const (
	headerSize     = 8
	dataHeaderSize = headerSize + 2 // DATA has two bytes of flags
	// sessionDataUnit is the largest packet offered: Oracle's default
	// (Database Net Services Reference, DEFAULT_SDU_SIZE).
	sessionDataUnit = 8192
	minDataUnit     = 512
)

// dataFinal in the flags of DATA says that the client is gone.
const dataFinal = 0x40

// packet is one packet without its header.
type packet struct {
	kind  byte
	flags uint16 // flags of DATA
	body  []byte // for DATA: what follows the flags
}

// packetReader reads packets.
type packetReader struct {
	r     io.Reader
	wide  bool // lengths have four bytes
	limit int  // of a packet, including its header; nothing larger is ever allocated
}

func (p *packetReader) packet() (packet, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(p.r, head[:]); err != nil {
		return packet{}, err
	}
	size := uint64(binary.BigEndian.Uint16(head[:]))
	if p.wide {
		size = uint64(binary.BigEndian.Uint32(head[:]))
	}
	if size < headerSize || size > uint64(p.limit) {
		return packet{}, wire.Errorf("packet of %d bytes", size)
	}
	body := make([]byte, size-headerSize)
	if err := wire.ReadRest(p.r, body); err != nil {
		return packet{}, err
	}
	k := packet{kind: head[4], body: body}
	if k.kind == packData {
		if len(body) < 2 {
			return packet{}, wire.Errorf("DATA without flags")
		}
		k.flags, k.body = binary.BigEndian.Uint16(body), body[2:]
	}
	return k, nil
}

// packetWriter splits a byte stream into DATA packets.
type packetWriter struct {
	wire.Packets
	w    io.Writer
	wide bool
	out  []byte
}

// init sets the packet size, including the header.
func (p *packetWriter) init(w io.Writer, wide bool, size int) {
	data := func(b []byte, _ bool) error { return p.send(packData, []byte{0, 0}, b) }
	*p = packetWriter{w: w, wide: wide, Packets: wire.Packets{Room: size - dataHeaderSize, Send: data}}
}

// send sends one packet in one write.
func (p *packetWriter) send(kind byte, parts ...[]byte) error {
	p.out = append(p.out[:0], 0, 0, 0, 0, kind, 0, 0, 0)
	for _, b := range parts {
		p.out = append(p.out, b...)
	}
	if p.wide {
		binary.BigEndian.PutUint32(p.out, uint32(len(p.out)))
	} else {
		binary.BigEndian.PutUint16(p.out, uint16(len(p.out)))
	}
	_, err := p.w.Write(p.out)
	return err
}

// Marker types (network/marker_packet.go).
const (
	markerBreak     = 1
	markerReset     = 2
	markerInterrupt = 3
)

func (p *packetWriter) marker(kind byte) error { return p.send(packMarker, []byte{1, 0, kind}) }
