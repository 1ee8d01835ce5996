package oracle

import (
	"github.com/dbsched/dbsched/dialects"
)

func unsupported(feature string) error {
	return &dialects.UnsupportedError{Dialect: Dialect{}.Name(), Feature: feature}
}

// supported refuses tasks that want what the package does not do yet.
func supported(tasks []dialects.NewTask) error {
	for _, t := range tasks {
		switch {
		case t.Transactional:
			return unsupported("transactional tasks")
		case t.DedupKey != "":
			return unsupported("dedup keys")
		case t.Parameters != "":
			return unsupported("parameters of tasks")
		}
	}
	return nil
}
