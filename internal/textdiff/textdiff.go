// Package textdiff shows how two texts differ.
package textdiff

import (
	"fmt"
	"slices"
	"strings"
)

// context is how many equal lines stand around a difference.
const context = 3

// Unified returns the unified diff that makes a into b, without the lines that name files; empty if they are the same.
// It takes time and memory like the product of their lines, which is little for texts that people read.
func Unified(a, b string) string {
	if a == b {
		return ""
	}
	lines := script(strings.Split(a, "\n"), strings.Split(b, "\n"))
	var out strings.Builder
	for begin := 0; begin < len(lines); {
		from := slices.IndexFunc(lines[begin:], func(l line) bool { return l.sign != ' ' })
		if from < 0 {
			break
		}
		from += begin
		end, equal := from, 0 // end is behind the last different line of the hunk
		for i := from; i < len(lines) && equal <= 2*context; i++ {
			if lines[i].sign == ' ' {
				equal++
			} else {
				end, equal = i+1, 0
			}
		}
		hunk := lines[max(from-context, begin):min(end+context, len(lines))]
		removed, added := 0, 0
		for _, l := range hunk {
			if l.sign != '+' {
				removed++
			}
			if l.sign != '-' {
				added++
			}
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@\n", hunk[0].a+1, removed, hunk[0].b+1, added)
		for _, l := range hunk {
			fmt.Fprintf(&out, "%c%s\n", l.sign, l.text)
		}
		begin = min(end+context, len(lines))
	}
	return out.String()
}

// line is one line of a diff, and how many lines of both texts come before it.
type line struct {
	sign byte
	text string
	a, b int
}

// script is the shortest way from a to b, by the longest common subsequence.
func script(a, b []string) []line {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	var out []line
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, line{' ', a[i], i, j})
			i++
			j++
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			out = append(out, line{'-', a[i], i, j})
			i++
		default:
			out = append(out, line{'+', b[j], i, j})
			j++
		}
	}
	return out
}
