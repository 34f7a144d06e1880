package model

import (
	"context"
	"fmt"
	"io"
)

// Recover is deferred by a function that calls a third-party decoder, which may panic at a damaged file: the panic
// becomes an error, what with its message.
func Recover(err *error, what string) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%s: %v", what, p)
	}
}

// ContextReader returns a reader of the same bytes that returns the error of ctx once ctx is done.
func ContextReader(ctx context.Context, r io.Reader) io.Reader { return &contextReader{ctx, r} }

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
