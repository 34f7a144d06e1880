package properties_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/formatstest"
	"assay/formats/gpb/gpbtest"
	"assay/formats/gpb/properties"
	"assay/model"
)

func source(text string) *model.Source {
	return model.NewSource("a.material", strings.NewReader(text), int64(len(text)))
}

func read(t testing.TB, text string) *properties.Namespace {
	t.Helper()
	file, err := properties.Read(context.Background(), source(text))
	require.NoError(t, err)
	return file
}

func open(t testing.TB, text string) (*model.Document, *model.Report) {
	t.Helper()
	d, _, err := properties.Open(context.Background(), source(text), nil)
	require.NoError(t, err)
	r, err := d.Check(context.Background(), nil)
	require.NoError(t, err)
	assert.EqualValues(t, len(text), r.Accounted, "every byte is in a field")
	return d, r
}

// outline writes a namespace without its offsets.
func outline(n *properties.Namespace) string { return string(gpbtest.WriteText(n)) }

func TestNamespacesInEveryFormReadTheSame(t *testing.T) {
	const want = "name id : parent\n{\n    a = b\n}\n"
	for _, text := range []string{
		want,
		"name id : parent {\na=b\n}",
		"name id:parent\r\n\r\n  {\r\n\ta\t=\tb \r\n}\r\n",
		"\xEF\xBB\xBF// c\n/* a\n{ = }\nmore */\nname   id :parent   \n\n{ a = b\n}",
		"name id : parent { // why\n a b\n } // done",
	} {
		assert.Equal(t, want, outline(read(t, text)), "%q", text)
		d, r := open(t, text)
		require.NotEmpty(t, r.Problems, "%q", text)
		assert.Contains(t, r.Problems[len(r.Problems)-1].Message, "there is no parent at this level", "%q", text)
		formatstest.Conform(t, d)
	}
	for text, want := range map[string]string{
		"a":               "a = \n",
		"a b c":           "a = b c\n",
		"a = b = c":       "a = b = c\n",
		"a = // no":       "a = // no\n",
		"n { }":           "n\n{\n}\n",
		"n{}\nm {\n}\n":   "n\n{\n}\n\nm\n{\n}\n",
		"n\n{\nm\n{\n}\n": "n\n{\n    m\n    {\n    }\n}\n",
		"= 1":             " = 1\n",
		"a\x00= b":        "a = b\n",
		"name a:b":        "name = a\n",
		"name  : b":       "name = \n",

		// Comments end as in the engine: with a line after their first that begins or ends with */.
		"/* one\nx */ y\na = 1\n*/\nb = 2": "b = 2\n",
		"/* one line */\na = 1":            "",
		"/* one line */\na = 1 */\nb = 2":  "b = 2\n",
		"/* one\n\t*/ a = 1\nb = 2":        "b = 2\n",
		"/*/\na = 1\n/* */ \nb = 2":        "b = 2\n",

		// With one blank before the ":" the engine takes what follows for the id.
		"name : base {\n}":   "name base\n{\n}\n",
		"name  : base {\n}":  "name : base\n{\n}\n",
		"name : a : b\n{\n}": "name a : b\n{\n}\n",
	} {
		assert.Equal(t, want, outline(read(t, text)), "%q", text)
		d, _ := open(t, text)
		formatstest.Conform(t, d)
	}
}

func TestColorsAreMarked(t *testing.T) {
	d, _ := open(t, "light {\ncolor = 1, 0, 0.5\nu_pointLightColor[1] = 0, 0, 0\nrange = 1, 2, 3\n}\n")
	var colors []string
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if c, ok := n.Color(); ok {
			colors = append(colors, fmt.Sprint(n.Key, c))
		}
		return true, nil
	}, nil))
	assert.Equal(t, []string{"color{255 0 128 255}", "u_pointLightColor[1]{0 0 0 255}"}, colors)
}

func TestProblemsNameTheSurprise(t *testing.T) {
	for text, want := range map[string]string{
		"a {\n":                       "the namespace a has no }",
		"}\n":                         "a '}' that ends or begins no namespace",
		"{\n":                         "a '{' that ends or begins no namespace",
		"= 1\n":                       `a value without a name before its "="`,
		"a { b = c\n":                 "a brace in a name begins or ends no namespace: the line has a \"=\"",
		"} // a = b\n":                "a brace in a name begins or ends no namespace: the line has a \"=\"",
		"a {\nb = 1 }\n}":             "this } is part of the value and does not close the namespace",
		"a b }\n":                     "this } is part of the value and does not close the namespace",
		"a = b // c\n":                "this is part of the value: comments are only recognized at the start of a line",
		"a = b\t// c\n":               "this is part of the value: comments are only recognized at the start of a line",
		"m a // c\n{\n}\n":            "this is part of the id: comments are only recognized at the start of a line",
		"m // {\n}\n":                 "this is part of the id: comments are only recognized at the start of a line",
		"a = // c\n":                  "this is part of the value: comments are only recognized at the start of a line",
		"a {\n} b\n":                  "text after a brace is ignored",
		"a { b }\n":                   "text after a brace is ignored",
		"m a : b\n{\n}\n":             "there is no b at this level; the parent is ignored",
		"m : b\n{\n}\n":               "read as an id, not a parent: without an id, write two blanks before the \":\"",
		"m a:b\n":                     "text after the \":\" is ignored: the line has no \"=\"",
		"/* a */\nb = 1\n":            "the comment does not end here: for that a line after its first must begin or end with */",
		"/*\na */ b\n*/ c\n":          "the comment does not end here",
		"/*\n*/ b\n":                  "text after the end of a comment is ignored",
		"a = 1\n/*":                   "the comment has no end; the rest of the file is ignored",
		"/*\nb = 1\n":                 "the comment has no end; the rest of the file is ignored",
		"a {\nb = 1 , 2\nc = 1, 2\n}": "the engine reads only 1 of these numbers: no blank is allowed before a comma",
		"b = 1, 0.5f, 2\n":            "the engine reads only 2 of these numbers: no blank is allowed before a comma",
		"m a : b {\n}\nm b : a\n{\n}": "m a inherits from itself through its parents; the cycle is ignored",
		strings.Repeat("n {\n", 40) + strings.Repeat("}\n", 40): "namespaces nest deeper than 32 levels here",
	} {
		d, r := open(t, text)
		var all []string
		for _, p := range r.Problems {
			all = append(all, p.Message)
		}
		assert.Contains(t, strings.Join(all, "\n"), want, "%q", text)
		formatstest.Conform(t, d)
	}
}

// TestOrdinaryValuesHaveNoProblems has braces and slashes that neither end a namespace nor begin a comment.
func TestOrdinaryValuesHaveNoProblems(t *testing.T) {
	for _, text := range []string{"${x} = 1\na = ${x}\n", "a = { 1 }\n", "a = http://b/c\n", "a = b//c\n", "a =\n"} {
		_, r := open(t, text)
		assert.Empty(t, r.Problems, "%q", text)
	}
}

// A } at the end of the line with the { ends the namespace, if it is the first } there.
func TestNamespaceOnOneLineEndsAtItsFirstBrace(t *testing.T) {
	const ignored = "text after a brace is ignored"
	for text, want := range map[string][]string{
		"m a { }\n":             nil,
		"m a { x }\n":           {ignored},
		"m a {x}\n":             {ignored},
		"m a { } }\nb = 1\n}\n": {ignored},
		"m a { // as in {x}\nb = 1\n": {"the } ends the namespace, also in a comment",
			"the engine skips the first character after a namespace on one line"},
	} {
		d, r := open(t, text)
		var all []string
		for _, p := range r.Problems {
			all = append(all, p.Message)
		}
		assert.Equal(t, want, all, "%q", text)
		formatstest.Conform(t, d)
	}
}

const inherited = `
${shared} = 7
material base
{
    u_a = 1
    u_b = 2
    sampler u_t { 
        path = a.png
        wrapS = CLAMP
    }
    technique
    {
        pass 0
        {
            defines = A
            u_c = ${shared}
        }
    }
}
material middle : base
{
    u_b = 3
    technique
    {
        pass
        {
            defines = B
        }
    }
}
material last : middle
{
    ${shared} = 9
    u_d = 4
    sampler u_t
    {
        path = b.png
    }
}`

func TestNamespacesInheritAndMerge(t *testing.T) {
	file := read(t, inherited)
	s := file.Space(file.Find("last"))
	assert.Equal(t, []string{"1", "3", "", "4"}, []string{s.Get("u_a"), s.Get("u_b"), s.Get("u_c"), s.Get("u_d")})
	below := s.Spaces()
	require.Len(t, below, 2)
	assert.Equal(t, []string{"b.png", "CLAMP"}, []string{below[0].Get("path"), below[0].Get("wrapS")})
	passes := below[1].Spaces()
	require.Len(t, passes, 2, "a pass and a pass 0 are two")
	assert.Equal(t, []string{"A", "B"}, []string{passes[0].Get("defines"), passes[1].Get("defines")})
	assert.Equal(t, "9", passes[0].Get("u_c"), "the nearest variable counts")
	assert.Equal(t, "7", file.Space(file.Find("base")).Spaces()[1].Spaces()[0].Get("u_c"))

	assert.Equal(t, "base", file.Find("").ID)
	assert.Equal(t, "pass", file.Find("base/technique/pass 0").Name)
	assert.Equal(t, "last", file.Find("material last").ID)
	assert.Nil(t, file.Find("nothing"))
	assert.Nil(t, file.Find("base/nothing"))

	d, r := open(t, inherited)
	assert.Empty(t, r.Problems)
	p, ok := d.FindKey("base/technique/pass 0")
	require.True(t, ok)
	assert.Equal(t, "pass 0", d.At(p).Key)
	_, ok = d.FindKey("nothing")
	assert.False(t, ok)
}

// TestParentIsLinked has parents on the top level, of another name, and in a namespace, where the top level has one of
// that name and id.
func TestParentIsLinked(t *testing.T) {
	d, r := open(t, "technique base\n{\n}\nmaterial red : base\n{\n}\n"+
		"node a\n{\n}\nscene\n{\nnode a\n{\n}\nnode b : a\n{\n}\n}\n")
	assert.Empty(t, r.Problems)
	for of, want := range map[string]string{
		"/members/material red/parent":         "/members/0",
		"/members/scene/members/node b/parent": "/members/3/members/0",
	} {
		n, err := d.Find(of)
		require.NoError(t, err)
		require.NotNil(t, n.Link, of)
		require.NotNil(t, n.Link.Target, of)
		p, ok := n.Link.Target()
		require.True(t, ok, of)
		assert.Equal(t, want, d.At(p).PathText(), of)
	}
}

func TestUnsetVariableCountsAsAbsent(t *testing.T) {
	const text = "${y} = 1\nm a\n{\nx = ${x}\ny = ${y}\n}\n"
	file := read(t, text)
	s := file.Space(file.Find("a"))
	assert.Equal(t, []string{"", "1"}, []string{s.Get("x"), s.Get("y")})
	_, r := open(t, text)
	require.Len(t, r.Problems, 1)
	assert.Equal(t, "${x} is never set; the engine uses its default", r.Problems[0].Message)
}

// The engine reads these texts differently from what people and the document expect.
func TestSurprisesOfTheEngineAreReported(t *testing.T) {
	for text, want := range map[string]string{
		"\xEF\xBB\xBFm a\n{\n}\n":     "the engine treats the byte order mark as part of the first name",
		"m a\n{\n} // end = here\n":   "for the engine this line is a property, and ends no namespace",
		"m a\n{\nx = ${}\n}\n":        "",
		"m a\n{\n} // here it ends\n": "",
		"a { }\nb = 1\n":              "the engine skips the first character after a namespace on one line",
		"a {\nb { }\n}\n":             "the engine skips the first character after a namespace on one line",
		"a { }":                       "",
		"a { }\n":                     "",
		"a { }\r\n\r\nb = 1\n":        "",
		"a {\n  b { }\n  }\n":         "",
	} {
		_, r := open(t, text)
		if want == "" {
			assert.Empty(t, r.Problems, "%q", text)
			continue
		}
		require.Len(t, r.Problems, 1, "%q", text)
		assert.Equal(t, want, r.Problems[0].Message, "%q", text)
	}
}

func TestHeadWithoutABraceIsReported(t *testing.T) {
	for text, want := range map[string]string{
		"node Camera\na = 1\n":      "node begins no namespace: no { follows",
		"/      node a\n":           `"/" is not a name, and no { follows`,
		"path res/a.png\n":          "",
		"u_x[0] 1\nu_y.z 1\n":       "",
		"node b\n{\n}\n":            "",
		"material res/a.material\n": "",
	} {
		_, r := open(t, text)
		if want == "" {
			assert.Empty(t, r.Problems, text)
			continue
		}
		require.Len(t, r.Problems, 1, text)
		assert.Contains(t, r.Problems[0].Message, want, text)
	}
}

// TestDuplicateNamespacesAreMerged has inherited passes without a name: each is merged with the heir's one pass, and
// several passes of the heir without an inherited one are merged into one.
func TestDuplicateNamespacesAreMerged(t *testing.T) {
	file := read(t, "m a\n{\npass\n{\nx = 1\ny = 1\n}\npass\n{\nx = 2\n}\n}\n"+
		"m b : a\n{\npass\n{\ny = 3\n}\nsampler s\n{\nu = 1\n}\nsampler s\n{\nv = 2\n}\n}\n"+
		"m c : a\n{\npass\n{\nx = 4\n}\npass\n{\ny = 5\n}\n}\n")
	values := func(id string) (all []string) {
		for _, below := range file.Space(file.Find(id)).Spaces() {
			line := below.Name
			for _, name := range below.Names() {
				line += " " + name + below.Get(name)
			}
			all = append(all, line)
		}
		return all
	}
	assert.Equal(t, []string{"pass x1 y1", "pass x2"}, values("a"))
	assert.Equal(t, []string{"pass x1 y3", "pass x2 y3", "sampler u1 v2"}, values("b"))
	assert.Equal(t, []string{"pass x4 y5", "pass x4 y5"}, values("c"))
}

// TestDuplicateNamesCountAsInTheEngine tests, as in the engine of 2014, that a lookup finds the first and an iteration
// ends with the last, and that an heir replaces the first inherited one.
func TestDuplicateNamesCountAsInTheEngine(t *testing.T) {
	const text = "${v} = 1\n${v} = 2\nm a\n{\nx = 1\nx = 2\nz = ${v}\n}\nm b : a\n{\nx = 3\n}\n" +
		"m c : a\n{\nx = 3\nx = 4\ny = 5\ny = 6\n}\n"
	file := read(t, text)
	for id, want := range map[string]string{"a": "x 1 2, z 2 2", "b": "x 3 2, z 2 2", "c": "x 4 2, y 6 6, z 2 2"} {
		s := file.Space(file.Find(id))
		var all []string
		for _, name := range s.Names() {
			all = append(all, name+" "+s.Get(name)+" "+s.Last(name))
		}
		assert.Equal(t, want, strings.Join(all, ", "), id)
	}
	d, r := open(t, text)
	formatstest.Conform(t, d)
	var all []string
	for _, p := range r.Problems {
		all = append(all, p.Path+": "+p.Message)
	}
	const which = " (occurrence 2); the engine uses the last value of uniforms, render states, aliases, and of the url, " +
		"material, light, camera, terrain, and collision shape of a node, but the first value of other properties; " +
		"before 2014 it used the last value of all"
	assert.Equal(t, []string{"/members/2/members/1/value: duplicate x" + which,
		"/members/4/members/1/value: duplicate x" + which, "/members/4/members/3/value: duplicate y" + which}, all)
}

func TestPropertiesAreFoundByTheirOffsets(t *testing.T) {
	d, _ := open(t, inherited)
	file := read(t, inherited)
	found := 0
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		p, ok := file.PropertyAt(n.Offset)
		if n.Type == properties.PropertyType {
			require.True(t, ok, n.PathText())
			assert.Equal(t, n.Key, p.Name)
			assert.Equal(t, n.ChildNamed("value").Value, p.Value)
			found++
		} else if n.Type == "Namespace" {
			assert.False(t, ok, n.PathText())
		}
		return true, nil
	}, nil))
	assert.Equal(t, strings.Count(inherited, " = "), found)
	_, ok := file.PropertyAt(int64(len(inherited)))
	assert.False(t, ok)
}

// TestHostileInheritanceEnds has a cycle, and many materials that all inherit from one large one.
func TestHostileInheritanceEnds(t *testing.T) {
	file := read(t, "m a : b {\nx = 1\n}\nm b : a {\ny = 2\n}\nm c : c {\n}")
	s := file.Space(file.Find("a"))
	assert.Equal(t, "1", s.Get("x"))
	assert.Equal(t, "2", s.Get("y"))

	var text strings.Builder
	text.WriteString("m m0 {\n")
	for i := range 1000 {
		fmt.Fprintf(&text, "u%d = %d\n", i, i)
	}
	text.WriteString("}\n")
	const count = 100_000
	for i := range count {
		fmt.Fprintf(&text, "m m%d : m%d {\n}\n", i+1, i)
	}
	file = read(t, text.String())
	require.Len(t, file.Children, count+1)
	assert.Equal(t, "0", file.Space(file.Find("m60")).Get("u0"))
	last := file.Space(file.Find("m100000"))
	assert.Empty(t, last.Get("u0"), "so many parents are not followed")
	assert.False(t, last.Exhausted())
}

// TestLongRunsOfBlanksAreSkipped has as many blanks before and after everything as are read at once, and one more or
// less.
func TestLongRunsOfBlanksAreSkipped(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 255, 256, 257, 4096, 64<<10 - 1} {
		run, lines := strings.Repeat(" ", n), strings.Repeat("\r\n", (n+1)/2)
		for _, text := range []string{
			"n a" + run + "{\nb = c\n}", "n a\n" + run + "{\nb = c\n}", "n a" + lines + "{\nb = c\n}",
			"n a {\n" + run + "b = c\n}", "n a {" + lines + "b = c\n}", "n a {\nb = c" + run[:n/2] + "\n}",
			"n a {\nb = c\n" + run + "}", run + "n a {\nb = c\n}" + lines,
		} {
			assert.Equal(t, "n a\n{\n    b = c\n}\n", outline(read(t, text)), "%d", n)
			d, r := open(t, text)
			assert.Empty(t, r.Problems, "%d", n)
			if n < 300 { // each byte is looked up
				formatstest.Conform(t, d)
			}
		}
	}
}

// TestShortListsAreRecordedWithTheirElement has a list in a namespace of a list, short and long.
func TestShortListsAreRecordedWithTheirElement(t *testing.T) {
	const inner = "b {\nc {\nd = e\n}\n}\n"
	long := inner + "// " + strings.Repeat("-", 2000) + "\n"
	for text, short := range map[string]bool{"a {\n" + inner + "}\n": true, "a {\n" + long + "}\n": false} {
		d, r := open(t, text)
		assert.Empty(t, r.Problems)
		formatstest.Conform(t, d)
		list := d.Root().ChildNamed("members").Child(0).ChildNamed("members")
		_, recorded := list.Children().(model.List)
		assert.Equal(t, short, recorded)
		assert.Equal(t, "/members/0/members/0/members/0/members/0/value",
			list.Child(0).ChildNamed("members").Child(0).ChildNamed("members").Child(0).ChildNamed("value").PathText())
	}
}

// TestDeepTextsAreReadFewTimes has all properties below many namespaces, and a problem after them.
func TestDeepTextsAreReadFewTimes(t *testing.T) {
	const many = 1000
	text := strings.Repeat("a {\n", 31) + strings.Repeat("b = c\n", many) + "}\n" + strings.Repeat("} d\n", 30)
	for _, text := range []string{text, strings.ReplaceAll(text, "d", ""), strings.TrimRight(text, "} d\n") + "\n"} {
		met := 0
		d, _, err := properties.Open(t.Context(), source(text), func(string) (*model.Link, string) {
			met++
			return nil, ""
		})
		require.NoError(t, err)
		r, err := d.Check(t.Context(), nil)
		require.NoError(t, err)
		assert.EqualValues(t, len(text), r.Accounted)
		assert.LessOrEqual(t, met, 5*many)
	}
}

// TestLongTextsOfShortNamespacesAreRead has more text than is read at once, below the first namespace and beside it.
func TestLongTextsOfShortNamespacesAreRead(t *testing.T) {
	text := strings.Repeat("m a : b\n{\n    n c\n    {\n        d = e\n    }\n}\n", 100)
	for _, text := range []string{text, "top {\n" + text + "}\n" + text} {
		d, r := open(t, text)
		assert.Len(t, r.Problems, strings.Count(text, "b"))
		formatstest.Conform(t, d)
	}
}

func TestWrittenTextsReadTheSame(t *testing.T) {
	file := &properties.Namespace{Properties: []properties.Property{{Name: "first", Value: "1, 2, 3"}}}
	space := gpbtest.Space("material a : b", "u_x=1", "path=res/a b.png")
	space.Children = append(space.Children, gpbtest.Space("technique"))
	file.Children = append(file.Children, space, gpbtest.Space("material b"))
	b := gpbtest.WriteText(file)
	assert.Equal(t, string(b), outline(read(t, string(b))))
}

func TestTextsAreRecognizedByABlock(t *testing.T) {
	for text, want := range map[string]decode.Confidence{
		inherited: decode.Maybe, "scene\n{\n}": decode.Maybe, "// c\nmaterial a : b {\n}": decode.Maybe,
		"/* for the engine all is a comment */\r\n/* so */\nmaterial a\n{\n}": decode.Maybe, "/* a */": decode.No,
		"": decode.No, "a = b\n": decode.No, `{"a": {}}`: decode.No, "<a>\n{\n}": decode.No, "a\x01{\n}": decode.No,
		"#include <a>\nint main() {\n}": decode.No, "It was a dark night.\n": decode.No,
		"function f(a, b) {\n}": decode.Maybe, // only a file's extension tells
	} {
		assert.Equal(t, want, properties.Sniff([]byte(text), int64(len(text))), "%q", text)
	}
}

func TestNamesAreSorted(t *testing.T) {
	_, file, err := properties.Open(t.Context(), model.NewSource("a.scene", strings.NewReader(inherited),
		int64(len(inherited))), nil)
	require.NoError(t, err)
	for _, n := range file.Children {
		assert.IsIncreasing(t, append([]string{""}, file.Space(n).Names()...))
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(inherited))
	f.Add([]byte("/* c\n */\nm a:b{\n x y\n}\r\n= \n}\n{ }"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<9 { // each byte is looked up
			return
		}
		d, file, err := properties.Open(context.Background(),
			model.NewSource("a.scene", bytes.NewReader(b), int64(len(b))),
			nil)
		require.NoError(t, err)
		formatstest.Conform(t, d)
		for _, n := range file.Children {
			s := file.Space(n)
			s.Names()
			for _, below := range s.Spaces() {
				below.Spaces()
			}
		}
		properties.Sniff(b, int64(len(b)))
	})
}

// Bytes between the fields of a text, and line ends, have the role of spacing.
func TestSpacingHasItsRole(t *testing.T) {
	d, _ := open(t, "a\r\n{\r\n  b = 1\r\n  // c\r\n}\r\n")
	seen := 0
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if n.Type == "separator" || n.Type == "line_end" {
			seen++
			assert.Equal(t, model.RoleSpacing, n.Role, n.PathText())
		}
		return true, nil
	}, nil))
	assert.NotZero(t, seen)
}

func TestNumbersEndWhereTheEngineStops(t *testing.T) {
	for value, want := range map[string][]float32{
		"":                         nil,
		"up":                       nil,
		"-1":                       {-1},
		"1, 2,3":                   {1, 2, 3},
		"1 , 2":                    {1},
		"0.5f, 1.f":                {.5},
		"0x10":                     {0},
		"1e3, -2.5E-1, .5":         {1000, -.25, .5},
		"10 // meters, not feet":   {10},
		"1, 0, 0, 90 // a quarter": {1, 0, 0, 90},
		"1, two, 3":                {1},
		"1,":                       {1},
		"1e":                       {1},
		"1em":                      {1},
		"60e":                      {60},
		"1e+":                      {1},
		"1-2":                      {1},
		"1.5.2":                    {1.5},
		"1.5.2, 3":                 {1.5},
		"-.5e-1em, 3":              {-.05},
		"-":                        nil,
		".":                        nil,
		"1e38":                     nil,
		"90deg":                    {90},
	} {
		assert.Equal(t, want, properties.Numbers(value), "%q", value)
	}
	assert.Len(t, properties.Numbers(strings.Repeat("1,", 40)), 16)
}

func TestAbsentNumbersHaveTheDefault(t *testing.T) {
	file := read(t, "a\n{\n color = 1, 2, 3, 4\n far = 7 // meters\n name = x\n}\n")
	s := file.Space(file.Children[0])
	assert.Equal(t, []float32{1, 2, 3}, s.Vector("color", 3), "more numbers than are needed")
	assert.Nil(t, s.Vector("color", 5))
	assert.Equal(t, float32(7), s.Number("far", 1))
	assert.Equal(t, float32(1), s.Number("name", 1))
	assert.Equal(t, float32(1), s.Number("near", 1))
}

func TestOnlyMissingFilesAreAbsent(t *testing.T) {
	found := func(string) (string, bool) { return "", true }
	for name, tt := range map[string]struct {
		link   *model.Link
		absent bool
	}{
		"another file is used": {&model.Link{Resolve: found}, false}, "no file": {&model.Link{}, true}, "no link": {nil, false},
	} {
		d, _, err := properties.Open(t.Context(), source("a\n{\n    path = box.gpb\n}\n"),
			func(string) (*model.Link, string) { return tt.link, "a sentence" })
		require.NoError(t, err)
		r, err := d.Check(t.Context(), nil)
		require.NoError(t, err)
		require.Len(t, r.Problems, 1, name)
		assert.Equal(t, tt.absent, r.Problems[0].Absent, name)
	}
}
