package project

import "context"

// Value returns a function that makes a value, and then returns the same one each time. A caller whose context ends
// gets its error at once, also while another's call makes the value; one that is being made when its context ends is
// made again by the next call.
func Value[T any](build func(context.Context) (T, error)) func(context.Context) (T, error) {
	lock := make(chan struct{}, 1) // one call at a time can send to it
	var value T
	var err error
	made := false
	return func(ctx context.Context) (none T, _ error) {
		select {
		case lock <- struct{}{}:
		case <-ctx.Done():
			return none, ctx.Err()
		}
		defer func() { <-lock }()
		if !made {
			value, err = build(ctx)
			if ctx.Err() != nil {
				return none, ctx.Err()
			}
			made = true
		}
		return value, err
	}
}
