package exporting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"github.com/gabriel-vasile/mimetype"

	"assay/model"
	"assay/model/export"
	"assay/model/picture"
	"assay/ui/doc"
	"assay/ui/host"
)

// externalOpener opens assets in the system's default apps. An app gets a read-only copy in a folder that only this
// user can read and that is removed with the window.
type externalOpener struct {
	p      *Panel
	folder string
	number int
}

// trust is the permission to open a file in its default app.
type trust uint8

const (
	trustDisplayed trust = iota // programs only display the file
	trustUnknown                // unknown type: the user decides
	trustRefused                // the file may run as a program
)

// Extensions of file types that programs display without running them, besides the pictures that package picture reads,
// and extensions that must not be opened. The user is asked about all others.
const (
	displayedExtensions = "ktx psd svgz qoi wav ogg oga opus mp3 flac m4a aac aiff mid midi mp4 m4v mkv webm avi mov ogv " +
		"txt md csv tsv json log ini cfg yaml yml toml xml glsl vert frag geom hlsl obj mtl glb gltf ply stl fbx dae ttf otf woff woff2 fnt pdf epub"
	refusedExtensions = "exe com scr pif cpl msi msp msix appx bat cmd ps1 psm1 psd1 vbs vbe js jse mjs ws wsf wsh wsc hta lnk url scf inf reg jar class jnlp war apk " +
		"sh bash zsh fish csh ksh run bin out elf so dll dylib ko desktop service appimage snap flatpakref deb rpm pkg dmg app command workflow scpt applescript action " +
		"py pyc pyw pyz rb pl pm php lua luac tcl awk r rmd ipynb go rs swift docm dotm xlsm xltm xlam pptm potm ppam ppsm sldm one chm hlp mht mhtml html htm xhtml svg " +
		"iso img vhd vhdx kdbx gadget terminal webloc inetloc fileloc mobileconfig torrent rdp library-ms search-ms settingcontent-ms theme diagcab xll iqy slk ade adp mde"
)

// trustOf returns the trust in a file by its name and its first bytes. The content takes precedence over the name.
func trustOf(name string, head []byte) trust {
	kind := mimetype.Detect(head)
	for k := kind; k != nil; k = k.Parent() {
		switch name, _, _ := strings.Cut(k.String(), ";"); name {
		case "application/x-executable", "application/x-elf", "application/x-object", "application/x-sharedlib",
			"application/vnd.microsoft.portable-executable",
			"application/x-mach-binary", "application/jar", "application/x-ms-shortcut", "application/x-msi",
			"application/x-python", "text/x-python", "text/x-perl",
			"text/x-lua", "text/x-tcl", "text/x-ruby", "text/x-php", "text/html", "application/x-shellscript",
			"text/x-shellscript", "text/javascript", "application/x-java-applet":
			return trustRefused
		}
	}
	if strings.HasPrefix(string(head), "#!") || strings.HasPrefix(string(head), "[Desktop Entry]") ||
		strings.HasPrefix(string(head), "MZ") {
		return trustRefused
	}
	extension := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
	switch {
	case slices.Contains(strings.Fields(refusedExtensions), extension):
		return trustRefused
	case picture.HasExtension(name), slices.Contains(strings.Fields(displayedExtensions), extension):
		return trustDisplayed
	}
	return trustUnknown
}

// OpenOutside opens the asset of a node in its default app.
func (p *Panel) OpenOutside(d *model.Document, nodes doc.Nodes) {
	preset := p.settings.preset
	p.findAssets(d, nodes, func(c *found) {
		picks := c.picks(d)
		switch n := export.CountPicks(picks); n {
		case 0:
			p.ShowHint("The selected node has no asset to open.")
		case 1:
			p.externalOpener.open(picks[0], preset)
		default:
			p.ShowHint(fmt.Sprintf("The selection has %s. Select one of them.", host.Count(n, "asset")))
		}
	})
}

// open writes an asset and opens it.
func (o *externalOpener) open(pick export.Pick, preset export.Preset) {
	p := o.p
	folder, err := o.nextFolder()
	if err != nil {
		p.notifyError(err)
		return
	}
	p.job("Exporting asset", func(ctx context.Context) (func(), error) {
		path, trust, err := writeForOpening(ctx, folder, pick, preset)
		return func() { o.openIfTrusted(path, trust) }, err
	})
}

// openIfTrusted opens a file in its default app if its trust allows that.
func (o *externalOpener) openIfTrusted(path string, t trust) {
	p, name := o.p, model.FileName(path)
	switch t {
	case trustRefused:
		os.Remove(path)
		p.notifyError(fmt.Errorf("%s was not opened because it could run as a program. Export it if you trust it", name))
	case trustUnknown:
		text := "The default app decides how " + name + " is opened.\n" +
			"Open it only if you trust its source."
		p.ask.Confirm("Open with the default app?", text, "Open", "Cancel", func() { o.launch(path) })
	default:
		o.launch(path)
	}
}

func (o *externalOpener) launch(path string) {
	if err := fyne.CurrentApp().OpenURL(&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}); err != nil {
		o.p.notifyError(fmt.Errorf("%s cannot be opened: %w", model.FileName(path), err))
		return
	}
	o.p.ShowHint("Opened a read-only copy of " + model.FileName(path) + " in the default app.")
}

// nextFolder returns the path of a new folder for the next file.
func (o *externalOpener) nextFolder() (string, error) {
	if o.folder == "" {
		f, err := os.MkdirTemp("", "assay-open-")
		if err != nil {
			return "", fmt.Errorf("cannot create a temporary copy: %w", err)
		}
		o.folder = f
	}
	o.number++
	return filepath.Join(o.folder, strconv.Itoa(o.number)), nil
}

func (o *externalOpener) close() {
	if o.folder != "" {
		_ = os.RemoveAll(o.folder)
	}
}

// sniffLength is the number of bytes from which the type of a file is detected.
const sniffLength = 3072

// writeForOpening writes one asset to a new folder and determines its trust. A format with several files writes them
// into that folder; the first one is the file to open.
func writeForOpening(ctx context.Context, folder string, pick export.Pick, preset export.Preset) (string,
	trust, error) {
	d := export.OpenDirectory(folder)
	defer d.Close()
	plan, err := planFor(ctx, d, []export.Pick{pick}, preset, export.Flat)
	if err != nil {
		return "", trustRefused, err
	}
	report := plan.Run(ctx)
	worst := trustDisplayed
	for row := range report.Rows() {
		if row.Outcome != export.Exported {
			return "", trustRefused, errors.New(row.Name + ": " + row.Problem)
		}
		path := filepath.Join(folder, filepath.FromSlash(row.Path))
		head, err := firstBytes(path)
		if err != nil {
			return "", trustRefused, err
		}
		worst = max(worst, trustOf(path, head))
		if err := os.Chmod(path, 0o400); err != nil {
			return "", trustRefused, err
		}
	}
	return filepath.Join(folder, filepath.FromSlash(report.Row(0).Path)), worst, ctx.Err()
}

func firstBytes(path string) ([]byte, error) {
	f, err := model.OpenShared(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, sniffLength))
}
