package sandboxtest

import (
	"os"
	"path/filepath"

	"github.com/dbsched/dbsched/migrations"
	"github.com/dbsched/dbsched/templates"
)

// The templates in the folder DBSCHED_TEMPLATES, with mssql and oracle inside, replace the program's own in all tests on sandboxes, and
// those in its folder migrations, if it has one, the migrations: they have a mistake that the tests should notice.
func init() {
	path := os.Getenv("DBSCHED_TEMPLATES")
	if path == "" {
		return
	}
	templates.Use(os.DirFS(path))
	if tables := filepath.Join(path, "migrations"); isFolder(tables) {
		migrations.Use(os.DirFS(tables))
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
