// Bundle writes the files that make a program a macOS application: Info.plist with the file types of the table of
// formats, and the icons. It runs on any system; the program itself is built on a Mac (make macos).
//
//	go run ./packaging/bundle VERSION Assay.app
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"golang.org/x/image/draw"
	"howett.net/plist"

	"assay/assets"
	"assay/formats"
	"assay/model"
	"assay/ui/desktop"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bundle VERSION Assay.app")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func write(version, bundle string) error {
	types := formats.FileTypes()
	info, err := info(version, types)
	if err != nil {
		return err
	}
	resources := filepath.Join(bundle, "Contents", "Resources")
	if err := os.MkdirAll(resources, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(bundle, "Contents", "Info.plist"), info, 0o644); err != nil {
		return err
	}
	pictures := map[string][]byte{"assay": assets.Icon}
	for _, t := range types {
		pictures[t.Icon] = desktop.TypeIcon(t, assets.Icon)
	}
	for name, picture := range pictures {
		set, err := iconSet(picture)
		if err != nil {
			return fmt.Errorf("icon %s: %w", name, err)
		}
		if err := os.WriteFile(filepath.Join(resources, name+".icns"), set, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// info returns the declaration of the application and of its file types.
func info(version string, types []model.FileType) ([]byte, error) {
	// macOS counts three numbers.
	numbers := regexp.MustCompile(`^[0-9]+(\.[0-9]+){0,2}`).FindString(version)
	documents := []map[string]any{{"CFBundleTypeName": "Any file", "CFBundleTypeRole": "Viewer",
		"LSHandlerRank":      "None",
		"LSItemContentTypes": []string{"public.data"}}}
	var exported []map[string]any
	for _, t := range types {
		id, title := "org.assay."+t.Icon, strings.ToUpper(t.Title[:1])+t.Title[1:]
		documents = append(documents, map[string]any{"CFBundleTypeName": title, "CFBundleTypeIconFile": t.Icon,
			"CFBundleTypeRole": "Viewer", "LSHandlerRank": "Owner", "LSItemContentTypes": []string{id}})
		exported = append(exported, map[string]any{"UTTypeIdentifier": id, "UTTypeDescription": title,
			"UTTypeIconFile": t.Icon, "UTTypeConformsTo": []string{parent(t)}, "UTTypeTagSpecification": tags(t)})
	}
	return plist.MarshalIndent(map[string]any{
		"CFBundleIdentifier": desktop.AppID, "CFBundleName": "Assay", "CFBundleDisplayName": "Assay",
		"CFBundleExecutable": "assay",
		"CFBundleIconFile":   "assay", "CFBundlePackageType": "APPL", "CFBundleInfoDictionaryVersion": "6.0",
		"CFBundleShortVersionString": numbers, "CFBundleVersion": numbers, "CFBundleGetInfoString": "Assay " + version,
		"LSMinimumSystemVersion": "12.0", "LSApplicationCategoryType": "public.app-category.developer-tools",
		"NSHighResolutionCapable": true, "NSHumanReadableCopyright": "MIT license",
		"CFBundleDocumentTypes": documents, "UTExportedTypeDeclarations": exported,
	}, plist.XMLFormat, "\t")
}

// parent returns the macOS type identifier that a file type conforms to.
func parent(t model.FileType) string {
	if strings.HasPrefix(t.Parent, "text/") {
		return "public.plain-text"
	}
	return "public.data"
}

// tags returns the media type and the extensions of a type. Extensions that belong to other programs too are left out:
// such files are opened by Open With and by dropping them on the program.
func tags(t model.FileType) map[string]any {
	tags := map[string]any{"public.mime-type": []string{t.MIME}}
	var extensions []string
	for _, glob := range t.Globs {
		extensions = append(extensions, strings.TrimPrefix(glob, "*."))
	}
	if len(extensions) > 0 {
		tags["public.filename-extension"] = extensions
	}
	return tags
}

// iconKinds are the elements of an icon set that hold a PNG, with its edge in pixels.
var iconKinds = []struct {
	kind string
	edge int
}{{"icp4", 16}, {"icp5", 32}, {"ic07", 128}, {"ic08", 256}, {"ic09", 512}, {"ic11", 32}, {"ic12", 64}, {"ic13", 256},
	{"ic14", 512}}

// iconSet returns an icon set (.icns) of a picture, without the sizes that are larger than the picture.
func iconSet(picture []byte) ([]byte, error) {
	src, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	var elements bytes.Buffer
	for _, k := range iconKinds {
		if k.edge > src.Bounds().Dx() {
			continue
		}
		dst := image.NewNRGBA(image.Rect(0, 0, k.edge, k.edge))
		draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Src, nil)
		var one bytes.Buffer
		if err := png.Encode(&one, dst); err != nil {
			return nil, err
		}
		element(&elements, k.kind, one.Bytes())
	}
	var set bytes.Buffer
	element(&set, "icns", elements.Bytes())
	return set.Bytes(), nil
}

// element writes a kind of four letters, the size with these eight bytes, and the content.
func element(b *bytes.Buffer, kind string, content []byte) {
	b.WriteString(kind)
	var size [4]byte
	binary.BigEndian.PutUint32(size[:], uint32(8+len(content)))
	b.Write(size[:])
	b.Write(content)
}
