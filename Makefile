# afw: one Makefile, not recursive. `make help` lists the targets.
PREFIX      ?= /usr/local
BINDIR      ?= $(PREFIX)/bin
LIBEXECDIR  ?= $(PREFIX)/libexec/afw
DATADIR     ?= $(PREFIX)/share/afw
MANDIR      ?= $(PREFIX)/share/man
BUILD       ?= build$(if $(SANITIZE),-san)
SANITIZE    ?=

CC          ?= cc
PKG_CONFIG  ?= pkg-config
CFLAGS      ?= -O2 -g
WARNINGS    := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wformat=2 -Wvla -Wwrite-strings -Wundef \
	-Wimplicit-fallthrough
VERSION     := 0.1.0

ALL_CFLAGS   = -std=c17 -D_GNU_SOURCE $(WARNINGS) -Isrc -I. -MMD -MP \
	-DAFW_VERSION='"$(VERSION)"' -DAFW_LIBEXECDIR='"$(LIBEXECDIR)"' \
	-DAFW_DATADIR='"$(DATADIR)"' $(CFLAGS)
ifneq ($(SANITIZE),)
ALL_CFLAGS  += -fsanitize=$(SANITIZE) -fno-omit-frame-pointer \
	-fno-sanitize-recover=all
LDFLAGS     += -fsanitize=$(SANITIZE)
endif
pkg          = $(shell $(PKG_CONFIG) $(1) $(2))

# The folders are the architecture; each is a static library, and each
# program links only what its arrows in DESIGN reach.
objs         = $(patsubst %.c,$(BUILD)/%.o,$(wildcard $(1)/*.c))
BASE        := $(call objs,src/base)
WIRE        := $(call objs,src/wire)
CONFIG      := $(call objs,src/config)
SESSION     := $(call objs,src/session)
SCREEN      := $(call objs,src/screen)
TERMINAL    := $(call objs,src/terminal)
SANDBOX     := $(call objs,src/sandbox)
SUPERVISOR  := $(call objs,src/supervisor)
COMMANDS    := $(call objs,src/commands)
ADAPTERS    := $(call objs,adapters)
WORKTREES   := $(call objs,worktrees)
TUI         := $(call objs,tui)

PROGRAMS    := $(BUILD)/afw $(BUILD)/afw-worktree $(BUILD)/afw-supervisor

all: $(PROGRAMS)

$(BUILD)/afw: $(BUILD)/src/main.o $(COMMANDS) $(TUI) $(ADAPTERS) $(SANDBOX) \
	$(SESSION) $(CONFIG) $(WIRE) $(BASE)
	$(CC) $(LDFLAGS) -o $@ $^ -Wl,--as-needed $(call pkg,--libs,ncursesw libcjson inih)

$(BUILD)/afw-worktree: $(BUILD)/src/worktree_main.o $(WORKTREES) $(WIRE) $(BASE)
	$(CC) $(LDFLAGS) -o $@ $^ $(call pkg,--libs,libgit2 libcjson) -lpthread

$(BUILD)/afw-supervisor: $(BUILD)/src/supervisor_main.o $(SUPERVISOR) \
	$(TERMINAL) $(SANDBOX) $(SCREEN) $(ADAPTERS) $(SESSION) $(WIRE) $(BASE)
	$(CC) $(LDFLAGS) -o $@ $^ $(call pkg,--libs,vterm libcjson) -lutil

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<

clean:
	rm -rf build build-*

.PHONY: all clean
-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
