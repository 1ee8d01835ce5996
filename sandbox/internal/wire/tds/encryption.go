package tds

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"net"
	"time"

	"github.com/dbsched/dbsched/sandbox/internal/wire"
)

// throwAwayTLS makes a configuration with a certificate that lasts as long as the connection.
func throwAwayTLS() (*tls.Config, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("tds: make a key: %w", err)
	}
	cert := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "SSL_Self_Signed_Fallback"}, // as SQL Server calls its own
		NotBefore:    time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, cert, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("tds: make a certificate: %w", err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}, nil
}

// handshake makes conn a TLS connection. During the handshake, TLS travels in
// PRELOGIN packets ([MS-TDS] 3.3.5.3), afterward TDS travels in TLS.
func handshake(ctx context.Context, conn net.Conn) (*tls.Conn, error) {
	config, err := throwAwayTLS()
	if err != nil {
		return nil, err
	}
	// TLS 1.3 sends tickets after the handshake, where a client no longer expects
	// PRELOGIN packets; SQL Server has TLS 1.3 only with TDS 8.0.
	config.MaxVersion = tls.VersionTLS12
	config.SessionTicketsDisabled = true
	config.DynamicRecordSizingDisabled = true // a packet is one record
	// The packet size is negotiated later; a client may have only the minimum.
	wrapped := &wrappedTLS{Conn: conn}
	wrapped.out.init(conn, packPrelogin, minPacketSize)
	secure := tls.Server(wrapped, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		return nil, fmt.Errorf("tds: TLS handshake: %w", err)
	}
	wrapped.done = true
	return secure, nil
}

// wrappedTLS carries TLS records: in PRELOGIN packets until done, then unwrapped.
// It never reads beyond a record, since after the login packet plain TDS may follow.
type wrappedTLS struct {
	net.Conn
	out  packetWriter
	done bool
	left int          // bytes left in the packet or record being read
	head bytes.Buffer // the part of a record's header not yet passed on
}

func (c *wrappedTLS) Write(b []byte) (int, error) {
	if c.done {
		return c.Conn.Write(b)
	}
	if err := c.out.Message(bytes.Clone(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (c *wrappedTLS) Read(b []byte) (int, error) {
	for c.left == 0 && c.head.Len() == 0 {
		if err := c.next(); err != nil {
			return 0, err
		}
	}
	if c.head.Len() > 0 {
		return c.head.Read(b)
	}
	n, err := c.Conn.Read(b[:min(len(b), c.left)])
	c.left -= n
	return n, err
}

// next reads the header of a packet or record.
func (c *wrappedTLS) next() error {
	if c.done {
		var h [5]byte
		if _, err := io.ReadFull(c.Conn, h[:]); err != nil {
			return err
		}
		c.head.Write(h[:])
		c.left = int(binary.BigEndian.Uint16(h[3:]))
		return nil
	}
	var h [headerSize]byte
	if _, err := io.ReadFull(c.Conn, h[:]); err != nil {
		return err
	}
	size := int(binary.BigEndian.Uint16(h[2:]))
	if h[0] != packPrelogin || size < headerSize {
		return wire.Errorf("packet of type %#x and %d bytes in a TLS handshake", h[0], size)
	}
	c.left = size - headerSize
	return nil
}

// refuseStrict answers a client that begins with TLS (TDS 8.0) with an alert that its TLS
// library reports clearly: "protocol version not supported".
func refuseStrict(w io.Writer) {
	_, _ = w.Write([]byte{21, 3, 3, 0, 2, 2, 70})
}
