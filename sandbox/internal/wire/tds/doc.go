// Package tds is a server of the Tabular Data Stream protocol, version 7.4, as
// [MS-TDS] describes it: go-mssqldb and any other TDS client can talk to it. It
// knows nothing about SQL. An Engine opens one Session per connection; a Session is
// given decoded requests (batches, remote procedure calls, transaction manager
// requests, bulk loads) and answers through a ResponseWriter, which streams.
//
// # How a connection runs
//
// A connection has two goroutines. One reads packets, puts messages together and
// notices an attention or a lost connection at any time; the other decodes one
// message after another, calls Session.Do and sends the answer. All methods of a
// ResponseWriter are for the goroutine that Do hands them to, one at a time.
//
// # Values on the wire
//
// Columns and parameters carry values as the engine holds them: a datetime in
// ticks of the nearest 1/300 second, a datetimeoffset in ticks of UTC with its offset
// in Aux, a sql_variant as a Variant. On output a bit may be a Bool, too, and
// an Int or a Decimal of another scale may be used for a Decimal if no digit is lost;
// anything else that does not fit its column is an error.
//
// Text is UTF-8 inside, with lone surrogates as three bytes each (WTF-8), so that
// every nvarchar survives a round trip. char and varchar are sent in code
// page 1252, that of all collations that the sandbox models.
//
// # What is refused
//
// TDS older than 7.3, TDS 8.0 (encrypt=strict), MARS, integrated and federated
// authentication, password change at login, Always Encrypted, CLR types,
// parameters of xml and sql_variant, columns of text and ntext, query notifications,
// distributed transactions. Clients are told by an error or by the means of PRELOGIN and
// LOGIN7.
//
// Encryption hides a password from a bystander; with the default throwaway certificate
// it proves nothing about the server.
package tds
