package text

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// The recognized languages.
const (
	JSON       = "JSON"
	XML        = "XML"
	Shader     = "shader" // also of C, C++, C# and JavaScript, which have similar keywords
	Lua        = "Lua"
	Properties = "properties"
	YAML       = "YAML"
)

// languages are the languages of files by their extensions, in lower case.
var languages = map[string]string{
	".json": JSON, ".gltf": JSON,
	".xml": XML, ".svg": XML, ".html": XML, ".plist": XML, ".dae": XML, ".xaml": XML,
	".vert": Shader, ".frag": Shader, ".glsl": Shader, ".vs": Shader, ".fs": Shader, ".geom": Shader, ".comp": Shader,
	".hlsl": Shader, ".fx": Shader, ".cg": Shader, ".shader": Shader, ".metal": Shader,
	".h": Shader, ".c": Shader, ".cpp": Shader, ".cs": Shader, ".js": Shader,
	".lua":      Lua,
	".material": Properties, ".scene": Properties, ".animation": Properties, ".physics": Properties, ".form": Properties,
	".theme": Properties, ".particle": Properties, ".audio": Properties, ".terrain": Properties, ".config": Properties,
	".experiment": Properties,
	".yaml":       YAML, ".yml": YAML, ".ksy": YAML,
}

// HasExtension reports whether a file has the extension of a text.
func HasExtension(name string) bool {
	_, ok := languages[path.Ext(strings.ToLower(name))]
	return ok || strings.EqualFold(path.Ext(name), ".txt")
}

// language returns the language of a text by its file's name, else by its first characters.
func language(name, text string) string {
	name = strings.ToLower(strings.TrimSuffix(name, ".txt"))
	if l, ok := languages[path.Ext(name)]; ok {
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

// Colored divides lines into pieces by the rules of a language; nil if it has no rules, if the text is too
// long, or when ctx ends.
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
