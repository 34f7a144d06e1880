package text

import (
	"context"
	"path"
	"sort"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"golang.org/x/text/encoding"
)

// The recognized languages.
const (
	JSON       = "JSON"
	XML        = "XML"
	Shader     = "shader"
	Lua        = "Lua"
	Properties = "properties"
	YAML       = "YAML"
)

var extensions = map[string]string{
	".json": JSON, ".gltf": JSON, ".xml": XML, ".svg": XML, ".html": XML, ".plist": XML, ".dae": XML, ".xaml": XML,
	".vert": Shader, ".frag": Shader, ".glsl": Shader, ".vs": Shader, ".fs": Shader, ".geom": Shader, ".comp": Shader,
	".hlsl": Shader,
	".fx":   Shader, ".cg": Shader, ".shader": Shader, ".metal": Shader, ".h": Shader, ".c": Shader, ".cpp": Shader,
	".cs": Shader, ".js": Shader,
	".yaml": YAML, ".yml": YAML, ".ksy": YAML,
	".lua": Lua, ".material": Properties, ".scene": Properties, ".animation": Properties, ".physics": Properties,
	".form": Properties, ".theme": Properties,
	".particle": Properties, ".audio": Properties, ".terrain": Properties, ".config": Properties,
	".experiment": Properties,
}

// HasExtension reports whether a file has the extension of a text.
func HasExtension(name string) bool {
	_, ok := extensions[path.Ext(strings.ToLower(name))]
	return ok || strings.EqualFold(path.Ext(name), ".txt")
}

// language returns the language of a text by its file's name, else by its first characters.
func language(name, text string) string {
	name = strings.ToLower(strings.TrimSuffix(name, ".txt"))
	if l, ok := extensions[path.Ext(name)]; ok {
		return l
	}
	head := strings.TrimSpace(text[:min(len(text), 4096)])
	switch {
	case strings.HasPrefix(head, "<?xml") || strings.HasPrefix(head, "<!DOCTYPE"):
		return XML
	case (strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[")) && strings.Contains(head, `"`):
		return JSON
	case strings.Contains(head, "gl_Position") || strings.Contains(head, "gl_FragColor") ||
		strings.HasPrefix(head, "#version") ||
		strings.Contains(head, "void main("):
		return Shader
	}
	return ""
}

// Kind is the syntactic kind of a piece of a text.
type Kind uint8

// The kinds of pieces.
const (
	Plain Kind = iota
	Keyword
	Name // of a type, a tag, a member
	String
	Number
	Comment
)

// Piece is a part of a line.
type Piece struct {
	Text string
	Kind Kind
}

// MaxColored is the length of the largest text that Colored divides.
const MaxColored = 1 << 20

// Colored divides lines into pieces by the rules of a language; nil if it has no rules, or if the text is too long.
func Colored(ctx context.Context, language, text string) [][]Piece {
	rules := lexers[language]
	if rules == nil || len(text) > MaxColored {
		return nil
	}
	tokens, err := rules().Tokenise(nil, text)
	if err != nil {
		return nil
	}
	lines := [][]Piece{nil}
	n := 0
	for t := tokens(); t != chroma.EOF; t = tokens() {
		if n++; n%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		kind := kindOf(t.Type)
		for i, part := range strings.Split(t.Value, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			if part == "" {
				continue
			}
			last := &lines[len(lines)-1]
			if k := len(*last); k > 0 && (*last)[k-1].Kind == kind {
				(*last)[k-1].Text += part
			} else {
				*last = append(*last, Piece{part, kind})
			}
		}
	}
	return lines
}

// maxColoredFirst is the number of bytes of a text that are colored first.
const maxColoredFirst = 8 << 10

// ColoredFirst is Colored for the first lines only, if the text is long: to color all of it may take a second. Pieces
// that end after them, such as a long comment, have no color yet.
func ColoredFirst(ctx context.Context, language, text string) [][]Piece {
	if len(text) > MaxColored {
		return nil
	}
	if len(text) > maxColoredFirst {
		text = text[:strings.LastIndexByte(text[:maxColoredFirst], '\n')+1]
	}
	return Colored(ctx, language, text)
}

func kindOf(t chroma.TokenType) Kind {
	switch {
	case t.InCategory(chroma.Comment):
		return Comment
	case t.InCategory(chroma.Keyword):
		return Keyword
	case t.InSubCategory(chroma.LiteralString):
		return String
	case t.InSubCategory(chroma.LiteralNumber):
		return Number
	case t.InCategory(chroma.Name):
		return Name
	}
	return Plain
}

// The lexers are small ones of Assay: to load all that chroma has takes 6 ms of every start.
var lexers = map[string]func() chroma.Lexer{
	JSON: lexer(JSON, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `"(\\.|[^"\\\n])*"(?=\s*:)`, Type: chroma.NameTag},
			{Pattern: `"(\\.|[^"\\\n])*"`, Type: chroma.LiteralString},
			{Pattern: `-?\d+(\.\d+)?([eE][+-]?\d+)?`, Type: chroma.LiteralNumber},
			{Pattern: `\b(true|false|null)\b`, Type: chroma.Keyword},
			{Pattern: `[^"\-\dtfn]+|.`, Type: chroma.Text},
		}}
	}),
	XML: lexer(XML, func() chroma.Rules {
		return chroma.Rules{
			"root": {
				{Pattern: `<!--[\s\S]*?-->`, Type: chroma.Comment},
				{Pattern: `<[?!][^>]*>`, Type: chroma.Keyword},
				{Pattern: `</?[^\s>/]+`, Type: chroma.NameTag, Mutator: chroma.Push("tag")},
				{Pattern: `&\w+;`, Type: chroma.Keyword},
				{Pattern: `[^<&]+`, Type: chroma.Text},
				{Pattern: `.|\n`, Type: chroma.Text},
			},
			"tag": {
				{Pattern: `/?>`, Type: chroma.NameTag, Mutator: chroma.Pop(1)},
				{Pattern: `[^\s=/>"']+(?=\s*=)`, Type: chroma.Keyword},
				{Pattern: `"[^"]*"|'[^']*'`, Type: chroma.LiteralString},
				{Pattern: `[^/>"'\s=]+|\s+|.`, Type: chroma.Text},
			},
		}
	}),
	Shader: lexer(Shader, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `\s+`, Type: chroma.Text},
			{Pattern: `//[^\n]*|/\*[\s\S]*?\*/`, Type: chroma.Comment},
			{Pattern: `(?<=^[ \t]*)#[^\n]*`, Type: chroma.CommentPreproc},
			{Pattern: `"(\\.|[^"\\\n])*"`, Type: chroma.LiteralString},
			{Pattern: `0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[fFuUlL]*`, Type: chroma.LiteralNumber},
			{Pattern: `\b(void|bool|u?int|float|half|double|[biud]?vec[234]|mat[234](x[234])?|float[234](x[234])?|half[234]|[iu]?sampler\w+|Texture\w+)\b`,
				Type: chroma.NameClass},
			{Pattern: `\b(if|else|for|while|do|return|break|continue|discard|switch|case|default|struct|class|public|private|static|const|in|out|inout|` +
				`uniform|attribute|varying|layout|precision|lowp|mediump|highp|flat|smooth|invariant|using|namespace|cbuffer|register|true|false|null|` +
				`function|var|let|new|this)\b`, Type: chroma.Keyword},
			{Pattern: `[A-Za-z_]\w*`, Type: chroma.Text},
			{Pattern: `.|\n`, Type: chroma.Text},
		}}
	}),
	Lua: lexer(Lua, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `\s+`, Type: chroma.Text},
			{Pattern: `--\[(=*)\[[\s\S]*?\]\1\]`, Type: chroma.Comment},
			{Pattern: `--[^\n]*`, Type: chroma.Comment},
			{Pattern: `\[(=*)\[[\s\S]*?\]\1\]`, Type: chroma.LiteralString},
			{Pattern: `"(\\.|[^"\\\n])*"|'(\\.|[^'\\\n])*'`, Type: chroma.LiteralString},
			{Pattern: `0[xX][0-9a-fA-F]+|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?`, Type: chroma.LiteralNumber},
			{Pattern: `\b(and|break|do|else|elseif|end|false|for|function|goto|if|in|local|nil|not|or|repeat|return|then|true|until|while)\b`,
				Type: chroma.Keyword},
			{Pattern: `[A-Za-z_]\w*`, Type: chroma.Text},
			{Pattern: `.|\n`, Type: chroma.Text},
		}}
	}),
	YAML: lexer(YAML, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `(?<=^|\s)#[^\n]*`, Type: chroma.Comment},
			{Pattern: `\s+`, Type: chroma.Text},
			{Pattern: `"(\\.|[^"\\\n])*"|'([^'\n]|'')*'`, Type: chroma.LiteralString},
			{Pattern: `[^\s:#"'\[\]{},-][^\s:#\[\]{},]*(?=\s*:(\s|$))`, Type: chroma.NameTag},
			{Pattern: `\b(true|false|null)\b`, Type: chroma.Keyword},
			{Pattern: `-?\b(0x[\da-fA-F_]+|0b[01_]+|\d[\d_]*\.?\d*)\b`, Type: chroma.LiteralNumber},
			{Pattern: `[A-Za-z_]\w*`, Type: chroma.Text},
			{Pattern: `.|\n`, Type: chroma.Text},
		}}
	}),
	Properties: lexer(Properties, func() chroma.Rules {
		return chroma.Rules{"root": {
			{Pattern: `\s+`, Type: chroma.Text},
			{Pattern: `//[^\n]*|/\*[\s\S]*?\*/|#[^\n]*`, Type: chroma.Comment},
			{Pattern: `[A-Za-z_][\w.]*(?=\s*=)`, Type: chroma.NameTag},
			{Pattern: `(?<=^[ \t]*)[A-Za-z_]\w*(?=[^\n=]*\n?\s*\{)`, Type: chroma.Keyword},
			{Pattern: `\b(true|false)\b`, Type: chroma.Keyword},
			{Pattern: `-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\b`, Type: chroma.LiteralNumber},
			{Pattern: `[A-Za-z_][^\s={},]*`, Type: chroma.Text},
			{Pattern: `.|\n`, Type: chroma.Text},
		}}
	}),
}

func lexer(name string, rules func() chroma.Rules) func() chroma.Lexer {
	return sync.OnceValue(func() chroma.Lexer {
		return chroma.MustNewLexer(&chroma.Config{Name: name, NotMultiline: false}, rules)
	})
}

// form is how the bytes of a text are written.
type form struct {
	encoding    encoding.Encoding // nil: UTF-8
	markSize    int               // bytes of the mark at the beginning
	unitSize    int               // bytes of the smallest character: 2 in UTF-16
	isBigEndian bool              // the first byte of a unit is the high one
}

// offsetMap maps offsets in a file to indexes of its text by the lines of both.
type offsetMap struct {
	form
	bytes       []byte
	isUTF8      bool    // the bytes are UTF-8
	lineOffsets []int   // where each line begins in the bytes
	lineIndexes []int32 // and in the text
}

// mapOffsets finds the lines of a text; nil if its bytes are the file's.
func mapOffsets(f form, b []byte, text string) *offsetMap {
	valid := f.encoding == nil && utf8.Valid(trimPartialRune(b))
	if valid && f.markSize == 0 && len(trimPartialRune(b)) == len(text) {
		return nil
	}
	p := &offsetMap{form: f, bytes: b, isUTF8: valid, lineOffsets: []int{f.markSize}, lineIndexes: []int32{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			p.lineIndexes = append(p.lineIndexes, int32(i+1))
		}
	}
	for i := f.markSize; i+f.unitSize <= len(b) && len(p.lineOffsets) < len(p.lineIndexes); i += f.unitSize {
		switch p.unitAt(i) {
		case '\r':
			if next := i + f.unitSize; next+f.unitSize <= len(b) && p.unitAt(next) == '\n' {
				i = next
			}
			fallthrough
		case '\n':
			p.lineOffsets = append(p.lineOffsets, i+f.unitSize)
		}
	}
	p.lineIndexes = p.lineIndexes[:len(p.lineOffsets)]
	return p
}

// unitAt returns the unit at an index of the bytes.
func (p *offsetMap) unitAt(i int) rune {
	switch {
	case p.unitSize == 1:
		return rune(p.bytes[i])
	case p.isBigEndian:
		return rune(p.bytes[i])<<8 | rune(p.bytes[i+1])
	}
	return rune(p.bytes[i+1])<<8 | rune(p.bytes[i])
}

// step returns the number of bytes of the character at an index.
func (p *offsetMap) step(i int) int {
	switch {
	case p.encoding == nil:
		_, n := utf8.DecodeRune(p.bytes[i:])
		return n
	case p.unitSize == 2:
		if i+4 <= len(p.bytes) && utf16.IsSurrogate(p.unitAt(i)) && utf16.IsSurrogate(p.unitAt(i+2)) {
			return 4
		}
		return 2
	}
	var out [8]byte
	for n := 1; n < utf8.UTFMax && i+n < len(p.bytes); n++ {
		if decoded, _, _ := p.encoding.NewDecoder().Transform(out[:], p.bytes[i:i+n], false); decoded > 0 {
			return n
		}
	}
	return 1
}

// walkLine advances by characters of a line until done returns true for the next one, by its indexes in the bytes and
// in the text.
func (p *offsetMap) walkLine(line int, text string, done func(next, at int) bool) (i, at int) {
	i, at = p.lineOffsets[line], int(p.lineIndexes[line])
	for i < len(p.bytes) && at < len(text) && text[at] != '\n' {
		_, size := utf8.DecodeRuneInString(text[at:])
		next := i + p.step(i)
		if done(next, at+size) {
			break
		}
		i, at = next, at+size
	}
	return i, at
}

// IndexAt returns the index in Text of the character that contains a byte of the file.
func (t *Text) IndexAt(offset int64) int {
	p := t.offsets
	if p == nil {
		return int(max(0, min(offset, int64(len(t.Text)))))
	}
	line := max(0, sort.Search(len(p.lineOffsets), func(i int) bool { return int64(p.lineOffsets[i]) > offset })-1)
	if p.isUTF8 {
		end := len(t.Text)
		if line+1 < len(p.lineIndexes) {
			end = int(p.lineIndexes[line+1]) - 1
		}
		return max(0, min(int(p.lineIndexes[line])+int(offset)-p.lineOffsets[line], end))
	}
	_, at := p.walkLine(line, t.Text, func(next, _ int) bool { return int64(next) > offset })
	return at
}

// Offset returns the offset in the file of the character at an index of Text.
func (t *Text) Offset(at int) int64 {
	p := t.offsets
	if p == nil {
		return int64(at)
	}
	line := max(0, sort.Search(len(p.lineIndexes), func(i int) bool { return int(p.lineIndexes[i]) > at })-1)
	if p.isUTF8 {
		return int64(p.lineOffsets[line] + at - int(p.lineIndexes[line]))
	}
	i, _ := p.walkLine(line, t.Text, func(_, next int) bool { return next > at })
	return int64(i)
}
