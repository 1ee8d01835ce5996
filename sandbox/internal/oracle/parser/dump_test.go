package parser

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/dbsched/dbsched/sandbox/internal/oracle/ast"
)

// dump writes a tree, one node per line: field, kind, line:column, plain values; then its children.
func dump(n any) string {
	var b strings.Builder
	dumpValue(&b, "", "", reflect.ValueOf(n))
	return b.String()
}

func dumpValue(b *strings.Builder, indent, field string, v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			return
		}
		v = v.Elem()
	}
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			dumpValue(b, indent, field, v.Index(i))
		}
		return
	}
	b.WriteString(indent)
	if field != "" {
		b.WriteString(field + ": ")
	}
	switch n := v.Interface().(type) {
	case ast.Name:
		fmt.Fprintf(b, "%s\n", nameText(n))
		return
	case ast.Ref:
		parts := make([]string, len(n.Parts))
		for i, p := range n.Parts {
			parts[i] = nameText(p)
		}
		fmt.Fprintf(b, "%s\n", strings.Join(parts, "."))
		return
	case ast.Pos:
		fmt.Fprintf(b, "%d:%d\n", n.Line, n.Column)
		return
	}
	at := v.Field(0).Interface().(ast.Pos)
	fmt.Fprintf(b, "%s %d:%d", v.Type().Name(), at.Line, at.Column)
	for i := 1; i < v.NumField(); i++ {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case f.IsZero():
		case f.Kind() == reflect.Bool:
			b.WriteString(" " + name)
		case f.Kind() == reflect.String && name == "Source":
			fmt.Fprintf(b, " %s=%d bytes", name, f.Len())
		case f.Kind() == reflect.String:
			fmt.Fprintf(b, " %s=%q", name, f.String())
		}
	}
	b.WriteByte('\n')
	for i := 1; i < v.NumField(); i++ {
		if f := v.Field(i); f.Kind() != reflect.Bool && f.Kind() != reflect.String && !f.IsZero() {
			dumpValue(b, indent+"  ", v.Type().Field(i).Name, f)
		}
	}
}

func nameText(n ast.Name) string {
	if n.Quoted {
		return `"` + n.Text + `"`
	}
	return n.Text
}
