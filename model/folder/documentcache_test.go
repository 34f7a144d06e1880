package folder_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/folder"
)

// letters returns a function that opens a file whose assets are its bytes, and counts its calls in opened.
func letters(opened *int) func(ctx context.Context, path string) (*model.Document, error) {
	return func(_ context.Context, path string) (*model.Document, error) {
		*opened++
		src, err := model.OpenFile(path)
		if err != nil {
			return nil, err
		}
		var list model.PayloadList
		for i := range src.Size() {
			read := func(context.Context) (io.ReadCloser, error) {
				b, err := src.Bytes(model.Span{Offset: i, Size: 1})
				return io.NopCloser(bytes.NewReader(b)), err
			}
			key, err := src.Bytes(model.Span{Offset: i, Size: 1})
			if err != nil {
				return nil, err
			}
			list = append(list, &model.Payload{Key: string(key), Name: string(key) + ".bin", Size: 1, Open: read,
				Forms: []model.Form{{Name: "twice", Write: func(ctx context.Context, w io.Writer) error {
					b, err := src.Bytes(model.Span{Offset: i, Size: 1})
					_, _ = w.Write(append(b, b...))
					return err
				}}}})
		}
		d := model.NewDocument(src, "letters", "1", &model.Node{Type: "Letters"})
		d.Payloads = list
		return d, nil
	}
}

func TestDocumentCacheReopensClosedFiles(t *testing.T) {
	opened, dir := 0, t.TempDir()
	open := letters(&opened)
	s := folder.NewDocumentCache(open)
	t.Cleanup(s.Close)
	var all []*model.Document
	for i := range 20 {
		path := filepath.Join(dir, fmt.Sprint(i))
		require.NoError(t, os.WriteFile(path, []byte{byte('a' + i), 'z'}, 0o600))
		d, err := open(t.Context(), path)
		require.NoError(t, err)
		all = append(all, s.Detach(d))
	}
	opened = 0
	for i, d := range all {
		assert.Equal(t, filepath.Join(dir, fmt.Sprint(i)), d.Source.Path())
		require.Equal(t, 2, d.Payloads.Len())
		for k, want := range []string{string(rune('a' + i)), "z"} {
			a := d.Payloads.At(k)
			assert.Equal(t, want+".bin", a.Name)
			r, err := a.Open(t.Context())
			require.NoError(t, err)
			b, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			assert.Equal(t, want, string(b))
			var w bytes.Buffer
			require.NoError(t, a.Forms[0].Write(t.Context(), &w))
			assert.Equal(t, want+want, w.String())
		}
	}
	assert.Equal(t, len(all), opened, "each file is opened once for its assets")

	path := all[0].Source.Path()
	require.NoError(t, os.WriteFile(path, []byte("other"), 0o600))
	_, err := all[0].Payloads.At(0).Open(t.Context())
	assert.ErrorContains(t, err, "changed after its assets were listed")
	require.NoError(t, os.Remove(path))
	_, err = all[0].Payloads.At(0).Open(t.Context())
	assert.Error(t, err)
}

func TestDocumentCacheKeepsEveryFieldOfAnAsset(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one")
	require.NoError(t, os.WriteFile(path, []byte("1"), 0o600))
	asset := &model.Payload{Key: "key", Name: "name", Type: "type", Recorded: "tga", MediaType: "image/x-tga", Size: 5,
		Stored: model.Span{Offset: 2, Size: 3}, Codec: "lz4", ModTime: time.Unix(9, 0), Problem: "none"}
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	d := model.NewDocument(src, "one", "1", &model.Node{Type: "One"})
	d.Payloads = model.PayloadList{asset}
	s := folder.NewDocumentCache(nil)
	t.Cleanup(s.Close)
	kept := s.Detach(d).Payloads.At(0)
	fields := reflect.ValueOf(*asset)
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		if fields.Field(i).Kind() == reflect.Func || name == "Node" || name == "Forms" {
			continue // these belong to the document
		}
		assert.False(t, fields.Field(i).IsZero(), "%s has no value in this test", name)
		assert.Equal(t, fields.Field(i).Interface(), reflect.ValueOf(*kept).Field(i).Interface(), name)
	}
}
