package picture

import (
	"context"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
)

func svgOf(content string) *model.Source {
	return svgFile(`<svg viewBox="0 0 100 100" xmlns:xlink="http://www.w3.org/1999/xlink">` + content + "</svg>")
}

func svgFile(content string) *model.Source {
	return model.NewSource("a.svg", strings.NewReader(content), int64(len(content)))
}

func TestDrawingsWithTooMuchWorkAreErrors(t *testing.T) {
	many := func(n int, s string) string { return strings.Repeat(s, n) }
	laughs := `<g id="a0"><path d="M0 0h9v9z"/></g>`
	for i := range 40 {
		laughs += fmt.Sprintf(`<g id="a%d"><use href="#a%d"/><use href="#a%d"/></g>`, i+1, i, i)
	}
	for name, content := range map[string]string{
		"use of itself":         `<defs><g id="a"><use href="#a"/></g></defs><use href="#a"/>`,
		"use is its own target": `<use id="a" href="#a"/>`,
		"use of what it is in":  `<g id="a"><rect width="9" height="9"/><use xlink:href="#a"/></g>`,
		"use in a circle":       `<symbol id="a"><use href="#b"/></symbol><symbol id="b"><use href="#c"/></symbol><g id="c"><use href="#a"/></g>`,
		"doubled again":         `<defs>` + laughs + `</defs><use href="#a40"/>`,
		"nested groups":         many(100_000, "<g>") + many(100_000, "</g>"),
		"groups in use":         `<defs><g id="a">` + many(200, "<g>") + `<use href="#b"/>` + many(200, "</g>") + `</g><g id="b">` + many(200, "<g>") + many(200, "</g>") + `</g></defs><use href="#a"/>`,
		"elements":              many(60_000, `<path/>`),
		"a long path repeated":  `<path id="p" d="M0 0` + many(20_000, "h1v1") + `"/>` + many(1000, `<use href="#p"/>`),
		"rules and elements":    `<style>` + many(2000, `.a{stroke-width:1;stroke:red}`) + `</style>` + many(2000, `<path class="a"/>`),
		"styles in each other":  `<style>.a{stroke:` + many(1000, " ") + `red}</style>` + many(250, `<g class="`+many(3000, "a ")+`">`) + many(250, "</g>"),
		"classes of an element": `<style>.a{` + many(10_000, "stroke:red;") + `}</style><path class="` + many(10_000, "a ") + `"/>`,
		"large areas":           many(2000, `<rect width="100" height="100"/>`),
		"large gradients":       `<linearGradient id="g"><stop offset="0"/><stop offset="1"/></linearGradient>` + many(50, `<rect fill="url(#g)" width="100" height="100"/>`),
		"colors of a gradient":  `<linearGradient id="g">` + many(100, `<stop offset="0"/>`) + `</linearGradient>`,
		"dashes":                `<path stroke="red" stroke-dasharray="` + many(100, "1 ") + `" d="M0 0h9"/>`,
		"tiny dashes":           `<path stroke="red" stroke-dasharray="0.02 0.02" d="M0 0` + many(20_000, "h3e5v9h-3e5") + `"/>`,
		"curves far away":       `<path d="M0 0` + many(10_000, "C 3e5 1 1 3e5 3e5 3e5 1 1 3e5 3e5 1 1") + `"/>`,
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.HasPrefix(name, "large") {
				t.Skip("takes a second")
			}
			_, err := Open(context.Background(), svgOf(content))
			require.Error(t, err)
			assert.Contains(t, err.Error(), "the drawing ")
		})
	}
}

func TestInvalidDrawingsWithLittleWorkAreDrawn(t *testing.T) {
	for name, content := range map[string]string{
		"large coordinates":            `<circle cx="1e30" cy="-1e30" r="1e30"/><line x1="-1e9" x2="1e9" y2="1" stroke="red" stroke-width="1e9"/>`,
		"no numbers":                   `<circle cx="NaN" cy="Inf" r="1"/><path d="M NaN Inf L1 1"/>`,
		"offset of dashes":             `<path stroke="red" stroke-dasharray="1" stroke-dashoffset="1e15" d="M0 0h9"/>`,
		"no dashes":                    `<path stroke="red" stroke-dasharray="0 -1 0" stroke-dashoffset="-5" d="M0 0h9"/>`,
		"use of nothing":               `<use href="#nothing"/><use/>`,
		"unknown color":                `<path fill="currentColor" style="fill:rgba(1,2,3,0.5)" d="M0 0h9"/>`,
		"gradient of itself":           `<linearGradient id="a" href="#a"/><path fill="url(#a)" d="M0 0h9"/>`,
		"rules that are not read":      `<style>` + strings.Repeat(`.a{z:1}path{fill:x}`, 30_000) + `</style>` + strings.Repeat(`<path class="a"/>`, 30_000),
		"attributes that are not read": `<defs><g id="a"><g ` + strings.Repeat(`z="" `, 100_000) + `class="` + strings.Repeat("a ", 100_000) + `"/></g></defs>` + strings.Repeat(`<use href="#a"/>`, 10_000),
		"colors that are not read":     `<defs><path id="a" fill="` + strings.Repeat("z", 400_000) + `" style="` + strings.Repeat("z:1;", 100_000) + `"/></defs>` + strings.Repeat(`<use href="#a"/>`, 10_000),
		"comments in a text":           `<title>` + strings.Repeat("a<!-- -->", 50_000) + `</title>`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(context.Background(), svgOf(content))
			require.NoError(t, err)
		})
	}
}

func TestDrawingHasClassesUsesAndCutLines(t *testing.T) {
	p, err := Open(context.Background(), svgOf(`
		<style>/* a { } */ .b, .c { fill: #00f } </style>
		<clipPath><rect width="100" height="100"/></clipPath>
		<use href="#s" x="10" y="20"/>
		<path class="b" d="M60 60h20v20h-20z"/>
		<path d="M0 95h100" stroke="red" stroke-width="10"/>
		<path d="M-50 50 L10 40 L10 60 Z" fill="lime"/>
		<symbol id="s"><rect width="10" height="10" fill="red"/></symbol>`))
	require.NoError(t, err)
	at := func(x, y int) color.Color { return p.Image.At(x*1024/100, y*1024/100) }
	red, blue, lime, none := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}, color.RGBA{0, 255, 0, 255},
		color.RGBA{}
	assert.Equal(t, red, at(15, 25), "the target of use is drawn at its position")
	assert.Equal(t, none, at(5, 5), "a clip path is not drawn")
	assert.Equal(t, blue, at(70, 70), "a class sets the style")
	assert.Equal(t, none, at(50, 70))
	assert.Equal(t, red, at(50, 91), "the line has its width")
	assert.Equal(t, none, at(50, 88))
	assert.Equal(t, lime, at(1, 50), "the shape is cut at the side")
	assert.Equal(t, none, at(15, 50), "the shape ends in its row")
}

func FuzzDrawing(f *testing.F) {
	f.Add([]byte(`<svg viewBox="0 0 9 9"><style>.a{fill:red}</style><g id="a"><path class="a" d="M0 0c1 2 3 4 5 6a1 2 3 0 1 9 9z" stroke-dasharray="1 2"/></g><use href="#a" x="1"/></svg>`))
	f.Add([]byte(`<svg width="9" height="9"><linearGradient id="g"><stop offset="1" stop-color="red"/><stop/></linearGradient><rect fill="url(#g)" width="5" height="5" rx="1" ry="1"/></svg>`))
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = Open(context.Background(), svgFile(string(b)))
	})
}
