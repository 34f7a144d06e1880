package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

// mixed returns a picture, a file that is only named as a picture, a model with several files, and a text.
func mixed() model.PayloadList {
	form := func(name string, has error) model.Form {
		return model.Form{Name: name, Extension: "." + name, FromContent: true,
			Has: func(context.Context) error { return has },
			Write: func(_ context.Context, w io.Writer) error {
				_, err := io.WriteString(w, "as "+name)
				return err
			}}
	}
	asset := func(name string, forms ...model.Form) *model.Payload {
		return &model.Payload{Key: name, Name: name, Size: int64(len(name)),
			Forms: append([]model.Form{{Name: "raw"}}, forms...),
			Open:  func(context.Context) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(name)), nil }}
	}
	parts := model.Form{Name: "glb", Extension: ".glb", Extensions: []string{".glb", ".bin"}, FromContent: true,
		WriteFiles: func(_ context.Context, w io.Writer, file int, _ []string) error {
			_, err := fmt.Fprint(w, "part ", file)
			return err
		}}
	parts.Files = func(context.Context) (model.Form, error) { return parts, nil }
	empty := form("glb", nil)
	empty.Extensions = parts.Extensions
	empty.Files = func(context.Context) (model.Form, error) { return model.Form{}, fmt.Errorf("%w glb", model.ErrNoForm) }
	return model.PayloadList{asset("a.tga", form("png", nil)), asset("b.tga", form("png", model.ErrNoForm)),
		asset("c.gpb", form("glb", nil)), asset("d.gpb", form("glb", model.ErrNoForm)), asset("e.gpb", parts),
		asset("f.gpb", empty), asset("dir/g.txt"), asset("a.tga")}
}

// The forecast also has the files that are not written because they exist.
func TestTheForecastEqualsTheExport(t *testing.T) {
	for _, prefer := range []string{"", "raw", "png", "glb"} {
		for _, rule := range []export.Rule{export.Number, export.Skip, export.Overwrite, export.Ask} {
			for _, before := range []map[string]string{nil,
				{"a.png": "as png", "b.tga": "b.tga", "c.glb": "as glb", "d.gpb": "d.gpb", "dir/g.txt": "dir/g.txt"},
				{"a.png": "other", "a.tga": "other", "b.tga": "other", "d.gpb": "other", "e.glb": "other", "dir/g.txt": "x"},
			} {
				name := fmt.Sprint(prefer, rule, len(before))
				dir := t.TempDir()
				for file, content := range before {
					path := filepath.Join(dir, filepath.FromSlash(file))
					require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
					require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
				}
				all := mixed()
				options := export.Options{Prefer: prefer, Conflict: rule, Usual: true, Once: true}
				plan := func(folder export.Folder) *export.Plan {
					p, err := export.NewPlan(t.Context(), folder, []export.Pick{{From: all, Count: len(all)}}, options)
					require.NoError(t, err)
					return p
				}
				in := export.OpenDirectory(dir)
				defer in.Close()
				forecast := plan(export.DiscardFolder{Like: in})
				exact, err := forecast.Foresee(t.Context())
				require.NoError(t, err)
				require.True(t, exact)
				var want, got []string
				for i := range forecast.Len() {
					switch item := forecast.Item(i); {
					case item.Same != "":
						want = append(want, item.Form+" same "+item.Same)
					case item.Exists && (rule == export.Skip || rule == export.Ask): // without an answer, Ask skips
						want = append(want, item.Form+" skipped "+item.Target)
					default:
						want = append(want, fmt.Sprintln(item.Form, item.Target, "replaced", item.Exists))
					}
				}
				written := plan(in).Run(t.Context())
				for row := range written.Rows() {
					switch {
					case row.SameFile() != "":
						got = append(got, row.Form+" same "+row.SameFile())
					case row.Outcome == export.Skipped:
						got = append(got, row.Form+" skipped "+row.Target)
					default:
						got = append(got, fmt.Sprintln(row.Form, row.Path, "replaced", row.ReplacedFile()))
					}
				}
				assert.Equal(t, want, got, name)
				if files, _ := forecast.Counts(); rule != export.Ask {
					assert.Equal(t, written.Exported, files, name)
				}
				assert.Zero(t, written.Failed, name)
			}
		}
	}
}

func TestListingNumbersNamesAsAPlanDoes(t *testing.T) {
	var all []*model.Payload
	for i := range 2500 { // more than one batch
		all = append(all, asset(strconv.Itoa(i), "rock.png", "abc"))
	}
	var out bytes.Buffer
	n, wrong, err := export.WriteListing(t.Context(), &out, picks(all...), export.Options{})
	require.NoError(t, err)
	assert.Equal(t, len(all), n)
	assert.False(t, wrong)
	var rows []struct{ Path string }
	require.NoError(t, json.Unmarshal(out.Bytes(), &rows))
	require.Len(t, rows, len(all))
	plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, picks(all...), export.Options{})
	require.NoError(t, err)
	for i := range plan.Len() {
		require.Equal(t, plan.Item(i).Target, rows[i].Path)
	}
}
