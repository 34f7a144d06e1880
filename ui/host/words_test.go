package host_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/ui/host"
)

func TestNumbersHaveSeparators(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -100: "-100", -1234567: "-1,234,567",
		math.MinInt64: "-9,223,372,036,854,775,808"} {
		assert.Equal(t, want, host.Number(n))
	}
}

func TestCountUsesTheSingular(t *testing.T) {
	assert.Equal(t, "0 bytes", host.Count(0, "byte"))
	assert.Equal(t, "1 byte", host.Count(1, "byte"))
	assert.Equal(t, "12,345 bytes", host.Count(12345, "byte"))
}

func TestErrorsAreSentences(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"the disk is full":              "The disk is full.",
		"duck.gpb: is a folder":         "duck.gpb: is a folder.",
		"two\nlines":                    `Two\nlines.`,
		"Really?":                       "Really?",
		"übergröße":                     "Übergröße.",
		"gpb: it ends early (at 0x1b).": "Gpb: it ends early (at 0x1b).",
	} {
		assert.Equal(t, want, host.Sentence(errors.New(text)))
		assert.Equal(t, want, host.SentenceOf(" "+text+"\n"))
	}
}

func TestSentenceKeepsFileNames(t *testing.T) {
	_, err := model.OpenFile("my ship.gpb")
	assert.True(t, strings.HasPrefix(host.Sentence(err), "my ship.gpb cannot be opened: "), err)
}

func TestCanceledIsASentence(t *testing.T) {
	assert.Equal(t, "Canceled.", host.Sentence(fmt.Errorf("duck.gpb: %w", context.Canceled)))
}

func TestBytesThatAreNoTextAreDots(t *testing.T) {
	assert.Equal(t, "a ~..", host.ASCII([]byte("a ~\x7f\n")))
}

func TestValuesOfNodesHaveSeparatorsAndUnits(t *testing.T) {
	node := func(v any, role model.Role) *model.Node { return &model.Node{Value: v, Role: role} }
	for want, n := range map[string]*model.Node{"76,768 bytes": node(uint64(76_768), model.RoleSize),
		"1 byte": node(int64(1), model.RoleSize), "2,399": node(uint64(2399), model.RoleCount),
		"-1,000": node(int64(-1000), model.RoleNone), "3735928559": node(uint64(0xDEADBEEF), model.RoleSum),
		"18,446,744,073,709,551,615": node(uint64(math.MaxUint64), model.RoleNone), "1000.5": node(1000.5, model.RoleNone),
		"text": node("text", model.RoleSize)} {
		assert.Equal(t, want, host.Value(n))
	}
	assert.Equal(t, "1,024", host.FormatValue(int64(1024)))
}
