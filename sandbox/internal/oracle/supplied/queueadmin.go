package supplied

import (
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/aq"
	"github.com/dbsched/dbsched/sandbox/internal/oracle/catalog"
	"github.com/dbsched/dbsched/sandbox/internal/sqlerr"
)

var queueAdmin = natives{
	"CREATE_QUEUE_TABLE": func(c *call) error {
		err := c.unset("STORAGE_CLAUSE", "MULTIPLE_CONSUMERS", "MESSAGE_GROUPING", "PRIMARY_INSTANCE", "SECONDARY_INSTANCE", "COMPATIBLE",
			"SECURE", "REPLICATION_MODE")
		if err != nil {
			return err
		}
		return c.define("QUEUE_TABLE", func(owner, name string) error {
			if c.s.ViewContext().Catalog.Object(owner, name) != nil {
				return catalog.ErrNameUsed()
			}
			return c.s.Queues().CreateTable(caller{c.s}, aq.TableSpec{
				Owner: owner, Name: name, PayloadType: strings.ToUpper(c.text("QUEUE_PAYLOAD_TYPE")),
				SortList: strings.ReplaceAll(strings.ToUpper(c.text("SORT_LIST")), " ", ""), Comment: c.text("COMMENT"),
			})
		})
	},
	"DROP_QUEUE_TABLE": func(c *call) error {
		return c.define("QUEUE_TABLE", func(owner, name string) error {
			return c.s.Queues().DropTable(caller{c.s}, owner, name, c.truth("FORCE"))
		})
	},
	"CREATE_QUEUE": func(c *call) error {
		if err := c.unset("DEPENDENCY_TRACKING", "QUEUE_TYPE", "RETRY_DELAY", "RETENTION_TIME"); err != nil {
			return err
		}
		const maxRetries = 1<<31 - 1
		settings := aq.Settings{MaxRetries: aq.DefaultMaxRetries, Comment: c.text("COMMENT")}
		if !c.isNull("MAX_RETRIES") {
			if settings.MaxRetries = c.whole("MAX_RETRIES"); settings.MaxRetries < 0 || settings.MaxRetries > maxRetries {
				return sqlerr.NotSupported("max_retries => %d", settings.MaxRetries)
			}
		}
		_, table, err := c.queueName("QUEUE_TABLE")
		if err != nil {
			return err
		}
		return c.define("QUEUE_NAME", func(owner, name string) error {
			if c.s.ViewContext().Catalog.Object(owner, name) != nil {
				return catalog.ErrNameUsed()
			}
			return c.s.Queues().CreateQueue(caller{c.s}, aq.QueueSpec{
				Owner: owner, Name: name, Table: table, Settings: settings,
			})
		})
	},
	"DROP_QUEUE": func(c *call) error {
		return c.define("QUEUE_NAME", func(owner, name string) error { return c.s.Queues().DropQueue(caller{c.s}, owner, name) })
	},
	"START_QUEUE": func(c *call) error {
		return c.administer("QUEUE_NAME", func(owner, name string) error {
			return c.s.Queues().Start(caller{c.s}, owner, name, c.truth("ENQUEUE"), c.truth("DEQUEUE"))
		})
	},
	"STOP_QUEUE": func(c *call) error {
		return c.administer("QUEUE_NAME", func(owner, name string) error {
			return c.s.Queues().Stop(caller{c.s}, owner, name, c.truth("ENQUEUE"), c.truth("DEQUEUE"), c.truth("WAIT"))
		})
	},
}

// define is administer with the deprecated parameter auto_commit, of which only the default is modeled.
func (c *call) define(param string, fn func(owner, name string) error) error {
	if !c.truth("AUTO_COMMIT") {
		return sqlerr.NotSupported("auto_commit => FALSE")
	}
	return c.administer(param, fn)
}

// administer calls fn with the queue or queue table that a parameter names, if the user may administer it: its own, or any.
// Errors: 1031, 24000; those of fn.
func (c *call) administer(param string, fn func(owner, name string) error) error {
	owner, name, err := c.queueName(param)
	if err != nil {
		return err
	}
	if c.s.ViewContext().User != owner && !has(c.s, "MANAGE ANY QUEUE") {
		return catalog.ErrPrivileges()
	}
	return failure(fn(owner, name))
}
