package opening

import (
	"context"

	"assay/model"
	"assay/ui"
	"assay/ui/host"
)

// Resources holds the resource folder of each project, which is also searched for references.
const Resources = host.Choices[string]("project.resources")

// ResourcesOf returns the chosen resource folder of the project that contains path, or "".
func ResourcesOf(path string) string {
	folder, _ := Resources.Of(path)
	return folder
}

// HasCurrentResources reports whether a file was opened with the current resource folder of its project.
func HasCurrentResources(src *model.Source) bool { return ResourcesOf(src.Home()) == src.Resources() }

// WithResources returns o with an Open that opens a file with the resource folder of its project.
func WithResources(o ui.Options) ui.Options {
	open, openSource := o.Open, o.OpenSource
	o.Open = func(ctx context.Context, path string) (*model.Document, error) {
		if folder, ok := Resources.Of(path); ok {
			return model.OpenDocument(ctx, path, folder, openSource)
		}
		return open(ctx, path)
	}
	return o
}

// Reader opens files and bytes with the functions of the options.
type Reader struct{ *ui.Options }

// OpenerAs returns a func that opens a file in a format, or in the recognized one if format is "".
func (r Reader) OpenerAs(path, format string) func(ctx context.Context) (*model.Document, error) {
	if format == "" {
		return func(ctx context.Context) (*model.Document, error) { return r.Open(ctx, path) }
	}
	return func(ctx context.Context) (*model.Document, error) {
		return model.OpenDocument(ctx, path, ResourcesOf(path), r.Decoder(format))
	}
}

// OpenerOfUnknown returns a func that opens a file in its recognized format, or in another format if it has none.
func (r Reader) OpenerOfUnknown(path, format string) func(ctx context.Context) (*model.Document, error) {
	read := r.Decoder(format)
	return func(ctx context.Context) (*model.Document, error) {
		return model.OpenDocument(ctx, path, ResourcesOf(path),
			func(ctx context.Context, src *model.Source) (*model.Document, error) {
				if r.Recognize != nil && r.Recognize(src) != "" {
					return r.OpenSource(ctx, src)
				}
				return read(ctx, src)
			})
	}
}

// OpenListed opens a document and lists its assets, so that the UI thread need not wait for the list.
func OpenListed(ctx context.Context, open func(ctx context.Context) (*model.Document, error)) (*model.Document, error) {
	d, err := open(ctx)
	if err != nil {
		return nil, err
	}
	if err := d.FindPayloads(ctx); err != nil {
		model.CloseDocuments(d)
		return nil, err
	}
	return d, nil
}

// Decoder returns a func that decodes bytes in a format, or in the recognized one if format is "".
func (r Reader) Decoder(format string) func(ctx context.Context, src *model.Source) (*model.Document, error) {
	if format == "" {
		return r.OpenSource
	}
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		open, err := r.As(format)
		if err != nil {
			return nil, err
		}
		return open(ctx, src)
	}
}

// AssetFormat returns the format that the user chose for assets of this type in the package, or "".
func (r Reader) AssetFormat(content *model.Source) string {
	if r.Memory == nil || content.AssetType() == "" {
		return ""
	}
	return r.Memory.AssetFormat(content.Home(), content.AssetType())
}
