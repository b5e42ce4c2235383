# afw: one Makefile, not recursive. `make help` lists the targets.
PREFIX      ?= /usr/local
BINDIR      ?= $(PREFIX)/bin
LIBEXECDIR  ?= $(PREFIX)/libexec/afw
DATADIR     ?= $(LIBEXECDIR)/share
MANDIR      ?= $(PREFIX)/share/man
SANITIZE    ?=
BUILD        = build$(if $(SANITIZE),-san)

CC          ?= cc
PKG_CONFIG  ?= pkg-config
CFLAGS      ?= -O2 -g
WARNINGS    := -Wall -Wextra -Wno-unused-parameter -Wpedantic -Wshadow \
	-Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla -Wwrite-strings -Wundef \
	-Wimplicit-fallthrough -Werror=implicit-function-declaration
VERSION     := $(shell sed -n 's/.*AFW_VERSION "\(.*\)".*/\1/p' src/base/version.h)
ORIGIN      ?= source

# pkg-config is asked when the first recipe needs it, not while make reads
# this: `make demo` and `make check` may have to install it first.
LIBS         = ncursesw libgit2 libcjson inih libseccomp sqlite3 libcurl
pkg          = $(shell $(PKG_CONFIG) $(1) $(2))$(if $(filter-out \
	0,$(.SHELLSTATUS)),$(error not all of these libraries are there: $(2); \
	`share/setup build` installs them))
PKG_CFLAGS   = $(eval PKG_CFLAGS := $$(filter -I%,$$(call \
	pkg,--cflags,$$(LIBS))))$(PKG_CFLAGS)
ALL_CFLAGS   = -std=c17 -D_GNU_SOURCE $(WARNINGS) -Isrc -I. $(PKG_CFLAGS) \
	-MMD -MP -DAFW_ORIGIN='"$(ORIGIN)"' -DAFW_BINDIR='"$(BINDIR)"' \
	-DAFW_LIBEXECDIR='"$(LIBEXECDIR)"' -DAFW_DATADIR='"$(DATADIR)"' \
	$(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer \
	-fno-sanitize-recover=all) $(CFLAGS)
# `make V=1` shows the command lines.
say          = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
ALL_LDFLAGS  = $(if $(SANITIZE),-fsanitize=$(SANITIZE)) $(LDFLAGS)

# The folders are the architecture: a program links those its arrows reach.
objs         = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)))
# A folder and the folders in it: $(BASE), $(WIRE) and so on.
FOLDERS     := $(addprefix src/,base wire config session hosts screen activity terminal \
	sandbox supervisor tools commands) adapters worktrees tui
upper        = $(shell echo $(notdir $(1)) | tr a-z A-Z)
$(foreach f,$(FOLDERS),$(eval $(call upper,$(f)) := $(call objs,$(f)/*.c $(f)/*/*.c)))
PARTS       := $(foreach f,$(FOLDERS),$(call objs,$(f)/*.c $(f)/*/*.c))
CONFINE     := $(call objs,src/sandbox/confine/*.c)
GUARD       := $(call objs,src/terminal/guard.c src/terminal/pane.c)

PROGRAMS    := $(BUILD)/afw $(patsubst %,$(BUILD)/afw-%,dashboard worktree supervisor guard tools)

all: $(PROGRAMS) ; @:

$(BUILD)/afw: $(BUILD)/src/main.o $(COMMANDS) $(ADAPTERS) \
	$(filter-out $(CONFINE),$(SANDBOX)) $(SCREEN) $(filter-out $(GUARD),$(TERMINAL)) $(HOSTS) $(SESSION) $(CONFIG) $(WIRE) $(BASE)
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,--as-needed $(call pkg,--libs,libcjson inih) -lutil

$(BUILD)/afw-dashboard: $(BUILD)/src/dashboard_main.o $(TUI) $(ADAPTERS) \
	$(SCREEN) $(HOSTS) $(SESSION) $(CONFIG) $(WIRE) $(BASE)
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,--as-needed $(call pkg,--libs,ncursesw libcjson inih)

$(BUILD)/afw-worktree: $(BUILD)/src/worktree_main.o $(WORKTREES) $(WIRE) $(BASE)
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $^ $(call pkg,--libs,libgit2 libcjson) -lpthread

# -z now: who binds late saves the vector registers, a secret in them perhaps.
$(BUILD)/afw-supervisor: $(BUILD)/src/supervisor_main.o $(SUPERVISOR) \
	$(filter-out $(GUARD),$(TERMINAL)) $(SANDBOX) $(ACTIVITY) $(SCREEN) $(ADAPTERS) $(SESSION) \
	$(WIRE) $(BASE)
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,-z,now,--as-needed $(call pkg,--libs,libcjson libseccomp) -lutil

# Static, where the C library allows it: one runs for each session.
$(BUILD)/afw-guard: $(BUILD)/src/guard_main.o $(GUARD) $(BUILD)/src/wire/sock.o $(patsubst \
	%,$(BUILD)/src/base/%.o,buf clock err file made_dir mem process random spawn tree utf8)
	$(call say,LINK) $(if $(SANITIZE),,$(CC) $(ALL_LDFLAGS) -static -o $@ $^ 2>/dev/null ||) $(CC) $(ALL_LDFLAGS) -o $@ $^

$(BUILD)/afw-tools: $(BUILD)/src/tools_main.o $(TOOLS) $(SESSION) $(WIRE) $(BASE)
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,--as-needed $(call pkg,--libs,libcjson sqlite3 libcurl)

# In a checkout `afw --version` names the commit, too.
$(BUILD)/commit.h: FORCE ; @share/release commit $@
$(BUILD)/src/main.o: ALL_CFLAGS += -include $(BUILD)/commit.h
$(BUILD)/src/main.o: $(BUILD)/commit.h

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC) $(CC) $(ALL_CFLAGS) -c -o $@ $<

# tests/unit/test_*.c, tests/tools/*.c (programs that test scripts use) and
# tests/fuzz/fuzz_*.c are a program each. They link what they need from one
# archive of everything but the mains, and of the support*.c beside them.
TEST_LIB    := $(BUILD)/libafw-test.a
TEST_SUPPORT := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/*/support*.c))
progs        = $(patsubst %.c,$(BUILD)/%,$(wildcard $(1)))
UNITS       := $(call progs,tests/unit/test_*.c)
TEST_TOOLS       := $(filter-out $(TEST_SUPPORT:.o=),$(call progs,tests/tools/*.c))
FUZZERS     := $(call progs,tests/fuzz/fuzz_*.c)
TEST_LIBS    = $(call pkg,--libs,$(LIBS)) -lutil -lpthread
# What `make check` runs; T='tests/cli/new-*.t tests/unit/test_policy': only these.
SCRIPTS     := $(sort $(wildcard tests/*/*.t))
TESTS       ?= $(UNITS) $(filter-out $(addprefix tests/,agents/% podman/% cli/00-%),$(SCRIPTS))
JOBS        ?= $(shell nproc 2>/dev/null || echo 2)
RUN_TESTS    = BUILD='$(abspath $(BUILD))' SANITIZE=$(SANITIZE) tests/run
# A make of our own under this one: our job server's, or JOBS at once.
SUBMAKE      = $(MAKE) --no-print-directory \
	$(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

$(TEST_LIB): $(PARTS) $(TEST_SUPPORT)
	@rm -f $@
	$(call say,AR) $(AR) rcs $@ $^

$(UNITS): %: %.o $(TEST_LIB)
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,--as-needed -lcmocka $(TEST_LIBS)

$(TEST_TOOLS): %: %.o $(TEST_LIB)
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $^ -Wl,--as-needed $(TEST_LIBS)

FUZZ_ENGINE ?= $(BUILD)/tests/fuzz/driver.o
$(FUZZERS): %: %.o $(TEST_LIB) $(filter %.o,$(FUZZ_ENGINE))
	$(call say,LINK) $(CC) $(ALL_LDFLAGS) -o $@ $< $(FUZZ_ENGINE) $(TEST_LIB) -Wl,--as-needed $(TEST_LIBS)

check-all: export AF_TEST_EVERY ?= 1
check-all: TESTS = $(UNITS) $(SCRIPTS)
check check-all:
	@share/setup check
	@+$(SUBMAKE) run-tests TESTS='$(TESTS)'

check-fresh: ; @tests/fresh/run && tests/fresh/packages
check-%: ; @+$(SUBMAKE) run-tests TESTS='$(if $(filter unit,$*),$(UNITS),$(filter tests/$*/%,$(SCRIPTS)))'

all-tests: $(PROGRAMS) $(UNITS) $(TEST_TOOLS) $(FUZZERS) ; @:
run-tests: all-tests ; @$(RUN_TESTS) $(or $(T),--whole $(TESTS))

bench busy faults screenshots:
	@share/setup check
	@+$(SUBMAKE) all $(TEST_TOOLS)
	@BUILD='$(abspath $(BUILD))' tests/$(@:faults=fault)/run

FUZZ_CLANG   = BUILD=build-fuzz CC=clang FUZZ_ENGINE=-fsanitize=fuzzer SANITIZE=fuzzer-no-link,address,undefined
fuzz: ; @$(SUBMAKE) fuzz-run CFLAGS='-O1 -g' $(if $(shell command -v clang),$(FUZZ_CLANG),SANITIZE=address,undefined)
fuzz-run: $(FUZZERS) ; @tests/fuzz/run $(or $(FUZZ_SECONDS),20) $(FUZZERS)

lint: ; @share/lint
format: ; clang-format -i $(shell git ls-files '*.c' '*.h')

D            = $(DESTDIR)
SHARED       = $(wildcard share/adapters/* share/templates/*/*) \
	$(wildcard share/hosts/* share/image/*) share/demo-agent share/prices.ini
COMPLETIONS  = share/bash-completion/completions/afw \
	share/zsh/site-functions/_afw share/fish/vendor_completions.d/afw.fish

install: all
	install -d '$(D)$(BINDIR)' '$(D)$(LIBEXECDIR)' '$(D)$(DATADIR)'
	install -m 755 $(BUILD)/afw '$(D)$(BINDIR)/afw'
	install -m 755 $(filter-out %/afw,$(PROGRAMS)) '$(D)$(LIBEXECDIR)'
	@set -e; for f in $(SHARED); do m=644; [ ! -x "$$f" ] || m=755; \
		install -D -m $$m "$$f" "$(D)$(DATADIR)/$${f#share/}"; done
	@set -e; for f in $(wildcard man/*.[1-9]); do \
		sed 's/^\.Os$$/.Os afw $(VERSION)/' "$$f" >$(BUILD)/page; \
		install -D -m 644 $(BUILD)/page "$(D)$(MANDIR)/man$${f##*.}/$${f##*/}"; done
	@set -e; set -- $(COMPLETIONS); for s in bash zsh fish; do \
		rm -f $(BUILD)/completion.$$s; \
		$(BUILD)/afw completion $$s >$(BUILD)/completion.$$s; \
		install -D -m 644 $(BUILD)/completion.$$s "$(D)$(PREFIX)/$$1"; shift; done

# File by file: with PREFIX=~/.local, share/afw is the data directory.
uninstall:
	rm -f '$(D)$(BINDIR)/afw' $(patsubst share/%,'$(D)$(DATADIR)/%',$(SHARED))
	rm -f $(patsubst $(BUILD)/%,'$(D)$(LIBEXECDIR)/%',$(filter-out %/afw,$(PROGRAMS)))
	-@rmdir $(patsubst share/%,'$(D)$(DATADIR)/%',$(wildcard share/templates/*) share/templates) '$(D)$(DATADIR)/adapters' '$(D)$(DATADIR)/image' '$(D)$(DATADIR)/hosts' '$(D)$(DATADIR)' '$(D)$(LIBEXECDIR)' 2>/dev/null || :
	cd man 2>/dev/null && for f in *.[1-9]; do rm -f "$(D)$(MANDIR)/man$${f##*.}/$$f"; done
	rm -f $(patsubst %,'$(D)$(PREFIX)/%',$(COMPLETIONS))

demo:
	@share/setup build
	@+$(SUBMAKE) all
	@BUILD='$(abspath $(BUILD))' share/demo

dist deb portable: ; @share/release $@

clean: ; rm -rf build build-*
help: ; @sed -n 's/^#: //p' Makefile

#: make             the six programs, in build/
#: make demo        sees to the libraries, builds, shows three agents at work
#: make check       installs the libraries, builds, runs the tests (T='tests/cli/new-*.t')
#: make check-agents  with the real agents; check-podman, -unit, -cli, -tui, -fault
#: make check-all   all tests, an error or a kill at every call
#: make check-fresh runs demo and check on a minimal Debian (see tests/fresh/run)
#: make bench, fuzz measures against git and tmux; FUZZ_SECONDS=20 a target
#: make screenshots draws share/*.svg; make busy tests the status under load;
#: make faults      makes a table of errors and kills at every call
#: make lint        compiler's and checkers' opinions; make format: clang-format
#: make dist        afw-VERSION.tar.gz in build/; make deb, portable: packages
#: make install     PREFIX=/usr/local DESTDIR=; make uninstall takes it away
#: AFW_AGENTS=newest   with check-agents and share/setup: the agents' newest
#: SANITIZE=address,undefined  with all of these: in build-san/
.PHONY: all all-tests check check-all check-fresh check-unit run-tests bench busy faults \
	screenshots fuzz fuzz-run lint format install uninstall demo dist deb portable clean \
	help FORCE
.SECONDARY .SUFFIXES .DELETE_ON_ERROR:
-include $(wildcard $(patsubst %.o,%.d,$(PARTS) $(call objs,src/*.c) $(TEST_SUPPORT)) \
	$(addsuffix .d,$(UNITS) $(TEST_TOOLS) $(FUZZERS)))
