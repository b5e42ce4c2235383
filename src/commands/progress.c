/* progress.c - what afw-worktree says while it works, for a person. */
#include "commands/progress.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

struct progress {
	char *name;
	bool terminal; /* stderr is one */
	bool shown;    /* a line without its end stands there */
};

struct progress *progress_create(const char *name)
{
	struct progress *p = mem_alloc(sizeof *p);

	p->name = mem_strdup(name);
	p->terminal = isatty(STDERR_FILENO);
	return p;
}

static void clear(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}

void progress_destroy(struct progress *p)
{
	if (!p)
		return;
	clear(p);
	free(p->name);
	free(p);
}

static void print_output(const char *text)
{
	for (const char *at = text; *at;) {
		size_t len = strcspn(at, "\n");
		char safe[4096];

		utf8_printable(safe, sizeof safe, at, len);
		fprintf(stderr, "%s%s", safe, at[len] ? "\n" : "");
		at += len + (at[len] == '\n');
	}
}

void progress_line(void *ctx, const cJSON *line)
{
	struct progress *p = ctx;
	const char *what = json_str(line, "progress");
	const char *output = json_str(line, "output");
	int64_t done = json_int(line, "done", 0);
	int64_t total = json_int(line, "total", 0); /* 0: not known */
	char safe[80];

	if (output) {
		clear(p);
		print_output(output);
	}
	if (!what || !p->terminal)
		return;
	utf8_printable(safe, sizeof safe, what, strlen(what));
	fprintf(stderr, "\r%s: %s", p->name, safe);
	if (done > 0 || total > 0)
		fprintf(stderr, " %lld", (long long)done);
	if (total > 0)
		fprintf(stderr, "/%lld", (long long)total);
	fprintf(stderr, "\033[K");
	fflush(stderr);
	p->shown = true;
}
