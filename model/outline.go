package model

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
)

// OutlineOptions are what an outline shows.
type OutlineOptions struct {
	Depth int // levels below the first node; 0 for that one alone, negative for all
	// NoOffsets leaves out what follows from the layout of the file: where nodes and problems are, offsets, sizes,
	// counts, and the indexes of elements. What grows does not change the lines of what follows.
	NoOffsets bool
}

// Outline writes the structure of d as indented text, a node a line: name, type, key, value, place. Problems stand
// below the node they are on.
func (d *Document) Outline(ctx context.Context, out io.Writer, r *Report, o OutlineOptions) error {
	d.ShowGaps(r)
	size := ""
	if !o.NoOffsets {
		size = fmt.Sprintf("%d bytes, ", d.Source.Size())
	}
	_, err := fmt.Fprintf(out, "%s %s, %s%s accounted, %s\n", d.Format, d.Variant, size, r.Percent(d.Source.Size()),
		plural(len(r.Problems)+r.Omitted, "problem"))
	if err != nil {
		return err
	}
	return OutlineNode(ctx, out, d.Root(), o)
}

// OutlineNode writes a node and what is below it as Outline writes the root.
func OutlineNode(ctx context.Context, out io.Writer, n *Node, o OutlineOptions) error {
	w := bufio.NewWriterSize(out, 64<<10)
	level := -1
	err := ScanTo(n, o.Depth, func(n *Node) (bool, error) {
		level++
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if o.NoOffsets && n.Role.Layout() && n.Leaf() && len(n.Problems) == 0 {
			return false, nil
		}
		indent := outlineIndent(level)
		w.WriteString(indent)
		outlineNode(w, n, !o.NoOffsets)
		for _, p := range n.Problems {
			fmt.Fprintf(w, "%s  ! %s", indent, p.Severity)
			if !o.NoOffsets {
				fmt.Fprintf(w, " at %#x", p.Span.Offset)
			}
			fmt.Fprintf(w, ": %s\n", OneLine(p.Message, 400))
		}
		_, err := w.Write(nil) // returns the first error of all writes before: a closed pipe ends the walk
		return o.Depth < 0 || level < o.Depth, err
	}, func(*Node) error {
		level--
		return nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}

// outlineDeep is the level from which on an outline tells the level instead of indenting by it: the indents of a chain
// of thousands of nodes would be hundreds of times its size.
const outlineDeep = 100

func outlineIndent(level int) string {
	if level <= outlineDeep {
		return strings.Repeat("  ", level)
	}
	return strings.Repeat("  ", outlineDeep) + fmt.Sprintf("(%d) ", level)
}

func outlineNode(w *bufio.Writer, n *Node, layout bool) {
	name := n.Name
	switch {
	case name == "":
		name = "/"
	case !layout && n.Element():
		name = "-"
	}
	w.WriteString(OneLine(name, 200))
	if n.Type != "" {
		w.WriteString(" [")
		w.WriteString(OneLine(n.Type, 200))
		w.WriteString("]")
	}
	if n.Key != "" && n.Key != n.Name {
		w.WriteString(" ")
		w.WriteString(OneLine(n.Key, 200))
	}
	if v := n.ValueText(); v != "" && (layout || !n.Role.Layout()) {
		w.WriteString(" = ")
		w.WriteString(v)
	}
	if layout {
		w.WriteString(" @ ")
		w.Write(n.Span.append(w.AvailableBuffer()))
	}
	w.WriteString("\n")
}

// Percent is the share of size bytes that is accounted for, as "99.9 %". Only a whole file is "100 %".
func (r *Report) Percent(size int64) string {
	if r.Accounted == size {
		return "100 %"
	}
	return fmt.Sprintf("%.1f %%", min(99.9, 100*float64(r.Accounted)/float64(size)))
}
