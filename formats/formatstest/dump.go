package formatstest

import (
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"assay/model"
)

// dumped is a node of a dump.
type dumped struct {
	name, typ string
	span      model.Span
	children  int
}

// level is an object or a list of the JSON that is being read.
type level struct {
	list bool
	node int    // the node that the object is or whose children the list has; -1: neither
	key  string // of the member that is read next; empty: the key is next
}

// readDump returns the nodes of a dump, parents before children. Nodes may be nested deeper than json.Unmarshal reads.
func readDump(t *testing.T, dump io.Reader) (nodes []dumped) {
	t.Helper()
	r := json.NewDecoder(dump)
	r.UseNumber()
	open := []level{{node: -1, key: "dump"}}
	for {
		token, err := r.Token()
		if errors.Is(err, io.EOF) {
			return nodes
		}
		require.NoError(t, err)
		in := &open[len(open)-1]
		switch token {
		case json.Delim('['):
			below := level{list: true, node: -1}
			if in.key == "children" {
				below.node = in.node
			}
			open = append(open, below)
			continue
		case json.Delim('{'):
			below := level{node: -1}
			if in.list && in.node >= 0 {
				nodes[in.node].children++
			}
			if in.list && in.node >= 0 || in.key == "root" {
				nodes, below.node = append(nodes, dumped{}), len(nodes)
			}
			open = append(open, below)
			continue
		case json.Delim(']'), json.Delim('}'):
			open = open[:len(open)-1]
			open[len(open)-1].key = ""
			continue
		}
		switch {
		case in.list:
		case in.key == "":
			in.key = token.(string)
		default:
			if in.node >= 0 {
				nodes[in.node].set(t, in.key, token)
			}
			in.key = ""
		}
	}
}

// set takes a member of a node.
func (n *dumped) set(t *testing.T, key string, value json.Token) {
	number := func() int64 {
		v, err := value.(json.Number).Int64()
		require.NoError(t, err)
		return v
	}
	switch key {
	case "name":
		n.name = value.(string)
	case "type":
		n.typ = value.(string)
	case "offset":
		n.span.Offset = number()
	case "size":
		n.span.Size = number()
	}
}
