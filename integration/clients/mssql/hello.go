// Program hello enqueues a task.
package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"net/url"
	"os"
	"time"

	_ "github.com/microsoft/go-mssqldb"
)

func main() {
	dsn := url.URL{
		Scheme: "sqlserver", User: url.UserPassword(os.Getenv("USER"), os.Getenv("PASSWORD")),
		Host: os.Getenv("HOST") + ":" + os.Getenv("PORT"), RawQuery: "TrustServerCertificate=true&database=" + os.Getenv("DATABASE"),
	}
	if err := run(dsn.String()); err != nil {
		log.Fatal(err)
	}
}

func run(dsn string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	db, err := sql.Open("sqlserver", dsn)
	if err != nil {
		return err
	}
	var task int64
	_, err = db.ExecContext(ctx, "dbsched.ExecAsync", sql.Named("SQL", "EXEC dbo.LoadOrders"), sql.Named("ExecutionOrder", 100),
		sql.Named("TaskId", sql.Out{Dest: &task}))
	if err != nil {
		return err
	}
	fmt.Println("task", task)

	tx, err := db.BeginTx(ctx, nil) // in one transaction with your own work: both or nothing
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, "CREATE TABLE dbo.Orders (Id int)")
	if err == nil {
		_, err = tx.ExecContext(ctx, "dbsched.ExecAsync", sql.Named("SQL", "SELECT COUNT(*) FROM dbo.Orders"),
			sql.Named("ExecutionOrder", 200))
	}
	if err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
