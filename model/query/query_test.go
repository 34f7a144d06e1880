package query_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/query"
)

func TestRulesCanBeParsed(t *testing.T) {
	l := list()
	l.Fields = true
	for _, r := range query.Rules {
		f, err := query.Parse(r.Written, l)
		assert.NoError(t, err, r.Written)
		assert.False(t, f.Empty(), r.Written)
		assert.Contains(t, query.Page(), "  "+r.Written+" ")
	}
}

func TestColumnsAndValuesAreCompleted(t *testing.T) {
	for typed, want := range map[string][]string{
		"":                      nil,
		"s":                     nil,
		"si":                    {"size > "},
		"SIZE":                  {"size > "},
		"*.png old":             {"*.png old size > "},
		"(mod":                  {"(modified >= "},
		"ty":                    {"type = "},
		"nothing":               nil,
		"type = ":               {"type = Texture ", "type = PNG file ", "type = PNG "},
		"type=te":               {"type=Texture "},
		"class ~ png":           {"class ~ PNG file "},
		"duck type != P":        {"duck type != PNG file ", "duck type != PNG "},
		"type = PNG f":          {"type = PNG file "},
		"type = Texture si":     {"type = Texture size > "},
		"size > ":               nil,
		`"si`:                   nil,
		`"a b" si`:              {`"a b" size > `},
		"type = PNG file and m": nil,
		"größe ty":              {"größe type = "},
	} {
		var got []string
		for _, c := range list().Complete(typed, len(typed)) {
			got = append(got, typed[:c.From]+c.Text+typed[c.To:])
		}
		assert.Equal(t, want, got, typed)
	}
	got := list().Complete("si png", 2)
	assert.Len(t, got, 1)
	assert.Equal(t, "size > ", got[0].Text)
	assert.Equal(t, []int{0, 2}, []int{got[0].From, got[0].To})
}

// row is an item with a value in each column of list, and fields.
type row struct {
	filter *query.Filter
	cells  []any
	fields map[string]any
}

func (r *row) Has(w *query.Word) bool {
	for _, v := range r.cells[:2] {
		if w.InCell(v) {
			return true
		}
	}
	return false
}

func (r *row) MatchColumn(column int, t *query.Test) (matches, exists bool) {
	if column < len(r.cells) {
		return t.Matches(r.cells[column]), r.cells[column] != nil
	}
	v, exists := r.fields[r.filter.Field(column)]
	return t.Matches(v), exists
}

// list returns columns of all kinds.
func list() *query.List {
	return &query.List{Columns: []query.Column{{Name: "name"},
		{Name: "type", Names: []string{"class"}, Values: []string{"Texture", "PNG file", "PNG"}},
		{Name: "size", Kind: query.Size}, {Name: "old size", Kind: query.Number},
		{Name: "modified", Kind: query.Time}, {Name: "time (s)", Kind: query.Number}}}
}

// items are rows for testing filters.
var items = []*row{
	{cells: []any{"art/duck.gpb", "Texture", int64(200_000), uint64(5), "2026-11-23 10:30:00", 0.5}},
	{cells: []any{"art/old/Duck.PNG", "PNG file", int64(90_000), nil, "2026-11-22 10:30:00", 1.5}},
	{cells: []any{"goose and gander.txt", "PNG", int64(100_000), uint64(7), nil, nil}},
	{cells: []any{"array<int>", "a=b", int64(-1), uint64(0), "2025-01-01 00:00:00", 2.0}},
}

func TestFiltersMatchItems(t *testing.T) {
	const duck, png, goose, array = 0, 1, 2, 3
	all := []int{duck, png, goose, array}
	for text, want := range map[string][]int{
		"":                                 all,
		"   ":                              all,
		"duck":                             {duck, png},
		"DUCK art":                         {duck, png},
		"duck and art":                     {duck, png},
		"duck goose":                       nil,
		"duck or goose":                    {duck, png, goose},
		"gpb OR duck png":                  {duck, png},
		"(gpb or goose) size > 100 KB":     {duck},
		"(gpb or goose) size>=100KB":       {duck, goose},
		"not duck":                         {goose, array},
		"NOT (duck or goose)":              {array},
		"not not duck":                     {duck, png},
		"not":                              all,
		"duck and":                         {duck, png},
		"duck or":                          {duck, png},
		"(duck":                            {duck, png},
		"((duck) (gpb)":                    {duck},
		"duck )":                           nil,
		`"goose and"`:                      {goose},
		`"goose and`:                       {goose},
		`goose "and" gander`:               {goose},
		"*.gpb":                            {duck},
		"*.gpb size > 100 KB tex":          {duck},
		"*.png":                            {png},
		"d*":                               {duck, png},
		"art/*":                            {duck},
		"art/**":                           {duck, png},
		"**/duck.*":                        {duck, png},
		"**/old/*":                         {png},
		"art/**/duck.gpb":                  {duck},
		"duck.???":                         {duck, png},
		"[a-d]uck.[^p]*":                   {duck},
		`"goose and*"`:                     {goose},
		"size > 90 KB":                     {duck, goose},
		"size > 90 kb and size < 0.1 MB":   nil,
		"size >= 90 KB size <= 0.1 MB":     {png, goose},
		"size = 100000":                    {goose},
		"size != 100000":                   {duck, png, array},
		"size == 97.65625 KiB":             {goose},
		"size < 0":                         {array},
		"size ~ 00":                        {duck, png, goose},
		"old size > 4":                     {duck, goose},
		`"old size" > 4`:                   {duck, goose},
		"OLD SIZE != 5":                    {goose, array},
		"time (s) > 1":                     {png, array},
		"not old size > 4":                 {png, array},
		"type = PNG":                       {goose},
		"type = png file":                  {png},
		"type = PNG file duck":             {png},
		"class = texture":                  {duck},
		"type != texture":                  {png, goose, array},
		"type = png*":                      {png, goose},
		"type ~ PNG":                       {png, goose},
		"name = goose and gander.txt":      nil, // "and" is a keyword
		`name = "goose and gander.txt"`:    {goose},
		"name = array<int>":                {array},
		`type = "a=b"`:                     {array},
		`"a=b"`:                            {array},
		"name >= b":                        {goose},
		"modified > 2026":                  nil,
		"modified >= 2026":                 {duck, png},
		"modified = 2026-11-23":            {duck},
		"modified > 2026-11-22":            {duck},
		"modified > 2026-11-22 10:00":      {duck, png},
		`modified <= "2026-11-22 10:30"`:   {png, array},
		"modified < 2026-11-22 11:00 duck": {png},
		"<int>":                            {array},
	} {
		t.Run(text, func(t *testing.T) {
			f, err := query.Parse(text, list())
			require.NoError(t, err)
			var got []int
			for i, r := range items {
				if f.Match(r) {
					got = append(got, i)
				}
			}
			assert.Equal(t, want, got)
		})
	}
}

func TestFieldsAreColumnsOfSomeItems(t *testing.T) {
	l := list()
	l.Fields = true
	for text, want := range map[string]bool{
		"width > 512":                 true,
		"Width=1024 duck":             true,
		"width > 1 KB":                true,
		"width > 2 KB":                false,
		"height > 1":                  false,
		"height != 1":                 false,
		"kind = Normal map":           false, // map is a word of its own
		`kind = "Normal map"`:         true,
		"kind ~ normal width < 10000": true,
		"visible = true":              true,
		"visible = TRUE":              true,
		"duck array<int>":             false,
		"not array<int>":              true,
	} {
		t.Run(text, func(t *testing.T) {
			f, err := query.Parse(text, l)
			require.NoError(t, err)
			fields := map[string]any{"width": uint64(1024), "Width": uint64(1024), "kind": "Normal map", "visible": true}
			assert.Equal(t, want, f.Match(&row{filter: f, cells: items[0].cells, fields: fields}))
		})
	}
}

func TestParseErrorsNameTheToken(t *testing.T) {
	for text, want := range map[string]string{
		"duck height > 3": `unknown column "height"; there are name, type, size, old size, modified, ` +
			`time (s) (to search for text with > in it, use quotes)`,
		"sizee>3":                `unknown column "sizee"; did you mean size? (to search for text with > in it, use quotes)`,
		"duck size > big png":    `size needs a number, as in size > 100 KB; "big" is not one`,
		"size >":                 "add a value for size, as in size > 100 KB",
		"type = ":                "add a value for type, as in type = Texture",
		"modified > yesterday":   `modified needs a date, as in modified > 2026-11-23; "yesterday" is not one`,
		strings.Repeat("(", 101): "brackets are nested more than 100 deep",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := query.Parse(text, list())
			assert.EqualError(t, err, want)
		})
	}
}

func TestFilterIsDividedIntoTerms(t *testing.T) {
	for text, want := range map[string]struct {
		columns            []int
		required           []string
		words, plain, none bool
	}{
		"":                          {none: true},
		"Duck goose":                {required: []string{"duck", "goose"}, words: true, plain: true},
		"Duck":                      {required: []string{"duck"}, words: true, plain: true},
		"duck *.png":                {required: []string{"duck"}, words: true},
		"not duck":                  {words: true},
		"duck or goose":             {words: true},
		"size > 3 name = x size <5": {columns: []int{2, 0}},
		"type = PNG duck":           {columns: []int{1}, required: []string{"duck"}, words: true},
	} {
		t.Run(text, func(t *testing.T) {
			f, err := query.Parse(text, list())
			require.NoError(t, err)
			assert.Equal(t, want.columns, f.Columns())
			assert.Equal(t, want.required, f.RequiredWords())
			assert.Equal(t, want.words, f.HasWords())
			assert.Equal(t, want.plain, f.IsPlain())
			assert.Equal(t, want.none, f.Empty())
		})
	}
}

// FuzzParse parses any text, and matches a row with it.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"*.gpb size > 100 KB png", "a or (b not c) and d", `"x" = "y`, "size>=[", "**a*b?c[d-"} {
		f.Add(text)
	}
	l := list()
	l.Fields = true
	f.Fuzz(func(t *testing.T, text string) {
		if filter, err := query.Parse(text, l); err == nil {
			filter.Match(&row{filter: filter, cells: items[0].cells})
		}
	})
}
