// Package modeltest makes scenes, and folders of small files, and holds comparisons to what is true of all of them, for
// tests.
package modeltest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/compare"
)

// Compared compares two documents, which must go well.
func Compared(t testing.TB, old, new *model.Document, o compare.Options) *compare.Comparison {
	t.Helper()
	c, err := compare.Documents(context.Background(), old, new, o, nil)
	require.NoError(t, err)
	return c
}

// Rows are the rows of a report, one line each: sign, path, key. Their counts must be those of the comparison.
func Rows(t testing.TB, c *compare.Comparison) []string {
	t.Helper()
	var out []string
	var n compare.Counts
	require.NoError(t, c.Rows(func(p *compare.Pair) error {
		out = append(out, strings.TrimSpace(p.Status.Sign()+" "+p.Node().PathText()+" "+p.Node().Key))
		return p.Listed(func(p *compare.Pair) error { p.CountIn(&n); return nil })
	}))
	n.Same = c.Counts().Same
	assert.Equal(t, n, c.Counts(), "the counts are those of the rows")
	return out
}

// CheckMirror compares the other way round: every row must be there with old and new exchanged.
func CheckMirror(t testing.TB, c *compare.Comparison) {
	t.Helper()
	other := Compared(t, c.New, c.Old, c.Options)
	assert.Equal(t, pairs(t, c, false), pairs(t, other, true))
	assert.Equal(t, c.Counts().Same, other.Counts().Same)
}

// pairs are the rows in any order, with old and new exchanged if flip says so.
func pairs(t testing.TB, c *compare.Comparison, flip bool) []string {
	t.Helper()
	var out []string
	require.NoError(t, c.Rows(func(p *compare.Pair) error {
		status, old, new := p.Status, p.Old, p.New
		if flip {
			status, old, new = mirror(status), new, old
		}
		out = append(out, fmt.Sprint(status, " ", path(old), " ", path(new), " ", p.Renamed))
		return nil
	}))
	slices.Sort(out)
	return out
}

func mirror(s compare.Status) compare.Status {
	switch s {
	case compare.Added:
		return compare.Removed
	case compare.Removed:
		return compare.Added
	}
	return s
}

func path(n *model.Node) string {
	if n == nil {
		return "-"
	}
	return n.PathText()
}
