# Assay. `make run` opens the window, `make test` runs the tests; both first install what the machine lacks (.ci/deps).
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := build

# migrated_fynedo: all calls into the window come through fyne.Do, and Fyne need not check it.
TAGS := migrated_fynedo
# -buildvcs=false: a checkout that git will not speak about (another owner, no git) builds too.
BUILD = go build -tags $(TAGS) -buildvcs=false -ldflags '-X main.version=$(VERSION)'
TEST := go test -tags $(TAGS)

# What is given to others: the same bytes wherever one version of Go (and, with a window, of the C compiler and library) builds it.
RELEASE = go build -tags $(TAGS) -buildvcs=false -trimpath -ldflags '-s -w -X main.version=$(VERSION) $(1)'
VERSION = $(eval VERSION := $$(shell packaging/version))$(VERSION)

comma := ,

FILE ?=
BENCH ?= .
COUNT ?= 6
PKG ?= ./...
# A number of inputs: an engine that is given a time may call its own end a failure (golang.org/issue/75804).
FUZZTIME ?= 100000x

# What `make run` opens, as one shell word whatever the name holds.
quoted = '$(subst ','\'',$(value FILE))'
OPEN := $(if $(value FILE),open $(quoted),open --sample)

# Where make install puts the program: below DESTDIR, while a package is made, and PREFIX.
DESTDIR ?=
PREFIX ?= /usr/local

.PHONY: build run install windows package macos test test-all bench fuzz lint pictures clean deps help

build: ## the program, in build/assay
	@.ci/deps build
	$(BUILD) -o build/assay .

run: ## open the window, on FILE or on a sample; without a display: a picture of it in build/screenshot.png
	@if [ "$$(uname -s)" = Darwin ] || [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then \
		.ci/deps build && \
		$(BUILD) -o build/assay . && \
		exec build/assay $(OPEN); \
	else \
		echo "There is no display (DISPLAY and WAYLAND_DISPLAY are empty): the window opens on a virtual one."; \
		.ci/deps display && \
		$(BUILD) -o build/assay . && \
		.ci/display --picture build/screenshot.png build/assay $(OPEN); \
	fi

install: ## the program and all that goes with it, in $(DESTDIR)$(PREFIX)
	@.ci/deps build
	CGO_ENABLED=1 $(call RELEASE) -buildmode=pie -o build/release/assay .
	packaging/stage build/release/assay assay '$(DESTDIR)' '$(PREFIX)'
	install -D -m 644 cli/completions/_assay '$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_assay'

# Sections that begin at whole pages of the file are mapped by Wine, others are read.
windows: ## the programs for Windows and a zip of them, in build/
	@.ci/deps windows
	go run ./packaging/resources '$(VERSION)' packaging/windows/assay.manifest rsrc_windows_amd64.syso
	CGO_ENABLED=1 GOOS=windows GOARCH=amd64 CC=x86_64-w64-mingw32-gcc $(call RELEASE,-H=windowsgui -extldflags=-Wl$(comma)--file-alignment=4096) -o build/windows/assayw.exe .
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(call RELEASE) -o build/windows/assay.exe .
	rm rsrc_windows_amd64.syso
	packaging/zip build/windows 'build/assay-$(VERSION)-windows-amd64.zip'

package: windows ## .deb, .rpm and tarball for Linux, the zip for Windows and their SHA256SUMS, in build/; the same bytes each time
	@.ci/deps package
	CGO_ENABLED=1 GOOS=linux GOARCH=amd64 $(call RELEASE) -buildmode=pie -o build/linux/assay .
	CGO_ENABLED=0 GOOS=linux GOARCH=amd64 $(call RELEASE) -o build/linux/assay-cli .
	packaging/linux '$(VERSION)'
	cd build && LC_ALL=C bash -c 'sha256sum assay*-$(VERSION)-*' >SHA256SUMS

macos: ## the application build/Assay.app, on a Mac
	@[ "$$(uname -s)" = Darwin ] || { echo "The window needs Apple's frameworks: run this on a Mac"; exit 1; }
	@.ci/deps build
	CGO_ENABLED=1 $(call RELEASE) -o build/Assay.app/Contents/MacOS/assay .
	go run ./packaging/bundle '$(VERSION)' build/Assay.app
	{ cat LICENSE; packaging/licences build/Assay.app/Contents/MacOS/assay; } >build/Assay.app/Contents/Resources/Licences.txt
	codesign --force --sign - build/Assay.app

# What a newcomer waits for: one build, short sweeps (testing.Short). lint vets, and test-all has the race detector, for every system and at full width.
test: ## every test, sweeps in few steps
	@.ci/deps test
	.ci/display $(TEST) -vet=off -short -timeout 20m ./...

test-all: ## every test at its full width (all cuts, faults and sizes), with the race detector everywhere
	@.ci/deps test
	.ci/display $(TEST) -vet=off -race -timeout 30m ./...

bench: ## benchmarks BENCH in PKG, COUNT times each, into build/bench.txt
	@.ci/deps test
	@mkdir -p build
	@if [ -f build/bench.txt ]; then mv build/bench.txt build/bench.before.txt; fi
	.ci/display $(TEST) -run '^$$' -bench '$(BENCH)' -benchmem -count $(COUNT) -timeout 2h $(PKG) | tee build/bench.txt
	@echo "Medians: go run golang.org/x/perf/cmd/benchstat@latest $$(ls build/bench.before.txt 2>/dev/null || true) build/bench.txt"

fuzz: ## each fuzz target with FUZZTIME inputs
	@.ci/deps build
	@grep -rE '^func Fuzz[A-Za-z0-9_]*\(' --include='*_test.go' --exclude-dir=build . | sed -E 's|^(.*)/[^/]*:func (Fuzz[A-Za-z0-9_]*).*|\1 \2|' | sort | \
	while read -r folder target; do \
		echo "$$folder $$target"; \
		$(TEST) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$folder" </dev/null; \
	done

lint: ## go vet (with the window, without it, and for Windows and macOS), gofmt, staticcheck, shellcheck where it is
	@.ci/deps build
	go vet -tags $(TAGS) ./...
	CGO_ENABLED=0 $(BUILD) -o build/assay-verbs .
	CGO_ENABLED=0 go vet -tags $(TAGS) . ./assets/... ./cli/... ./model/... ./formats/...
	for system in windows darwin; do \
		GOOS=$$system CGO_ENABLED=0 go vet -tags $(TAGS) . ./assets/... ./cli/... ./model/... ./formats/... ./packaging/... ./ui/desktop ./ui/exporting/dragout; \
	done
	GOOS=windows CGO_ENABLED=0 go vet -tags $(TAGS) ./ui/ask ./ui/preview
	@unformatted=$$("$$(go env GOROOT)/bin/gofmt" -l *.go assets cli formats model packaging ui); \
	if [ -n "$$unformatted" ]; then echo "Not gofmt-ed:"; echo "$$unformatted"; exit 1; fi
	go tool staticcheck -tags $(TAGS) ./...
	@if command -v shellcheck >/dev/null; then shellcheck --severity=warning $$(grep -slE "^#!.*sh$$" .ci/* packaging/*); fi

pictures: ## the pictures of README.md and docs/, made by the program
	@.ci/deps display
	$(BUILD) -o build/assay .
	$(TEST) -run 'TestGame|TestLevels' ./assets -game $(CURDIR)/build/game.ppac -levels /tmp/levels
	@mkdir -p assets/pictures
	home=$$(mktemp -d); trap 'rm -rf "$$home" /tmp/levels' EXIT; \
	for of in window:assets/samples/toy/res/toy.gpb \
		package:--press:ctrl+shift+a:--press:=duck_12:--press:Down:--press:End:build/game.ppac \
		scene:--press:F11:assets/samples/toy/res/toy.scene \
		channel:--press:ctrl+shift+f:--press:=ROTATE:--press:Return:--press:End:--press:F11:--press:=n......:assets/samples/toy/res/toy.gpb \
		description:--press:ctrl+7:--press:ctrl+1:--press:End:--press:Right:--press:Down:--press:Down:/tmp/levels/one.lvl \
		levels:/tmp/levels/one.lvl,/tmp/levels/two.lvl; do \
		name=$${of%%:*} file=$${of##*:} press=$${of#*:} && press=$${press%"$$file"} && \
		case $$file in *,*) file="compare $${file%,*} $${file#*,}" ;; *) file="open $$file" ;; esac && \
		env -u DISPLAY -u WAYLAND_DISPLAY -u XDG_CONFIG_HOME -u XDG_CACHE_HOME -u XDG_STATE_HOME HOME="$$home/$$name" \
			.ci/display --picture "assets/pictures/$$name.png" $$(echo "$$press" | tr : ' ') build/assay $$file; \
	done

clean: ## remove build/
	rm -rf build

deps: ## install what building, running and testing need
	@.ci/deps test

help: ## this list
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 10
