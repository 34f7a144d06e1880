package dprsim

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/formats/decode"

	"assay/formats/dprsim/dprsimtest"
)

func TestStatesAndExperimentsAreRecognized(t *testing.T) {
	world := string(writeState(t, dprsimtest.Layout{}, []dprsimtest.Listing{dprsimtest.SimpleCubic},
		func(s *dprsimtest.StateWriter) { s.Catom(1, simBytes(1)) }))
	for name, test := range map[string]struct {
		text string
		want decode.Confidence
	}{
		"world":                   {world, decode.Yes},
		"cut off":                 {world[:7], decode.Yes},
		"version alone":           {world[:5], decode.Yes},
		"magic alone":             {world[:4], decode.Maybe},
		"another version":         {strings.Replace(world, "CLAY\x01", "CLAY\x09", 1), decode.Yes},
		"another version, a body": {"CLAY\x02\x03\x00\xFF\xFF\xFF" + world[52:], decode.Yes},
		"magic turned round":      {"YALC" + world[4:], decode.No},
		"text about clay":         {"CLAY\tis a soil", decode.Maybe},
		"sample":                  {"WORLD=a\nTIMESTEPS=1\nSAVE=0\nLATTICE=cube\n", decode.Yes},
		"few keys, all known":     {"WORLD=a\nTIMESTEPS=1\n", decode.Yes},
		"known keys among others": {"a=1\nb=2\nWORLD=a\nSAVE=0\n", decode.Maybe},
		"sample with a mark":      {"\xEF\xBB\xBFWORLD=a\rTIMESTEPS=1\r# Mac\r", decode.Yes},
		"comments":                {"# nothing yet\n", decode.Maybe},
		"ini":                     {"[user]\nname=x\nmail=y\n", decode.Maybe},
		"environment":             {"HOME=/root\nSAVE=1\nGRAVITY=3\n", decode.Maybe},
		"shell":                   {"#!/bin/sh\nexport X=1\n", decode.Maybe},
		"prose":                   {"There is no such thing.\n", decode.Maybe},
		"blank lines":             {" \r\n\r\n", decode.Maybe},
		"a mark alone":            {"\xEF\xBB\xBF", decode.Maybe},
		"PNG":                     {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", decode.No},
		"ELF":                     {"\x7fELF\x02\x01\x01\x00", decode.No},
		"zip":                     {"PK\x03\x04\x14\x00", decode.No},
		"UTF-16":                  {"\xff\xfeW\x00=\x001\x00", decode.No},
		"XML":                     {"<?xml version=\"1.0\"?>\n<a b=\"c\"/>\n", decode.Maybe},
		"JSON":                    {"{\"a\": 1}\n", decode.Maybe},
		"empty":                   {"", decode.Maybe},
		"one byte":                {"x", decode.Maybe},
		"one NUL":                 {"\x00", decode.No},
	} {
		t.Run(name, func(t *testing.T) {
			head, size := []byte(test.text), int64(len(test.text))
			assert.Equal(t, test.want, max(SniffState(head, size), SniffExperiment(head, size)))
		})
	}
	assert.Equal(t, decode.No, SniffState(nil, 0), "an empty state is of no format")
}
