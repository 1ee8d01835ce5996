// Package tds is a server of the Tabular Data Stream protocol, version 7.4, as
// [MS-TDS] describes it: go-mssqldb and any other TDS client can talk to it. It
// knows nothing of SQL. An Engine opens one Session per connection; a Session is
// given decoded requests (batches, remote procedure calls, transaction manager
// requests, bulk loads) and answers through a ResponseWriter, which streams.
//
// # How a connection runs
//
// A connection has two goroutines. One reads packets, puts messages together and
// notices an attention or a lost connection at any time; the other decodes one
// message after the other, calls Session.Do and sends the answer. All methods of a
// ResponseWriter are for the goroutine that Do hands them to, one at a time.
//
// # Values on the wire
//
// What a column or parameter of a type carries, in both directions:
//
//	bit, tinyint … bigint     Int (Bool is accepted on output, too)
//	decimal, money            Decimal; on output an Int, too. Money has scale 4
//	real, float               Float
//	(n)char, (n)varchar, xml  String
//	binary, rowversion        Bytes
//	uniqueidentifier          GUID, the 16 bytes as they travel
//	date                      Time: ticks of 100 ns since 0001-01-01, of midnight
//	(small)datetime, datetime2 Time: ticks of 100 ns since 0001-01-01. A datetime
//	                          counts 1/300 s: its ticks are the nearest ones, so
//	                          that .003 is 33333 ticks and .007 is 66667
//	datetimeoffset            Time: ticks of the *local* time, Aux the offset from
//	                          UTC in minutes (the wire has UTC; this package adds)
//	time                      Span: ticks of 100 ns since midnight
//	sql_variant               Ref to a Variant, or on output a plain value
//
// Text is UTF-8 inside, with lone surrogates as three bytes each (WTF-8), so that
// every nvarchar survives the way there and back. char and varchar travel in code
// page 1252, the one of all collations that the sandbox models.
//
// # What is refused
//
// TDS older than 7.3, TDS 8.0 (encrypt=strict), MARS, integrated and federated
// authentication, password change at login, Always Encrypted, CLR types, query
// notifications, distributed transactions. Clients are told so by an error or by
// what PRELOGIN and LOGIN7 have for it.
//
// Encryption hides a password from a bystander; with the throw-away certificate of
// the default it proves nothing about the server.
package tds
