// Package tns is a server of Oracle's network protocol: TNS packets and the two-task
// common layer (TTC) in them, as go-ora v2, the thin modes of python-oracledb and node-oracledb,
// and Oracle's JDBC driver speak it. It knows nothing about SQL. An Engine opens one Session per connection; a Session is given
// decoded requests (execute, fetch, commit, rollback, ping) and answers through a
// ResponseWriter.
//
// Oracle documents neither layer. This package is based on clients whose
// source is public: github.com/sijms/go-ora/v2 (network/*.go, command.go, parameter.go,
// lob.go, auth_object.go) and node-oracledb's thin mode (lib/thin/protocol/messages).
// A file named in a comment without a project is go-ora's.
//
// # How a connection runs
//
// A connection has two goroutines. One reads packets and notices a break or a lost
// connection at any time; the other decodes one call after another, lets the session
// work and sends the answer. A TTC message does not say how long it is: it is decoded
// while it arrives. All methods of a ResponseWriter are for the goroutine that Do hands
// it to, one at a time.
//
// # How a session answers
//
// An Execute of a query is answered by Query; the rows are asked for by Fetch requests,
// the first of them right after the Execute, in the same answer, if the client wants
// rows with it. A result set lives until CloseResult, which also comes before its
// statement is executed again; when a session ends, its result sets are not closed one by one.
// An Execute of anything else is answered by Rows, Out, Returning, Batch, CompileErrors
// or nothing. Any request can be answered by Error, alone or after rows.
//
// What a client cancels is answered with ORA-01013, whatever the session says. A break
// that arrives after its call has ended hits the client's next one: nothing in the protocol
// distinguishes them.
//
// # What is negotiated with clients
//
// TNS versions 315 to 317. TTC field version 11 (12.2), AL32UTF8 with AL16UTF16 as the
// national character set, texts and raws of up to 32,767 bytes, O5LOGON with the
// verifiers of 11g and 12c. Encryption, checksums and the other services of Advanced
// Networking are declined in ACCEPT.
//
// # Values on the wire
//
// NUMBER is a value.Int or value.Decimal; on input it is an Int whenever it is whole
// and fits. DATE, TIMESTAMP and TIMESTAMP WITH LOCAL TIME ZONE are value.Time in ticks
// of 100 ns, TIMESTAMP WITH TIME ZONE in ticks of UTC with its offset in Aux; digits
// of a second beyond the seventh are truncated on input. INTERVAL DAY TO SECOND is a
// value.Span, BINARY_FLOAT and BINARY_DOUBLE a value.Float, RAW and BLOB are value.Bytes, all text is
// value.String, a REF CURSOR is a value.Ref of *ResultSet, an index-by table a
// value.Ref of []value.Value. NULL and empty text are the same to the engine and to
// clients; only an empty LOB is not NULL here.
//
// LOBs are whole values to the engine. Locators exist only on the wire: each represents
// the value as it was when it was sent and lives until the client frees it.
//
// # What is refused
//
// Object types, XMLTYPE, BFILE, ROWID, UROWID, VECTOR, JSON, prefetched LOBs, writing to a LOB through a value's locator,
// scrollable cursors, external and proxy authentication, changing the password at login, time zone regions in binds
// (offsets and UTC are fine), queue and direct path calls. The call is refused, but the connection continues: the rest of
// its message is skipped. Only the sizes of packets tell where it ends.
package tns
