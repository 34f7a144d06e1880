package casset

import "assay/model"

type payloads struct {
	f   *file
	doc *model.Document
}

// Len is the number of payloads.
func (p *payloads) Len() int { return 0 }

// At gives the i-th payload.
func (p *payloads) At(i int) *model.Payload { return nil }
