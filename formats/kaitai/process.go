package kaitai

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zlib"

	"assay/formats/kaitai/expression"
)

// Bounds on what zlib may expand to: so many bytes in all, and so many times what is stored where that is much.
const (
	maxExpanded  = 64 << 20
	muchExpanded = 16 << 20
	maxRatio     = 100
)

// unknownProcess is the error of a process that a program would bring along.
type unknownProcess string

// Error returns the sentence.
func (p unknownProcess) Error() string {
	return fmt.Sprintf("the process %q is not part of the language; the bytes are shown as they are", string(p))
}

// run returns what a process makes of bytes.
func (p *Process) run(b []byte, args []expression.Value) ([]byte, error) {
	switch p.Name {
	case "zlib":
		return expand(b)
	case "xor":
		return xor(b, args[0])
	case "rol", "ror":
		by, err := args[0].Int()
		if err != nil {
			return nil, err
		}
		if p.Name == "ror" {
			by = -by
		}
		out := make([]byte, len(b))
		for i, c := range b {
			out[i] = bits.RotateLeft8(c, int(by%8))
		}
		return out, nil
	}
	return nil, unknownProcess(p.Name)
}

// expand returns what a zlib stream holds.
func expand(b []byte) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	most := min(maxExpanded, max(muchExpanded, maxRatio*int64(len(b))))
	var out bytes.Buffer
	if n, err := io.Copy(&out, io.LimitReader(z, most+1)); n > most || err != nil {
		return nil, cmp.Or(err, fmt.Errorf("%d bytes of zlib expand to more than %d", len(b), most))
	}
	return out.Bytes(), nil
}

// xor applies a key, a number of one byte or bytes, again and again.
func xor(b []byte, key expression.Value) ([]byte, error) {
	if key.Kind == expression.Int {
		key = expression.ListValue(expression.Values{key})
	}
	k, err := key.ToBytes()
	if err != nil {
		return nil, fmt.Errorf("the key of xor: %w", err)
	}
	if len(k) == 0 {
		return nil, fmt.Errorf("the key of xor is empty")
	}
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = c ^ k[i%len(k)]
	}
	return out, nil
}
