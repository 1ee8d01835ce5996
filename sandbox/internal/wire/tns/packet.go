package tns

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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
	// sessionDataUnit is the largest packet that is offered: Oracle's default
	// (Database Net Services Reference, DEFAULT_SDU_SIZE).
	sessionDataUnit = 8192
	minDataUnit     = 512
)

// dataFinal in the flags of DATA says that the client is gone.
const dataFinal = 0x40

// protocolError is a breach of the protocol by the client; it ends the connection.
type protocolError struct{ text string }

func (e *protocolError) Error() string { return "tns: " + e.text }

func protocolErrorf(format string, args ...any) error {
	return &protocolError{fmt.Sprintf(format, args...)}
}

// packet is one packet without its header.
type packet struct {
	kind  byte
	flags uint16 // of DATA
	body  []byte // of DATA: what follows the flags
}

// packetReader reads packets.
type packetReader struct {
	r     io.Reader
	wide  bool // lengths have four bytes
	limit int  // of a packet, header included; nothing larger is ever allocated
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
		return packet{}, protocolErrorf("packet of %d bytes", size)
	}
	body := make([]byte, size-headerSize)
	if _, err := io.ReadFull(p.r, body); err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return packet{}, err
	}
	k := packet{kind: head[4], body: body}
	if k.kind == packData {
		if len(body) < 2 {
			return packet{}, protocolErrorf("DATA without flags")
		}
		k.flags, k.body = binary.BigEndian.Uint16(body), body[2:]
	}
	return k, nil
}

// packetWriter cuts a byte stream into DATA packets.
type packetWriter struct {
	w    io.Writer
	wide bool
	size int // of a packet, header included
	out  []byte
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

func (p *packetWriter) data(b []byte) error { return p.send(packData, []byte{0, 0}, b) }

// full sends all of buf that fills packets and returns the rest, which is not empty
// unless buf was.
func (p *packetWriter) full(buf []byte) ([]byte, error) {
	room := p.size - dataHeaderSize
	if len(buf) <= room {
		return buf, nil
	}
	rest := buf
	for len(rest) > room {
		if err := p.data(rest[:room]); err != nil {
			return buf[:0], err
		}
		rest = rest[room:]
	}
	return buf[:copy(buf, rest)], nil
}

// message sends a whole message.
func (p *packetWriter) message(b []byte) error {
	rest, err := p.full(b)
	if err != nil {
		return err
	}
	return p.data(rest)
}

// Marker types (network/marker_packet.go).
const (
	markerBreak     = 1
	markerReset     = 2
	markerInterrupt = 3
)

func (p *packetWriter) marker(kind byte) error { return p.send(packMarker, []byte{1, 0, kind}) }
