/*
 * diff.c - afw diff: prints what the agent has changed since the base, its last
 * commit or the start of its last turn. afw-worktree makes the diff, as text
 * that is safe for a terminal; git itself never reads a tree that an agent
 * wrote.
 *
 * The whole diff is read before the pager starts, so that afw-worktree, which
 * bounds its size, does not wait for the reader.
 */
#include "commands/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/git_program.h"
#include "base/json.h"
#include "base/spawn.h"
#include "commands/cli/foreground.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "session/review/comment_weave.h"
#include "wire/worktree_client.h"

#define DIFF_TIMEOUT_MS 120000
#define CHECKPOINT_MAX	999999999

static const struct command_option options[] = {
    {.name = "uncommitted",
     .letter = 'u',
     .help = "only uncommitted changes, staged or not",
     .not_with = "staged turn from"},
    {.name = "staged",
     .letter = 's',
     .help = "only staged changes",
     .not_with = "turn from"},
    {.name = "turn",
     .letter = 't',
     .help = "only changes since its last turn began",
     .not_with = "from"},
    {.name = "from",
     .arg = "NUMBER",
     .unit = "checkpoint",
     .min = 1,
     .max = CHECKPOINT_MAX,
     .help = "only changes since this checkpoint"},
    {.name = "to",
     .arg = "NUMBER",
     .unit = "checkpoint",
     .min = 1,
     .max = CHECKPOINT_MAX,
     .help = "and until this checkpoint, not until now",
     .needs = "from"},
    {.name = "stat", .help = "files and counts only"},
    {.name = "comments",
     .help = "your comments, below their lines (afw review)",
     .not_with = "stat"},
    {.name = "no-pager", .help = "do not use a pager"},
    {.name = NULL},
};

static void add_chunk(void *ctx, const cJSON *o)
{
	const char *text = json_str(o, "diff");

	if (text)
		buf_adds(ctx, text);
}

/*
 * Returns git's pager: $GIT_PAGER, core.pager of the user's configuration,
 * $PAGER, or git's default. It is the user's line for a shell, as in git and
 * man; afw adds nothing to it. The caller frees it; NULL if it is not
 * installed.
 */
static char *find_pager(void)
{
	char *line = git_program_var("GIT_PAGER", NULL), *path;

	if (!line || strpbrk(line, "|&;<>()$`\\\"' \t\n*?[#~=%"))
		return line;
	path = *line ? spawn_find(line) : mem_strdup("");
	if (!path) {
		free(line);
		return NULL;
	}
	free(path);
	return line;
}

/* Pipes in through the pager; -1 if the user wants none or there is none. */
static int run_pager(int in)
{
	_free_ char *line = find_pager();
	char *own[] = {(char[]){"less"}, NULL},
	     *other[] = {(char[]){"more"}, NULL};
	char *users[] = {(char[]){"sh"}, (char[]){"-c"}, line, NULL};
	struct spawn sp = {.argv = line ? users : own, .fd = {in, 1, 2}};
	int status;

	if (line && (!*line || strcmp(line, "cat") == 0))
		return -1;
	setenv("LESS", "FRX", 0);
	if (foreground_lend(&sp, &status, NULL) == 0)
		return 0;
	sp.argv = other;
	return line ? -1 : foreground_lend(&sp, &status, NULL);
}

static void page_text(const struct buf *text)
{
	_close_ int in = file_in_memory(text->data, text->len);

	if (in < 0 || run_pager(in) < 0)
		fwrite(text->data, 1, text->len, stdout);
}

static void print_diff(const struct buf *text, bool pager)
{
	if (text->len == 0)
		return;
	fflush(stdout);
	if (pager && isatty(STDOUT_FILENO))
		page_text(text);
	else
		fwrite(text->data, 1, text->len, stdout);
}

static int read_one(struct diff_request *rq, const char *what, struct buf *text,
		    struct err *err)
{
	_json_ cJSON *answer = worktree_client_run(diff_request(rq), add_chunk,
						   text, DIFF_TIMEOUT_MS, err);

	if (!answer)
		return err_prefix(err, "%s", what);
	buf_adds(text, "");
	if (json_str(answer, "harvest"))
		output_warn("%s", json_str(answer, "harvest"));
	if (json_bool(answer, "truncated", false))
		output_warn("the %s is cut short: there is more", what);
	return 0;
}

int diff_read_all(const struct spec *s, struct diff_request *rq,
		  const char *what, struct buf *text, struct err *err)
{
	if (!s->with) {
		rq->place = spec_place(s);
		return read_one(rq, what, text, err);
	}
	for (size_t i = 0; i < spec_count(s); i++) {
		struct spec one = spec_of(s, i);
		_free_ char *whose =
		    mem_printf("%s: %s", what, one.repository_name);

		rq->place = spec_place(&one);
		rq->under = one.repository_name;
		if (read_one(rq, whose, text, err) < 0)
			return -1;
	}
	return 0;
}

int diff_show(const struct spec *s, struct diff_request *rq,
	      const struct args *args, const char *what, struct err *err)
{
	_buf_ struct buf text = {0};

	rq->stat = args_has(args, "stat");
	rq->colour = output_colour();
	if (diff_read_all(s, rq, what, &text, err) < 0)
		return -1;
	print_diff(&text, !args_has(args, "no-pager"));
	return 0;
}

static int show_comments(struct diff_request *rq, const struct session *s,
			 const struct args *args, const char *what,
			 struct err *err)
{
	bool whole = !rq->staged && !rq->turn && !rq->uncommitted && !rq->from;
	_comments_ struct comments c = {0};
	_buf_ struct buf text = {0}, woven = {0};

	if (comments_load(&c, s->dir, err) < 0) {
		output_warning(err);
		comments_finish(&c);
	}
	if (diff_read_all(&s->spec, rq, what, &text, err) < 0)
		return -1;
	comments_weave(&c, text.data, whole, &woven);
	print_diff(&woven, !args_has(args, "no-pager"));
	return 0;
}

static int cmd_diff(struct session *s, const struct args *args, struct err *err)
{
	_free_ char *what = mem_printf("diff of '%s'", s->spec.name);
	struct diff_request rq = {.staged = args_has(args, "staged"),
				  .turn = args_has(args, "turn"),
				  .uncommitted = args_has(args, "uncommitted"),
				  .from = args_number(args, "from", 0),
				  .to = args_number(args, "to", 0)};

	/* Its others have no checkpoints. */
	if (spec_check_checkout(&s->spec, err) < 0 ||
	    ((rq.turn || rq.from) &&
	     spec_check_single(&s->spec, "diff of a turn", err) < 0))
		return err_prefix(err, "%s", what);
	return args_has(args, "comments")
		   ? show_comments(&rq, s, args, what, err)
		   : diff_show(&s->spec, &rq, args, what, err);
}

const struct command command_diff = {
    .name = "diff",
    .usage = "[NAME]",
    .summary = "show what the agent has changed",
    .max_args = 1,
    .options = options,
    .each = cmd_diff,
};
