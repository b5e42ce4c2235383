/*
 * merge.c - the last mile of a session: what `afw merge` would do, as it says
 * so itself (in memory, nothing is changed), and the keys to do it; before that
 * to commit what is not, or to make a pull request instead; behind it to
 * remove the session.
 *
 * What runs meanwhile knows the session's id alone: the view may have gone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/pr.h"
#include "tui/ask.h"
#include "tui/keys.h"
#include "tui/scroll.h"
#include "tui/tui.h"

#define MINUTE_MS 60000

struct merge {
	struct view view;
	char id[SPEC_ID_LEN + 1];
	char *name;
	char *url;   /* of its pull request, or NULL */
	char *state; /* and whether that is open, once it is known */
	struct scroll scroll;
	bool settled; /* what it would do is shown, and nothing is under way */
};

static const struct view_ops merge_ops;

/* The session's, if it is still open. */
static struct merge *find(struct tui *t, const char *id)
{
	for (struct view *v = t->view; v; v = v->below)
		if (v->ops == &merge_ops &&
		    strcmp(((struct merge *)v)->id, id) == 0)
			return (struct merge *)v;
	return NULL;
}

static void settle(struct tui *t, const char *id, bool settled)
{
	struct merge *m = find(t, id);

	if (m)
		m->settled = settled;
}

/* -- afw's commands ------------------------------------------------------ */

/* afw, these words and the id; input may be NULL. */
static void start(struct tui *t, const char *const *words, const char *id,
		  const char *input, bool reads, job_fn done)
{
	struct job_request rq = {.input = input,
				 .reads = reads,
				 .timeout_ms = (int64_t)5 * MINUTE_MS,
				 .done = done,
				 .drop = free};
	struct strv argv = {0};
	struct err err;

	strv_add(&argv, t->afw);
	for (; *words; words++)
		strv_add(&argv, *words);
	strv_add(&argv, id);
	rq.argv = argv.v;
	rq.arg = mem_strdup(id);
	if (jobs_start(t->jobs, &rq, &err) < 0) {
		tui_say(t, LOOK_ERROR, "%s", err.what);
		settle(t, id, true);
		free(rq.arg);
	}
	strv_finish(&argv);
}

static void on_read(void *ctx, void *arg, const struct job_result *r)
{
	struct merge *m = find(ctx, arg);
	struct tui *t = ctx;
	char *text;

	if (m) {
		text =
		    mem_printf("%s%s%s", r->out, *r->err ? "\n" : "", r->err);
		scroll_set(&m->scroll, text);
		m->settled = true;
		free(text);
		tui_on_feed(t); /* to be drawn */
	}
	free(arg);
}

/* Not worth an error: there may be no such command, or no network. */
static void on_state(void *ctx, void *arg, const struct job_result *r)
{
	struct merge *m = find(ctx, arg);

	if (m && r->exit_code == 0) {
		free(m->state);
		m->state = job_last_line(r->out);
		tui_on_feed(ctx); /* to be drawn */
	}
	free(arg);
}

static void read_again(struct tui *t, const char *id)
{
	const struct session *s = model_by_id(&t->model, id);
	struct merge *m = find(t, id);

	if (!m || !s)
		return;
	free(m->url);
	m->url = pr_load(s->dir);
	if (m->url)
		start(t, (const char *[]){"pr", "--state", NULL}, id, NULL,
		      true, on_state);
	start(t, (const char *[]){"merge", "--dry-run", NULL}, id, NULL, true,
	      on_read);
}

/* A commit, a pull request: what came of it, and what is to merge now. */
static void on_step(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	char *line = r->exit_code ? job_reason(r) : job_last_line(r->out);

	tui_say(t, r->exit_code ? LOOK_ERROR : LOOK_PLAIN, "%s", line);
	/* Where it failed, what is shown is still so. */
	settle(t, arg, r->exit_code != 0);
	read_again(t, arg);
	free(line);
	free(arg);
}

static void on_merged(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	const struct session *s = model_by_id(&t->model, arg);
	bool open = find(t, arg) == (struct merge *)t->view;
	char *line;

	if (r->exit_code != 0) {
		on_step(ctx, arg, r);
		return;
	}
	if (open)
		view_pop(t);
	line = job_last_line(r->out);
	tui_say(t, LOOK_PLAIN, "%s", open && s ? "" : line);
	if (open && s)
		ask_remove_merged(t, s);
	free(line);
	free(arg);
}

/* -- the keys ------------------------------------------------------------ */

static void merge(struct tui *t, const char *id, const char *how)
{
	const char *words[] = {"merge", how, NULL};

	settle(t, id, false);
	tui_say(t, LOOK_QUIET, "merging …");
	start(t, words, id, NULL, false, on_merged);
}

static void commit(struct tui *t, const char *id, const char *message)
{
	settle(t, id, false);
	tui_say(t, LOOK_QUIET, "committing …");
	start(t, (const char *[]){"commit", "-F", "-", NULL}, id, message,
	      false, on_step);
}

static void ask_commit(struct tui *t, const struct merge *m)
{
	char *text = mem_strdup(m->name);

	for (char *c = text; *c; c++)
		if (strchr("-_.", *c))
			*c = ' ';
	view_push(t, prompt_enter_view(mem_strdup("commit all, message:"),
				       m->id, text, commit));
	free(text);
}

static void make_pr(struct tui *t, const char *id)
{
	settle(t, id, false);
	tui_say(t, LOOK_QUIET, "pushing …");
	start(t, (const char *[]){"pr", NULL}, id, NULL, false, on_step);
}

static void merge_key(struct tui *t, struct view *v, struct key k)
{
	struct merge *m = (struct merge *)v;
	uint32_t c = k.kind == KEY_KIND_CHAR ? k.cp : 0;

	if (key_is_cancel(k) || keys_act(k) == ACT_QUIT) {
		view_pop(t);
		return;
	}
	if (c && c < 128 && strchr("msrcp", (int)c) && !m->settled) {
		tui_say(t, LOOK_PLAIN, "not yet: what it would do is to be "
				       "seen first");
		return;
	}
	switch (c) {
	case 'm':
		merge(t, m->id, NULL);
		break;
	case 's':
		merge(t, m->id, "--squash");
		break;
	case 'r':
		merge(t, m->id, "--rebase");
		break;
	case 'c':
		ask_commit(t, m);
		break;
	case 'p':
		view_push(t,
			  confirm_view(mem_printf("Push the branch of %s and "
						  "ask for it to be merged "
						  "(afw pr)?",
						  m->name),
				       m->id, make_pr));
		break;
	default:
		scroll_key(&m->scroll, k);
		break;
	}
}

/* -- the picture --------------------------------------------------------- */

static enum look look_of_check(const char *check)
{
	return strcmp(check, "passed") == 0   ? LOOK_DONE
	       : strcmp(check, "failed") == 0 ? LOOK_ERROR
					      : LOOK_PLAIN;
}

/* What is known of it besides; the rows that it took. */
static int draw_facts(const struct merge *m, const struct session *s,
		      const struct rect *r)
{
	char *text;
	int rows = 0;

	if (s && s->state.check) {
		text = mem_printf("its check: %s", s->state.check);
		paint_look(r->row + rows++, r->col, r->cols, text,
			   look_of_check(s->state.check));
		free(text);
	}
	if (m->url) {
		text = mem_printf("pull request: %s",
				  m->state ? m->state : m->url);
		paint_look(r->row + rows++, r->col, r->cols, text, LOOK_KEY);
		free(text);
	}
	return rows;
}

static void merge_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct merge *m = (struct merge *)v;
	const struct session *s = model_by_id(&t->model, m->id);
	struct rect in = {body->row + 1, body->col, body->rows - 1, body->cols};
	char *title = mem_printf(" merge %s ", m->name);
	int rows;

	paint_line(body->row, body->col, body->cols);
	paint_look(body->row, body->col + 2, body->cols - 4, title,
		   LOOK_STRONG);
	free(title);
	rows = draw_facts(m, s, &in);
	in.row += rows;
	in.rows -= rows;
	if (m->scroll.text)
		scroll_draw(&m->scroll, &in);
	else
		paint_look(in.row, in.col, in.cols, "merging in memory …",
			   LOOK_QUIET);
}

static void merge_destroy(struct view *v)
{
	struct merge *m = (struct merge *)v;

	scroll_finish(&m->scroll);
	free(m->name);
	free(m->url);
	free(m->state);
	free(m);
}

static const struct hint hints[] = {
    {"m", "merge"},	   {"s", "squash"},    {"r", "rebase"}, {"c", "commit"},
    {"p", "pull request"}, {"{quit}", "back"}, {NULL, NULL},
};

static const struct view_ops merge_ops = {
    .covers = true,
    .draw = merge_draw,
    .key = merge_key,
    .hints = hints,
    .destroy = merge_destroy,
};

void action_merge(struct tui *t, const struct session *s)
{
	struct merge *m = mem_alloc(sizeof *m);

	m->view.ops = &merge_ops;
	m->name = mem_strdup(s->spec.name);
	memcpy(m->id, s->spec.id, sizeof m->id);
	view_push(t, &m->view);
	read_again(t, m->id);
}

/* -- who changes the same ------------------------------------------------ */

static void on_conflicts(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	char *why = r->exit_code ? job_reason(r) : NULL;

	if (why)
		tui_say(t, LOOK_ERROR, "%s", why);
	else
		tui_say(t, LOOK_PLAIN, "%s", "");
	if (!why)
		view_push(t, pager_view("who changes the same", r->out, false));
	free(why);
	free(arg);
}

void action_conflicts(struct tui *t, const struct session *s)
{
	struct strv words = {0};

	/* All of its repository, whatever directory this is. */
	strv_add(&words, "conflicts");
	for (size_t i = 0; i < t->model.list.n; i++) {
		const struct spec *one = &t->model.list.v[i].spec;

		if (spec_has_worktree(one) && one->repository &&
		    strcmp(one->repository, s->spec.repository) == 0 &&
		    strcmp(one->id, s->spec.id) != 0)
			strv_add(&words, one->id);
	}
	tui_say(t, LOOK_QUIET, "merging in memory …");
	start(t, (const char *const *)words.v, s->spec.id, NULL, true,
	      on_conflicts);
	strv_finish(&words);
}
