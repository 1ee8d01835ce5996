package wire

import (
	"errors"
	"io"
)

// Packets splits messages into packets.
type Packets struct {
	Room int                                   // bytes of a message in a packet
	Send func(payload []byte, last bool) error // sends one packet in one write
}

// full sends the part of buf that fills packets and returns the rest, which is not empty
// unless buf was: the last packet of a message must not be empty.
func (p *Packets) full(buf []byte) ([]byte, error) {
	if len(buf) <= p.Room {
		return buf, nil
	}
	rest := buf
	for len(rest) > p.Room {
		if err := p.Send(rest[:p.Room], false); err != nil {
			return buf[:0], err
		}
		rest = rest[p.Room:]
	}
	return buf[:copy(buf, rest)], nil
}

// Message sends a whole message.
func (p *Packets) Message(b []byte) error {
	rest, err := p.full(b)
	if err != nil {
		return err
	}
	return p.Send(rest, true)
}

// ReadRest fills b with the rest of a packet.
func ReadRest(r io.Reader, b []byte) error {
	_, err := io.ReadFull(r, b)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return err
}
