package model_test

import (
	"context"
	"errors"
	"hash/adler32"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

// checkedPayload is an asset with a recorded Adler-32 that its stream computes.
func checkedPayload(content string, recorded uint32) *model.Payload {
	return &model.Payload{Open: func(context.Context) (io.ReadCloser, error) {
		h := adler32.New()
		return &model.CheckedStream{ReadCloser: io.NopCloser(io.TeeReader(strings.NewReader(content), h)),
			AtEnd: func() (model.Verdict, string) {
				if h.Sum32() != recorded {
					return model.Invalid, "the Adler-32 differs"
				}
				return model.Valid, ""
			}}, nil
	}}
}

func TestCheckReadsTheStreamOnce(t *testing.T) {
	sum := adler32.Checksum([]byte("content"))
	v, _, err := checkedPayload("content", sum).Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Valid, v)

	v, why, err := checkedPayload("content", sum+1).Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Invalid, v)
	assert.Equal(t, "the Adler-32 differs", why)
}

func TestVerdictIsUnknownBeforeTheEnd(t *testing.T) {
	r, err := checkedPayload("content", adler32.Checksum([]byte("content"))).Open(t.Context())
	require.NoError(t, err)
	_, err = r.Read(make([]byte, 3))
	require.NoError(t, err)
	v, _ := r.(model.Checked).Verdict()
	assert.Equal(t, model.Unknown, v)
	_, err = io.ReadAll(r)
	require.NoError(t, err)
	v, _ = r.(model.Checked).Verdict()
	assert.Equal(t, model.Valid, v)
}

func TestCheckWithoutChecksum(t *testing.T) {
	plain := &model.Payload{Open: func(context.Context) (io.ReadCloser,
		error) {
		return io.NopCloser(strings.NewReader("x")), nil
	}}
	v, _, err := plain.Check(t.Context())
	require.NoError(t, err)
	assert.Equal(t, model.Unrecorded, v)
}

func TestCheckGivesReadErrors(t *testing.T) {
	broken := errors.New("disk broken")
	p := &model.Payload{Open: func(context.Context) (io.ReadCloser, error) {
		return &model.CheckedStream{ReadCloser: io.NopCloser(iotest.ErrReader(broken)),
			AtEnd: func() (model.Verdict, string) { return model.Valid, "" }}, nil
	}}
	_, _, err := p.Check(t.Context())
	assert.ErrorIs(t, err, broken)
}
