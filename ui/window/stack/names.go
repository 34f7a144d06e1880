package stack

import (
	"context"

	"assay/model"
	"assay/model/export"
)

// names is what assets are called: those in view are looked up in the background.
type names struct {
	known  map[export.Provider]string
	wanted []export.Provider
	asking bool
}

// name is what an asset is called, as far as it is known yet.
func (p *Pane) name(of export.Provider) string {
	if name, ok := p.names.known[of]; ok {
		return name
	}
	p.names.wanted = append(p.names.wanted, of)
	if !p.names.asking {
		p.names.asking = true
		p.group.Go(func(context.Context) func() { return p.lookUp }) // once the frame that asked is painted
	}
	return p.names.known[of]
}

// lookUp looks up the names that were asked for.
func (p *Pane) lookUp() {
	wanted := p.names.wanted
	p.names.wanted, p.names.asking = nil, false
	from := make([]model.Payloads, len(wanted))
	for i, of := range wanted {
		from[i] = p.overlay.Layer(of).Payloads
	}
	p.group.Go(func(ctx context.Context) func() {
		found := make([]string, len(wanted))
		for i, of := range wanted {
			if ctx.Err() != nil {
				return nil
			}
			found[i] = model.OneLine(from[i].At(of.Index).Name, 300)
		}
		return func() {
			for i, of := range wanted {
				p.names.known[of] = found[i]
			}
			p.keys.Refresh()
		}
	})
}
