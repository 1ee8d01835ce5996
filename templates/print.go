package templates

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Print writes the batches as one script that sqlcmd runs as it stands (with
// -b, so that it stops at the first error). sqlcmd connects with
// QUOTED_IDENTIFIER OFF unless told otherwise, and modules keep the setting
// they were made with, so the script sets it itself.
func Print(w io.Writer, batches []Batch) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "SET ANSI_NULLS, QUOTED_IDENTIFIER ON;\nGO\n")
	for _, b := range batches {
		if err := checkBody(b); err != nil {
			return err
		}
		if b.Kind == KindModule {
			fmt.Fprint(out, "SET ANSI_NULLS, QUOTED_IDENTIFIER ON;\nGO\n")
		}
		fmt.Fprintf(out, "%s\nGO\n", strings.TrimRight(b.SQL, "\n"))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write script: %w", err)
	}
	return nil
}
