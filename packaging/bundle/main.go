// Bundle writes what makes an application for macOS of a program: Info.plist, with the file types of assets/macos, and
// the icons. It runs on any system; the program itself is built on a Mac (make macos).
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

	"golang.org/x/image/draw"
	"howett.net/plist"

	"assay/assets"
	"assay/formats"
	"assay/model"
	"assay/ui/desktop"
)

// declared are the file types, next to which the bundle's own keys are put.
const declared = "assets/macos/Info.plist"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bundle VERSION Assay.app")
		os.Exit(2)
	}
	types, err := os.ReadFile(declared)
	if err == nil {
		err = write(os.Args[1], types, os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

func write(version string, types []byte, bundle string) error {
	info, err := info(version, types, formats.FileTypes())
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
	pictures := assets.TypeIcons()
	pictures["assay"] = assets.Icon
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

// info adds to the declared types what a bundle says of itself, and the icons of the types.
func info(version string, declared []byte, types []model.FileType) ([]byte, error) {
	var all map[string]any
	if _, err := plist.Unmarshal(declared, &all); err != nil {
		return nil, err
	}
	// macOS counts three numbers.
	numbers := regexp.MustCompile(`^[0-9]+(\.[0-9]+){0,2}`).FindString(version)
	for key, value := range map[string]any{
		"CFBundleIdentifier": desktop.AppID, "CFBundleName": "Assay", "CFBundleDisplayName": "Assay", "CFBundleExecutable": "assay",
		"CFBundleIconFile": "assay", "CFBundlePackageType": "APPL", "CFBundleInfoDictionaryVersion": "6.0",
		"CFBundleShortVersionString": numbers, "CFBundleVersion": numbers, "CFBundleGetInfoString": "Assay " + version,
		"LSMinimumSystemVersion": "12.0", "LSApplicationCategoryType": "public.app-category.developer-tools",
		"NSHighResolutionCapable": true, "NSHumanReadableCopyright": "MIT licence",
	} {
		all[key] = value
	}
	icons := make(map[string]string) // by the identifier of a type
	for _, key := range []string{"UTExportedTypeDeclarations", "UTImportedTypeDeclarations"} {
		list, _ := all[key].([]any)
		for _, t := range list {
			d, _ := t.(map[string]any)
			if icon := iconOf(d, types); icon != "" {
				d["UTTypeIconFile"] = icon
				id, _ := d["UTTypeIdentifier"].(string)
				icons[id] = icon
			}
		}
	}
	documents, _ := all["CFBundleDocumentTypes"].([]any)
	for _, t := range documents {
		d, _ := t.(map[string]any)
		contents, _ := d["LSItemContentTypes"].([]any)
		for _, id := range contents {
			if icon := icons[fmt.Sprint(id)]; icon != "" {
				d["CFBundleTypeIconFile"] = icon
			}
		}
	}
	return plist.MarshalIndent(all, plist.XMLFormat, "\t")
}

// iconOf finds the picture of a type declaration by its media type.
func iconOf(declaration map[string]any, types []model.FileType) string {
	tags, _ := declaration["UTTypeTagSpecification"].(map[string]any)
	media, _ := tags["public.mime-type"].([]any)
	for _, t := range types {
		for _, m := range media {
			if m == t.MIME {
				return t.Icon
			}
		}
	}
	return ""
}

// iconKinds are the elements of an icon set that hold a PNG, with its edge in pixels.
var iconKinds = []struct {
	kind string
	edge int
}{{"icp4", 16}, {"icp5", 32}, {"ic07", 128}, {"ic08", 256}, {"ic09", 512}, {"ic11", 32}, {"ic12", 64}, {"ic13", 256}, {"ic14", 512}}

// iconSet makes an icon set (.icns) of a picture, without the sizes that it is too small for.
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
