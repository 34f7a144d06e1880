// Resources writes the Windows resources of the program: its icon, those of its file types, the manifest and the
// version. The Go linker links the object (rsrc_windows_amd64.syso beside main.go) into the program.
//
//	go run ./packaging/resources VERSION MANIFEST OUT.syso
package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"regexp"
	"strconv"

	"github.com/tc-hib/winres"
	"github.com/tc-hib/winres/version"

	"assay/assets"
	"assay/formats"
	"assay/ui/desktop"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: resources VERSION MANIFEST OUT.syso")
		os.Exit(2)
	}
	if err := write(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "resources:", err)
		os.Exit(1)
	}
}

func write(release, manifest, out string) error {
	var all winres.ResourceSet
	if err := setIcon(&all, 1, assets.Icon); err != nil {
		return err
	}
	for i, t := range formats.FileTypes() {
		if err := setIcon(&all, desktop.TypeIconID(i), desktop.TypeIcon(t, assets.Icon)); err != nil {
			return fmt.Errorf("icon of %s: %w", t.MIME, err)
		}
	}
	xml, err := os.ReadFile(manifest)
	if err != nil {
		return err
	}
	if err := all.Set(winres.RT_MANIFEST, winres.ID(1), winres.LCIDDefault, xml); err != nil {
		return err
	}
	info := version.Info{}
	for key, text := range map[string]string{version.ProductName: "Assay", version.FileDescription: "Assay",
		version.FileVersion: release, version.ProductVersion: release, version.LegalCopyright: "MIT license"} {
		if err := info.Set(version.LangDefault, key, text); err != nil {
			return err
		}
	}
	numbers := numbersOf(release)
	info.FileVersion, info.ProductVersion = numbers, numbers
	all.SetVersionInfo(info)
	var object bytes.Buffer
	if err := all.WriteObject(&object, winres.ArchAMD64); err != nil {
		return err
	}
	return os.WriteFile(out, object.Bytes(), 0o644)
}

// numbersOf returns a version as the four numbers of Windows: 1.2.3.4 for 1.2.3+4.gabcdef0.
func numbersOf(release string) [4]uint16 {
	var numbers [4]uint16
	for i, digits := range regexp.MustCompile(`^(\d+)\.(\d+)\.(\d+)(?:\+(\d+))?`).FindStringSubmatch(release) {
		if n, err := strconv.ParseUint(digits, 10, 16); i > 0 && err == nil {
			numbers[i-1] = uint16(n)
		}
	}
	return numbers
}

func setIcon(all *winres.ResourceSet, id int, picture []byte) error {
	img, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return err
	}
	icon, err := winres.NewIconFromResizedImage(img, []int{256, 64, 48, 40, 32, 24, 20, 16})
	if err != nil {
		return err
	}
	return all.SetIcon(winres.ID(id), icon)
}
