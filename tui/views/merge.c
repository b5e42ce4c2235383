/*
 * merge.c - the view that merges a session: what `afw merge` would do, from a
 * dry run, and the keys to do it; before that, keys to commit or to open a pull
 * request instead; after that, to remove the session.
 *
 * Commands that read for the view end with it; commands that change something
 * know only the session's id.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "session/disk/pull_request.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/child/refresh.h"
#include "tui/term/keys.h"
#include "tui/tui.h"
#include "tui/widgets/scroll.h"

#define MINUTE_MS 60000

struct merge {
	struct view view;
	struct tui *t;
	char id[SPEC_ID_LEN + 1];
	char *name;
	char *url;	      /* of its pull request, or NULL */
	char *state;	      /* that request's, once it is known */
	char *message;	      /* of a commit that has failed */
	struct counts counts; /* those that the view was made from */
	enum word urgency;
	struct refresh plan, pull; /* the dry run; the pull request's state */
	struct scroll scroll;
	/* the result of the dry run is shown, and no command is running */
	bool settled;
};

static const struct view_ops merge_ops;

/* Finds the session's view, if it is still open. */
static struct merge *find_view(struct tui *t, const char *id)
{
	for (struct view *v = t->view; v; v = v->below)
		if (v->ops == &merge_ops &&
		    strcmp(((struct merge *)v)->id, id) == 0)
			return (struct merge *)v;
	return NULL;
}

/* -- afw's commands ------------------------------------------------------ */

static void plan_words(void *owner, struct strv *words)
{
	const struct merge *m = owner;

	strv_add(words, "merge");
	strv_add(words, "--dry-run");
	strv_add(words, m->id);
}

static void pull_words(void *owner, struct strv *words)
{
	const struct merge *m = owner;

	strv_add(words, "pr");
	strv_add(words, "--state");
	strv_add(words, m->id);
}

static void read_again(struct tui *t, struct merge *m);

/* Its work has changed: the dry run no longer shows what a key would merge. */
static void merge_changed(struct tui *t, struct view *v)
{
	struct merge *m = (struct merge *)v;
	const struct session *s = roster_by_id(&t->roster, m->id);

	if (s && m->settled &&
	    (m->urgency != session_urgency(s) ||
	     memcmp(&m->counts, &s->state.counts, sizeof m->counts) != 0))
		read_again(t, m);
}

static void plan_store(void *owner, const struct job_result *r)
{
	struct merge *m = owner;
	_free_ char *late = r->timed_out ? job_reason(r) : NULL;
	_free_ char *text = mem_printf("%s%s%s", r->out, *r->err ? "\n" : "",
				       late ? late : r->err);

	scroll_set(&m->scroll, text);
	m->settled = !late && r->exit_code >= 0;
	merge_changed(m->t, &m->view);
}

/* An error is not shown: there may be no such command, or no network. */
static void pull_store(void *owner, const struct job_result *r)
{
	struct merge *m = owner;

	if (r->exit_code == 0) {
		free(m->state);
		m->state = job_last_line(r->out);
	}
}

/* Disables the keys until the dry run has been repeated. */
static void invalidate(struct merge *m)
{
	refresh_stop(&m->plan);
	refresh_stop(&m->pull);
	m->settled = false;
}

static void read_again(struct tui *t, struct merge *m)
{
	const struct session *s = m ? roster_by_id(&t->roster, m->id) : NULL;

	if (!s)
		return;
	invalidate(m);
	m->counts = s->state.counts;
	m->urgency = session_urgency(s);
	free(m->url);
	m->url = pr_load(s->dir);
	if (m->url)
		refresh_now(&m->pull);
	refresh_now(&m->plan);
}

/* After a commit or a pull request: shows the result, and repeats the dry
 * run. */
static void on_step(struct tui *t, struct command *c,
		    const struct job_result *r)
{
	struct merge *m = find_view(t, c->id);

	command_report(t, c, r, NULL);
	if (m && r->exit_code == 0) {
		free(m->message);
		m->message = NULL;
	}
	read_again(t, m);
	if (m && r->exit_code != 0)
		m->settled = true; /* the result of the dry run is unchanged */
}

static void on_merged(struct tui *t, struct command *c,
		      const struct job_result *r)
{
	const struct session *s = roster_by_id(&t->roster, c->id);
	bool open = find_view(t, c->id) == (struct merge *)t->view;

	if (r->exit_code != 0) {
		on_step(t, c, r);
		return;
	}
	if (open)
		view_pop(t);
	command_report(t, c, r, NULL);
	if (open && s) {
		tui_set_message(t, LOOK_PLAIN, "%s", "");
		ask_remove_merged(t, s);
	}
}

/* -- the keys ------------------------------------------------------------ */

/* option and file may be NULL. */
static struct command *make_command(struct merge *m, const char *doing,
				    const char *word, const char *option,
				    const char *file)
{
	struct command *c =
	    command_create(mem_strdup(doing), m->id, word, option, file, NULL);

	strv_add(&c->words, m->id);
	c->minutes = 5;
	c->done = on_step;
	return c;
}

/* Called by the prompt, which is above the view. */
static bool commit(struct tui *t, const char *id, const char *message)
{
	struct merge *m = find_view(t, id);
	struct command *c;

	if (!m)
		return true;
	c = make_command(m, "committing", "commit", "-F", "-");
	c->input = mem_strdup(message);
	free(m->message);
	m->message = mem_strdup(message);
	invalidate(m);
	return command_run(t, c);
}

/* Checks that the user has seen what it would do. */
static bool check_settled(struct tui *t, const struct merge *m)
{
	if (!m->settled)
		tui_set_message(t, LOOK_PLAIN,
				"not yet: what it would do is to be "
				"seen first");
	return m->settled;
}

static void ask_commit(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct merge *m = (struct merge *)v;
	_free_ char *text = mem_strdup(m->message ? m->message : m->name);

	(void)pressed;
	if (!check_settled(t, m))
		return;
	for (char *c = text; !m->message && *c; c++)
		if (strchr("-_.", *c))
			*c = ' ';
	view_push(t, prompt_enter_view(mem_strdup("commit all, message:"),
				       m->id, text, commit));
}

static void merge(struct tui *t, struct view *v, uint32_t pressed)
{
	struct merge *m = (struct merge *)v;
	struct command *c;

	if (!check_settled(t, m))
		return;
	c = make_command(m, "merging", "merge",
			 pressed == 's'	  ? "--squash"
			 : pressed == 'r' ? "--rebase"
					  : NULL,
			 NULL);
	c->done = on_merged;
	invalidate(m);
	command_run(t, c);
}

static void ask_pull_request(struct tui *t, struct view *v, uint32_t pressed)
{
	struct merge *m = (struct merge *)v;

	(void)pressed;
	if (check_settled(t, m))
		command_confirm(
		    t,
		    mem_printf("Push the branch of %s and ask for it "
			       "to be merged (afw pr)?",
			       m->name),
		    make_command(m, "pushing", "pr", NULL, NULL));
}

static void merge_key(struct tui *t, struct view *v, struct key k)
{
	struct merge *m = (struct merge *)v;

	if (key_is_cancel(k) || keys_act(k) == ACT_QUIT)
		view_pop(t);
	else if (!view_run_key(t, v, k))
		scroll_key(&m->scroll, k);
}

/* -- the picture --------------------------------------------------------- */

/* Draws one line with another fact. */
static void draw_fact(struct rect *r, enum look look, const char *what,
		      const char *text)
{
	_free_ char *line = mem_printf("%s: %s", what, text);

	paint_look(r->row++, r->col, r->cols, line, look);
	r->rows--;
}

static void merge_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct merge *m = (struct merge *)v;
	const struct session *s = roster_by_id(&t->roster, m->id);
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

	refresh_finish(&m->plan);
	refresh_finish(&m->pull);
	scroll_finish(&m->scroll);
	free(m->message);
	free(m->name);
	free(m->url);
	free(m->state);
	free(m);
}

static const struct view_key keys[] = {
    {"Merging the session's work", NULL, NULL, NULL},
    {"m", "merge", "merge its branch", merge},
    {"s", "squash", "make one commit of its branch", merge},
    {"r", "rebase", "put its commits on top of the other branch", merge},
    {"c", "commit", "commit what is not, with a message", ask_commit},
    {"p", "pull request", "push it and make a pull request, after asking",
     ask_pull_request},
    {"{down}/{up}", "", "read what it would do", NULL},
    {"{quit}", "back", NULL, NULL},
    {0},
};

static const struct view_ops merge_ops = {
    .covers = true,
    .has_help = true,
    .draw = merge_draw,
    .key = merge_key,
    .changed = merge_changed,
    .keys = keys,
    .destroy = merge_destroy,
};

void action_merge(struct tui *t, const struct session *s)
{
	struct merge *m = mem_alloc(sizeof *m);

	m->view.ops = &merge_ops;
	m->t = t;
	m->name = mem_strdup(s->spec.name);
	memcpy(m->id, s->spec.id, sizeof m->id);
	m->plan = (struct refresh){.owner = m,
				   .words = plan_words,
				   .store = plan_store,
				   .timeout_ms = 5 * MINUTE_MS};
	m->pull = (struct refresh){.owner = m,
				   .words = pull_words,
				   .store = pull_store,
				   .timeout_ms = 5 * MINUTE_MS};
	refresh_create(&m->plan, t);
	refresh_create(&m->pull, t);
	view_push(t, &m->view);
	read_again(t, m);
}
