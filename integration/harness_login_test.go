package integration

import (
	"os"

	"github.com/stretchr/testify/require"

	"github.com/dbsched/dbsched/dialects"
)

// loginDSN returns the DSN in a variable, for the server that all tests use but with another kind of login. Without one
// on a real server the test is skipped; on the sandbox it is empty.
func (h *harness) loginDSN(variable string) string {
	h.Helper()
	if h.server.box != nil {
		return ""
	}
	dsn := os.Getenv(variable)
	if dsn == "" {
		h.Skipf("%s is not set: a DSN of this server by that kind of login", variable)
	}
	return withProgram(h, dsn, h.server.program, loginProgram)
}

// loginProgram is the program name of such a login, so that an administrator finds its session.
const loginProgram = "dbsched-test-login"

// login logs in as dbsched does, until the end of the test.
func (h *harness) login(dsn string) error {
	h.Helper()
	s, err := h.dialect.Open(h.Context(), dialects.Target{DSN: dsn, Schema: h.dialect.DefaultSchema(), Dial: h.server.dial()})
	if err != nil {
		require.ErrorAs(h, err, new(*dialects.ConnectError))
		return err
	}
	h.Cleanup(func() { require.NoError(h, s.Close()) })
	return nil
}
