package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"

	"github.com/spf13/pflag"

	"github.com/dbsched/dbsched/dialects"
	"github.com/dbsched/dbsched/internal/cli"
	"github.com/dbsched/dbsched/internal/web"
)

// serveOptions are the flags of the commands that serve HTTP.
type serveOptions struct {
	Listen, Cert, Key, TokenFile string
}

func (o *serveOptions) bind(f *pflag.FlagSet, listen, token string) {
	f.StringVar(&o.Listen, "listen", listen, "address; port 0 picks a free one")
	f.StringVar(&o.Cert, "tls-cert", "", "certificate in a PEM file")
	f.StringVar(&o.Key, "tls-key", "", "its private key")
	f.StringVar(&o.TokenFile, "token-file", "", token)
}

// Validate refuses access from other machines in clear text.
func (o *serveOptions) Validate() error {
	if (o.Cert == "") != (o.Key == "") {
		return dialects.Usagef("--tls-cert and --tls-key belong together")
	}
	if _, _, err := net.SplitHostPort(o.Listen); err != nil {
		return dialects.Usagef("--listen is %q; it must be an address and a port, such as 127.0.0.1:8420", o.Listen)
	}
	if o.Cert == "" && !web.Loopback(o.Listen) {
		return dialects.Usagef("--listen is %s, which other machines reach. Use 127.0.0.1, or add --tls-cert and --tls-key", o.Listen)
	}
	if o.TokenFile != "" && web.FromFile(o.TokenFile)() == "" {
		return dialects.Usagef("--token-file is %s; it must be a readable file with a token of at least 20 characters, such as that of 'openssl rand -hex 20'", o.TokenFile)
	}
	return nil
}

// site returns the address with its names.
func (o *serveOptions) site() (*web.Site, error) {
	if o.Cert == "" {
		return web.New(o.Listen, nil), nil
	}
	cert, err := tls.LoadX509KeyPair(o.Cert, o.Key)
	if err != nil {
		return nil, dialects.Usagef("the certificate cannot be used: %v", err)
	}
	return web.New(o.Listen, &cert), nil
}

// serveSite serves until the context ends. It prints what, with the address that where makes of the server's.
func serveSite(ctx context.Context, s *cli.Session, site *web.Site, what string, where func(base string) string, h http.Handler) error {
	l, err := site.Listen(ctx)
	if err != nil {
		return dialects.Usagef("cannot listen: %v. Choose another address with --listen", err)
	}
	s.Print(what + ": " + where(site.URL(l.Addr())))
	return site.Serve(ctx, l, h)
}
