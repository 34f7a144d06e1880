package dprsim

import (
	"context"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/decode"
	"assay/formats/dprsim/dprsimtest"
	"assay/model"
)

// decodeState returns the values that a module with these types and names decodes from data, and the document.
func decodeState(t testing.TB, types, names string, data []byte, o options) (string, *model.Document) {
	t.Helper()
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: "Mod", Version: 1, Types: types, Names: names}},
		func(s *dprsimtest.StateWriter) { s.Catom(1, data) })
	d, err := openState(context.Background(), source("a.state", b), o)
	require.NoError(t, err)
	return outline(catomList(d).Child(0).Child(2).Child(0)), d
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	require.NoError(t, err)
	return b
}

// TestCodesDecodeAsInPerl compares with perl 5.36 (unpack on a little-endian machine).
func TestCodesDecodeAsInPerl(t *testing.T) {
	for _, test := range []struct{ types, data, want string }{
		{"cCW", "ffffff", "value_0 c -1, value_1 C 255, value_2 W 255"},
		{"nvsS", "fffefffefffefffe", "value_0 n 65534, value_1 v 65279, value_2 s -257, value_3 S 65279"},
		{"n!v!s!S!", "fffefffefffefffe", "value_0 n! -2, value_1 v! -257, value_2 s! -257, value_3 S! 65279"},
		{"NVlL", "80000001800000018000000180000001",
			"value_0 N 2147483649, value_1 V 16777344, value_2 l 16777344, value_3 L 16777344"},
		{"N!V!", "8000000100000080", "value_0 N! -2147483647, value_1 V! -2147483648"},
		{"l!L!", "02000000000000000300000000000000", "value_0 l! 2, value_1 L! 3"},
		{"iIi!I!", "ffffffffffffffffffffffffffffffff",
			"value_0 i -1, value_1 I 4294967295, value_2 i! -1, value_3 I! 4294967295"},
		{"qQjJ", "feffffffffffffffffffffffffffffff01000000000000000200000000000000",
			"value_0 q -2, value_1 Q 18446744073709551615, value_2 j 1, value_3 J 2"},
		{"fdF", "0000003f000000000000f03f000000000000f0bf", "value_0 f 0.5, value_1 d 1, value_2 F -1"},
		{"s<s>l<l>q<q>f<f>d<d>", "01000001" + "0100000000000001" + "01000000000000000000000000000001" +
			"0000803f3f800000" +
			"000000000000f03f3ff0000000000000",
			"value_0 s< 1, value_1 s> 1, value_2 l< 1, value_3 l> 1, value_4 q< 1, value_5 q> 1, value_6 f< 1, value_7 f> 1, " +
				"value_8 d< 1, value_9 d> 1"},
		{"s>!s!>", "fffefffe", "value_0 s>! -2, value_1 s!> -2"},
		{"C3", "010203", "value_0 C 1, value_1 C 2, value_2 C 3"},
		{"C[2]n", "01020003", "value_0 C 1, value_1 C 2, value_2 n 3"},
		{"C,n,", "010203", "value_0 C 1, value_1 n 515"},
		{"C*", "0102", "value_0 C 1, value_1 C 2"},
		{"s*", "0100020003", "value_0 s 1, value_1 s 2, surplus bytes 1 byte"},
		{"C0n", "0102", "value_0 n 258"},
		{"a5A5Z5C", "6100620020" + "610a62200a" + "6100630005" + "07",
			`value_0 a5 a\x00b\x00 , value_1 A5 a\nb, value_2 Z5 a, value_3 C 7`},
		{"a", "61", "value_0 a a"},
		{"a0C", "01", "value_0 a0, value_1 C 1"},
		{"Z*C", "61620005", "value_0 Z* ab, value_1 C 5"},
		{"Z*", "6162", "value_0 Z* ab"},
		{"A*", "6162202000", "value_0 A* ab"},
		{"a*a*", "616263", "value_0 a* abc, value_1 a*"},
		{"a2", "ff41", "value_0 a2 \\xffA"},
		{"xCx2n", "09010909" + "0002", "skipped bytes 1 byte, value_0 C 1, skipped bytes 2 bytes, value_1 n 2"},
		{"C2x*C", "010203", "value_0 C 1, value_1 C 2, value_2 C 3"}, // as perl packs it
		{"cx!4N", "0100000000000002", "value_0 c 1, skipped bytes 3 bytes, value_1 N 2"},
		{"nx!2Cx![4]C", "000102" + "00" + "03", "value_0 n 1, value_1 C 2, skipped bytes 1 byte, value_2 C 3"},
		{"Cx!C", "0102", "value_0 C 1, value_1 C 2"},
		{"CU2C", "01c39f6205", "value_0 C 1, value_1 U 223, value_2 U 98, value_3 C 5"},
		{"CU*", "01c39fff", "value_0 C 1, value_1 U 223, value_2 U 255"},
		{" C\tn\n # comment\nC ", "01000203", "value_0 C 1, value_1 n 2, value_2 C 3"},
		{"C # comment", "01", "value_0 C 1"},
		{"", "", ""},
		{"", "01", "surplus bytes 1 byte"},
		{"Ca3", "0161", "value_0 C 1, value_1 a3 a"},
		{"Ca3C", "01", "value_0 C 1"},
		{"CnC", "0102", "value_0 C 1, surplus bytes 1 byte"},
		{"Cx5C", "0102", "value_0 C 1, skipped bytes 1 byte"},
		{"cccCCCCCC", "0102030405060708",
			"value_0 c 1, value_1 c 2, value_2 c 3, value_3 C 4, value_4 C 5, value_5 C 6, value_6 C 7, value_7 C 8"},
	} {
		t.Run(test.types, func(t *testing.T) {
			got, d := decodeState(t, test.types, "", unhex(t, test.data), options{})
			want := "length u32 " + model.FormatValue(int64(len(test.data)/2))
			if test.want != "" {
				want += ", " + test.want
			}
			assert.Equal(t, want, got)
			r := checkSound(t, d)
			assert.Equal(t, d.Source.Size(), r.Accounted)
		})
	}
}

func TestTemplatesAreDecodedUpToTheFirstUnknownCode(t *testing.T) {
	for types, problem := range map[string]string{
		"Cw":     `unknown pack code 'w' at its character 2`,
		"C(nn)":  `unknown pack code '('`,
		"C@4":    `unknown pack code '@'`,
		"Cc<":    `'<' does not go with "c"`,
		"Cd><":   `'<' does not go with "d>"`,
		"CZ*x!4": `"x!" after values of differing sizes is not supported`,
		"Cf!":    `'!' does not go with "f"`,
		"Ca[3":   `a count without its "]"`,
		"Ca[x]":  `"[x]" is not a count`,
		"Ca 3":   `unknown pack code '3'`,
	} {
		t.Run(types, func(t *testing.T) {
			got, d := decodeState(t, types, "", []byte{7, 8, 9}, options{})
			switch types {
			case "CZ*x!4":
				assert.Equal(t, `length u32 3, value_0 C 7, value_1 Z* \x08\t`, got)
			case "Ca 3":
				assert.Equal(t, "length u32 3, value_0 C 7, value_1 a \\x08, surplus bytes 1 byte", got)
			default:
				assert.Contains(t, got, "length u32 3, value_0 C 7, surplus bytes 2 bytes")
			}
			r := checkSound(t, d)
			assert.Contains(t, messages(r), "warning /chunks/0/content/modules/0/types module Mod: "+problem)
		})
	}
}

func TestValuesHaveTheNamesOfTheListing(t *testing.T) {
	for name, test := range map[string]struct{ types, names, want string }{
		"skipped names": {"cccSCCCLL", "x:y:z::r:g:b",
			"x c 1, y c 2, z c 3, value_3 S 1284, r C 6, g C 7, b C 8, value_7 L 202050057, value_8 L 218893066"},
		"values, no codes": {"C3xa2C", "a:b:c:d:e",
			`a C 1, b C 2, c C 3, skipped bytes 1 byte, d a2 \x05\x06, e C 7`},
		"more than values":  {"C", "a:b", "a C 1"},
		"none":              {"CC", "", "value_0 C 1, value_1 C 2"},
		"only the last one": {"CC", ":b", "value_0 C 1, b C 2"},
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 10, 11, 12, 13}
			template, err := parseTemplate(test.types)
			require.NoError(t, err)
			got, _ := decodeState(t, test.types, test.names, data[:template.least], options{})
			assert.Contains(t, got, ", "+test.want)
		})
	}
	b := writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{{Name: simulator, Version: 1, Types: "cccCCCCC"}},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)) })
	assert.Contains(t, outline(catomList(open(t, "a.world", b))),
		"x c 1, y c -2, z c 3, r C 10, g C 20, b C 30, a C 0, bat C 7")
}

func TestNativeCodesHaveASwitch(t *testing.T) {
	data := dprsimtest.Values(int16(-2), int32(70000), float32(0.25), 1.5, uint32(9))
	big := "length u32 22, value_0 s -2, value_1 l 70000, value_2 f 0.25, value_3 d 1.5, value_4 N 9"
	little, d := decodeState(t, "slfdN", "", data, options{})
	assert.NotEqual(t, big, little)
	assert.Contains(t, little, "value_4 N 9")
	assert.Contains(t, messages(checkSound(t, d)), "looks big-endian")

	require.Len(t, d.Switches, 1)
	assert.Equal(t, 0, d.Switches[0].Current)
	again, err := d.Switches[0].Reopen(context.Background(), 1)
	require.NoError(t, err)
	assert.Equal(t, big, outline(catomList(again).Child(0).Child(2).Child(0)))
	assert.Equal(t, 1, again.Switches[0].Current)
	requireWhole(t, again)
	assert.NotContains(t, messages(checkSound(t, again)), "looks big-endian")

	_, d = decodeState(t, "Ccnvs<", "", make([]byte, 8), options{})
	assert.Empty(t, d.Switches, "nothing depends on the writer's byte order")
}

// TestQuickCheckOfSizesAgreesWithRuns tests the quick check, by which bodies of equal catoms are read without a look at
// each.
func TestQuickCheckOfSizesAgreesWithRuns(t *testing.T) {
	for _, codes := range []string{"", "C", "nC", "a3", "Ca*", "Cs*", "xx*", "Cx*", "a*a*", "CZ*", "U", "CU*", "A*",
		"C0",
		"a0", "C*", "q*n"} {
		template, err := parseTemplate(codes)
		require.NoError(t, err)
		for n := range int64(20) {
			if !template.fills(n) {
				continue
			}
			c := decode.New(context.Background(), source("x", make([]byte, n)), "State", framingOrder, types)
			q := c.Quiet(model.Span{Size: n})
			_, short := template.runs(q, func(r run) { q.Bytes("value", types.Bytes, r.size) })
			assert.Nil(t, short, "%s in %d bytes", codes, n)
			assert.Equal(t, n, q.Pos(), "%s in %d bytes", codes, n)
		}
	}
}
