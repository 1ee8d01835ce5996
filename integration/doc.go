// Package integration holds the scenarios: each installs dbsched, drives it as a user would, and checks what users and administrators see. They run on
// the sandbox, or on real servers (README.md says how, and which scenario shows which rule).
//
// A file is named for its topic, a folder of the templates where there is one, and then for what it is about: claim_wave_test.go,
// schedules_fault_test.go. Other topics are interface (procedures, their edges and refusals), views, seeds (the published designs), matrix (options of
// SQL Server), live (what only real servers show), life (random histories by the command line's interface), verify and rules (the suite about itself).
//
// Files that begin with mssql_ or oracle_ are about one engine. All others hold no SQL: they take it from statements, of which each engine has one
// (mssql_harness_statements_test.go, oracle_harness_statements_test.go), and run on both.
//
// What scenarios share is in files called harness: harness_test.go installs, enqueues and waits, harness_session_test.go opens sessions of users,
// harness_server_test.go reaches the server, harness_views_test.go reads what users see, and the others are named for the topics that they serve.
package integration
