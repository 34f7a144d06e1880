//go:build unix && !darwin

package desktop

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/draw"

	"assay/model"
)

// mark is part of every text file that Register writes. Only files that contain it are overwritten or removed.
const mark = "Written by Assay: assay unregister removes it."

// iconSizes lists the sizes of PNGs in the hicolor theme, in pixels.
var iconSizes = []int{16, 22, 24, 32, 48, 64, 128, 256}

// file is a file that Register writes below the data folder.
type file struct {
	path    string
	content []byte
	text    bool // a text file, which contains the mark
}

// files returns all files that Register writes. program is the absolute path of the program.
func files(program string, types []model.FileType, pictures Icon) ([]file, error) {
	data := map[string]any{"ID": AppID, "Mark": mark, "Types": types, "Program": program,
		"Exec": desktopQuote(program)}
	var all []file
	for _, t := range []struct {
		path string
		tmpl *template.Template
	}{
		{"mime/packages/" + AppID + ".xml", mimeTemplate},
		{"applications/" + AppID + ".desktop", entryTemplate},
		{"thumbnailers/" + AppID + ".thumbnailer", thumbnailerTemplate},
	} {
		var b bytes.Buffer
		if err := t.tmpl.Execute(&b, data); err != nil {
			return nil, err
		}
		all = append(all, file{t.path, b.Bytes(), true})
	}
	all = append(all, file{"icons/hicolor/scalable/apps/" + AppID + ".svg", pictures.SVG, false})
	icons, err := scaled(pictures.App, "apps/"+AppID)
	if err != nil {
		return nil, err
	}
	all = append(all, icons...)
	for _, t := range types {
		icons, err := scaled(TypeIcon(t, pictures.App), "mimetypes/"+AppID+"-"+t.Icon)
		if err != nil {
			return nil, fmt.Errorf("icon of %s: %w", t.MIME, err)
		}
		all = append(all, icons...)
	}
	return all, nil
}

// scaled returns an icon in all sizes of the icon theme.
func scaled(picture []byte, name string) ([]file, error) {
	src, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	var all []file
	for _, size := range iconSizes {
		dst := image.NewNRGBA(image.Rect(0, 0, size, size))
		draw.CatmullRom.Scale(dst, dst.Bounds(), src, src.Bounds(), draw.Src, nil)
		var b bytes.Buffer
		if err := png.Encode(&b, dst); err != nil {
			return nil, err
		}
		all = append(all, file{filepath.Join("icons/hicolor", fmt.Sprintf("%dx%d", size, size), name+".png"), b.Bytes(),
			false})
	}
	return all, nil
}

// checkPath returns an error if a desktop entry cannot contain the path of the program.
func checkPath(program string) error {
	isControl := func(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\t\n\r", c) }
	if utf8.ValidString(program) && !strings.ContainsFunc(program, isControl) && !strings.Contains(program, "=") {
		return nil
	}
	return fmt.Errorf("a desktop entry cannot contain the path %q. Move the program to a folder whose name is UTF-8,"+
		" without = and control characters", program)
}

// desktopQuote quotes one argument of a desktop entry's Exec line.
func desktopQuote(s string) string {
	r := strings.NewReplacer("\t", `\t`, "\n", `\n`, "\r", `\r`, `\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`)
	return `"` + r.Replace(s) + `"`
}

// magicValue returns bytes as the value of a match element: printable ones unchanged, others as \xNN.
func magicValue(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		if c >= 0x20 && c < 0x7f && !strings.ContainsRune(`\&<>"'`, rune(c)) {
			s.WriteByte(c)
		} else {
			fmt.Fprintf(&s, `\x%02x`, c)
		}
	}
	return s.String()
}

// offsets returns the range of offsets of a magic: "0" or "0:1024".
func offsets(m model.Magic) string {
	if m.To > m.From {
		return fmt.Sprintf("%d:%d", m.From, m.To)
	}
	return fmt.Sprint(m.From)
}

var functions = template.FuncMap{"value": magicValue, "offsets": offsets}

var mimeTemplate = template.Must(template.New("mime").Funcs(functions).Parse(`<?xml version="1.0" encoding="UTF-8"?>
<!-- {{.Mark}} -->
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
{{- range .Types}}
  <mime-type type="{{.MIME}}">
    <comment>{{.Title}}</comment>
    {{- if .Parent}}
    <sub-class-of type="{{.Parent}}"/>
    {{- end}}
    <icon name="{{$.ID}}-{{.Icon}}"/>
    {{- $text := .IsText}}
    {{- range .Magic}}
    <magic priority="{{if $text}}40{{else}}80{{end}}">
      <match type="string" offset="{{offsets .}}" value="{{value .Bytes}}">
        {{- range .And}}
        <match type="string" offset="{{offsets .}}" value="{{value .Bytes}}"/>
        {{- end}}
      </match>
    </magic>
    {{- end}}
    {{- range .Globs}}
    <glob pattern="{{.}}"/>
    {{- end}}
  </mime-type>
{{- end}}
</mime-info>
`))

// entryTemplate makes the desktop give each start a token. A start that hands its files over also hands over the token,
// so that the existing window is raised and the desktop does not wait for a new one.
var entryTemplate = template.Must(template.New("entry").Parse(`[Desktop Entry]
# {{.Mark}}
Type=Application
Version=1.0
Name=Assay
GenericName=Asset File Browser
Comment=Inspect game and simulation asset files
Exec={{.Exec}} open %F
Icon={{.ID}}
Terminal=false
StartupNotify=true
StartupWMClass={{.ID}}
Categories=Development;
Keywords=asset;game;bundle;package;hex;compare;extract;mod;{{range .Types}}{{.Icon}};{{end}}
MimeType={{range .Types}}{{.MIME}};{{end}}
`))

var thumbnailerTemplate = template.Must(template.New("thumbnailer").Parse(`[Thumbnailer Entry]
# {{.Mark}}
Exec={{.Exec}} thumbnail -s %s %i %o
MimeType={{range .Types}}{{.MIME}};{{end}}
`))
