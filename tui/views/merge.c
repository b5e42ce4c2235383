/*
 * merge.c - the last mile of a session: what `afw merge` would do, as it says
 * so itself (in memory, nothing is changed), and the keys to do it; before that
 * to commit what is not, or to make a pull request instead; behind it to
 * remove the session.
 *
 * What reads for the view ends with it; what does something knows the session's
 * id alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "session/disk/pr.h"
#include "tui/actions/ask.h"
#include "tui/term/keys.h"
#include "tui/tui.h"
#include "tui/widgets/scroll.h"

#define MINUTE_MS 60000

struct merge {
	struct view view;
	struct tui *t;
	char id[SPEC_ID_LEN + 1];
	char *name;
	char *url;     /* of its pull request, or NULL */
	char *state;   /* and whether that is open, once it is known */
	char *message; /* of a commit that has not come about */
	unsigned asked;	      /* view_hold() of its prompt */
	struct counts counts; /* what is shown was made of */
	enum word urgency;
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

/* -- afw's commands ------------------------------------------------------ */

/* afw, these words and the id; for a view, which drops it, it only reads.
 * False, with that said: it could not be started. */
static bool start(struct tui *t, const char *const *words, const char *id,
		  const char *input, job_fn done, struct merge *m)
{
	struct job_request rq = {.input = input,
				 .reads = m,
				 .timeout_ms = (int64_t)5 * MINUTE_MS,
				 .done = done,
				 .arg = m ? (void *)m : mem_strdup(id),
				 .drop = m ? NULL : free};
	struct strv argv = {0};
	struct err err;
	bool started;

	strv_add(&argv, t->afw);
	for (; *words; words++)
		strv_add(&argv, *words);
	strv_add(&argv, id);
	rq.argv = argv.v;
	started = jobs_start(t->jobs, &rq, &err) == 0;
	if (!started)
		tui_say(t, LOOK_ERROR, "%s", err.what);
	if (!started && !m)
		free(rq.arg);
	strv_finish(&argv);
	return started;
}

static void read_again(struct tui *t, struct merge *m);

/* Its work is another: what is shown is not what a key would merge. */
static void merge_changed(struct tui *t, struct view *v)
{
	struct merge *m = (struct merge *)v;
	const struct session *s = model_by_id(&t->model, m->id);

	if (s && m->settled &&
	    (m->urgency != session_urgency(s) ||
	     memcmp(&m->counts, &s->state.counts, sizeof m->counts) != 0))
		read_again(t, m);
}

static void on_read(void *ctx, void *arg, const struct job_result *r)
{
	struct merge *m = arg;
	char *late = r->timed_out ? job_reason(r) : NULL;
	char *text = mem_printf("%s%s%s", r->out, *r->err ? "\n" : "",
				late ? late : r->err);

	scroll_set(&m->scroll, text);
	m->settled = !late;
	free(late);
	free(text);
	tui_on_feed(ctx); /* to be drawn */
	merge_changed(ctx, &m->view);
}

/* Not worth an error: there may be no such command, or no network. */
static void on_state(void *ctx, void *arg, const struct job_result *r)
{
	struct merge *m = arg;

	if (r->exit_code == 0) {
		free(m->state);
		m->state = job_last_line(r->out);
		tui_on_feed(ctx); /* to be drawn */
	}
}

/* No more keys, until it is read what they would do. */
static void unsettle(struct merge *m)
{
	jobs_drop(m->t->jobs, m);
	m->settled = false;
}

static void read_again(struct tui *t, struct merge *m)
{
	const struct session *s = m ? model_by_id(&t->model, m->id) : NULL;

	if (!s)
		return;
	unsettle(m);
	m->counts = s->state.counts;
	m->urgency = session_urgency(s);
	free(m->url);
	m->url = pr_load(s->dir);
	if (m->url)
		start(t, (const char *[]){"pr", "--state", NULL}, m->id, NULL,
		      on_state, m);
	start(t, (const char *[]){"merge", "--dry-run", NULL}, m->id, NULL,
	      on_read, m);
}

/* A commit, a pull request: what came of it, and what is to merge now. */
static void on_step(void *ctx, void *arg, const struct job_result *r)
{
	struct tui *t = ctx;
	struct merge *m = find(t, arg);
	char *line = r->exit_code ? job_reason(r) : job_last_line(r->out);

	if (m)
		view_release(t, m->asked, r->exit_code == 0);
	tui_say(t, r->exit_code ? LOOK_ERROR : LOOK_PLAIN, "%s", line);
	if (m && r->exit_code == 0) {
		free(m->message);
		m->message = NULL;
	}
	read_again(t, m);
	if (m && r->exit_code != 0)
		m->settled = true; /* what is shown is still so */
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

static bool act(struct tui *t, const char *id, const char *says,
		const char *const *words, const char *input, job_fn done)
{
	struct merge *m = find(t, id);

	if (m)
		unsettle(m);
	tui_say(t, LOOK_QUIET, "%s …", says);
	return start(t, words, id, input, done, NULL);
}

/* Of the prompt, which lies over the view. */
static bool commit(struct tui *t, const char *id, const char *message)
{
	struct merge *m = find(t, id);

	free(m->message);
	m->message = mem_strdup(message);
	if (!act(t, id, "committing",
		 (const char *[]){"commit", "-F", "-", NULL}, message, on_step))
		return false;
	m->asked = view_hold(t);
	return true;
}

static void ask_commit(struct tui *t, const struct merge *m)
{
	char *text = mem_strdup(m->message ? m->message : m->name);

	for (char *c = text; !m->message && *c; c++)
		if (strchr("-_.", *c))
			*c = ' ';
	view_push(t, prompt_enter_view(mem_strdup("commit all, message:"),
				       m->id, text, commit));
	free(text);
}

static void make_pr(struct tui *t, const char *id)
{
	act(t, id, "pushing", (const char *[]){"pr", NULL}, NULL, on_step);
}

static void merge(struct tui *t, const struct merge *m, const char *how)
{
	act(t, m->id, "merging", (const char *[]){"merge", how, NULL}, NULL,
	    on_merged);
}

static void merge_key(struct tui *t, struct view *v, struct key k)
{
	struct merge *m = (struct merge *)v;
	uint32_t c = k.kind == KEY_KIND_CHAR ? k.cp : 0;

	if (key_is_cancel(k) || keys_act(k) == ACT_QUIT)
		view_pop(t);
	else if (c && c < 128 && strchr("msrcp", (int)c) && !m->settled)
		tui_say(t, LOOK_PLAIN, "not yet: what it would do is to be "
				       "seen first");
	else if (c == 'm')
		merge(t, m, NULL);
	else if (c == 's')
		merge(t, m, "--squash");
	else if (c == 'r')
		merge(t, m, "--rebase");
	else if (c == 'c')
		ask_commit(t, m);
	else if (c == 'p')
		view_push(t,
			  confirm_view(mem_printf("Push the branch of %s and "
						  "ask for it to be merged "
						  "(afw pr)?",
						  m->name),
				       m->id, make_pr));
	else
		scroll_key(&m->scroll, k);
}

/* -- the picture --------------------------------------------------------- */

/* One line of what is known besides. */
static void draw_fact(struct rect *r, enum look look, const char *what,
		      const char *text)
{
	char *line = mem_printf("%s: %s", what, text);

	paint_look(r->row++, r->col, r->cols, line, look);
	r->rows--;
	free(line);
}

static void merge_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct merge *m = (struct merge *)v;
	const struct session *s = model_by_id(&t->model, m->id);
	const char *check = s ? s->state.check : NULL;
	struct rect in = {body->row + 1, body->col, body->rows - 1, body->cols};

	paint_heading(body, LOOK_STRONG, "merge %s", m->name);
	if (check)
		draw_fact(&in,
			  strcmp(check, "passed") == 0	 ? LOOK_DONE
			  : strcmp(check, "failed") == 0 ? LOOK_ERROR
							 : LOOK_PLAIN,
			  "its check", check);
	if (m->url)
		draw_fact(&in, LOOK_KEY, "pull request",
			  m->state ? m->state : m->url);
	if (m->scroll.text)
		scroll_draw(&m->scroll, &in);
	else
		paint_look(in.row, in.col, in.cols, "merging in memory …",
			   LOOK_QUIET);
}

static void merge_destroy(struct view *v)
{
	struct merge *m = (struct merge *)v;

	jobs_drop(m->t->jobs, m);
	scroll_finish(&m->scroll);
	free(m->message);
	free(m->name);
	free(m->url);
	free(m->state);
	free(m);
}

static const struct hint hints[] = {
    {"Merging the session's work", NULL, NULL},
    {"m", "merge", "merge its branch"},
    {"s", "squash", "make one commit of its branch"},
    {"r", "rebase", "put its commits on top of the other branch"},
    {"c", "commit", "commit what is not, with a message"},
    {"p", "pull request", "push it and make a pull request, after asking"},
    {"{down}/{up}", "", "read what it would do"},
    {"{quit}", "back", NULL},
    {NULL, NULL, NULL},
};

static const struct view_ops merge_ops = {
    .covers = true,
    .has_help = true,
    .draw = merge_draw,
    .key = merge_key,
    .changed = merge_changed,
    .hints = hints,
    .destroy = merge_destroy,
};

void action_merge(struct tui *t, const struct session *s)
{
	struct merge *m = mem_alloc(sizeof *m);

	m->view.ops = &merge_ops;
	m->t = t;
	m->name = mem_strdup(s->spec.name);
	memcpy(m->id, s->spec.id, sizeof m->id);
	view_push(t, &m->view);
	read_again(t, m);
}
