package project_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/formats/gpb/project"
)

func TestCachedValueIsMadeOnce(t *testing.T) {
	calls := 0
	value := project.Cached(func(context.Context) (*int, error) {
		calls++
		return &calls, errors.New("made with an error")
	})
	first, err := value(t.Context())
	assert.EqualError(t, err, "made with an error")
	again, err := value(t.Context())
	assert.Error(t, err)
	assert.Same(t, first, again)
	assert.Equal(t, 1, calls)
}

func TestCachedValueDoesNotBlockACanceledCaller(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	begun, goOn, done := make(chan bool), make(chan bool), make(chan int)
	value := project.Cached(func(ctx context.Context) (int, error) {
		if ctx == ended {
			cancel()
			return 1, nil
		}
		begun <- true
		<-goOn
		return 2, nil
	})
	v, err := value(ended)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Zero(t, v, "what was made as its context ended is not kept")
	go func() {
		v, _ := value(context.Background())
		done <- v
	}()
	<-begun
	_, err = value(ended)
	assert.ErrorIs(t, err, context.Canceled, "while another call makes the value")
	close(goOn)
	assert.Equal(t, 2, <-done)
}
