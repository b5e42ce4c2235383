/*
 * merge.c - the view that merges a session: what `afw merge` would do, from a
 * dry run, the files that it has changed, and the keys to do it; before that,
 * keys to commit, to open a pull request instead, or to ask the agent to
 * resolve a conflict; after that, to remove the session.
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
#include "tui/views/merge_advice.h"
#include "tui/widgets/diff_files.h"
#include "tui/widgets/search.h"

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
	/* the dry run, what has changed, the pull request's state */
	struct refresh plan, changes, pull;
	char *text, *diff;	    /* of the first two; text NULL: not yet */
	struct merge_advice advice; /* what else the dry run has printed */
	struct scroll scroll;	    /* text, and a table of the files */
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

static void changes_words(void *owner, struct strv *words)
{
	const struct merge *m = owner;

	strv_add(words, "diff");
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

	free(m->text);
	m->text = mem_printf("%s%s", r->out, r->out_len ? "\n" : "");
	merge_advice_set(&m->advice, r->exit_code == 0, late ? late : r->err);
	diff_files_set(&m->scroll, m->text, m->diff ? m->diff : "", false);
	m->settled = !late && r->exit_code >= 0;
	merge_changed(m->t, &m->view);
}

/* Without a diff there are no files to show; the dry run says why. */
static void changes_store(void *owner, const struct job_result *r)
{
	struct merge *m = owner;

	free(m->diff);
	m->diff = mem_strdup(r->exit_code == 0 ? r->out : "");
	if (m->text)
		diff_files_set(&m->scroll, m->text, m->diff, false);
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
	refresh_stop(&m->changes);
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
	m->url = s->host ? NULL : pr_load(s->dir);
	if (m->url)
		refresh_now(&m->pull);
	refresh_now(&m->plan);
	refresh_now(&m->changes);
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

	(void)pressed;
	if (check_settled(t, m))
		view_push(
		    t, prompt_commit_view(mem_strdup("commit all, message:"),
					  m->id, m->name, m->message, commit));
}

static void ask_agent(struct tui *t, struct view *v, uint32_t pressed)
{
	struct merge *m = (struct merge *)v;
	struct command *c;

	(void)pressed;
	if (!m->advice.resolve || !check_settled(t, m))
		return;
	c = make_command(m, "sending", "send", "--start", NULL);
	strv_add(&c->words, "-F");
	strv_add(&c->words, "-");
	c->input = mem_strdup(m->advice.resolve);
	invalidate(m);
	command_run(t, c);
}

static void show_file(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct merge *m = (struct merge *)v;
	const struct session *s = roster_by_id(&t->roster, m->id);
	_free_ char *title = mem_printf("what %s has changed", m->name);
	long file = diff_files_chosen(&m->scroll);

	(void)pressed;
	if (!s || file < 0)
		return;
	view_push(t, diff_view(t, s, title, m->diff, true));
	diff_view_go(t->view, (size_t)file);
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
	else if (!search_key(t, v, k) && !view_run_key(t, v, k))
		scroll_key(&m->scroll, k);
}

static bool merge_works(const struct tui *t, const struct view *v,
			const char *key)
{
	const struct merge *m = (const struct merge *)v;
	const struct session *s = roster_by_id(&t->roster, m->id);

	switch (*key) {
	case 'E':
		return diff_files_chosen(&m->scroll) >= 0;
	case 'm':
	case 's':
		return m->advice.merges;
	case 'r':
		return m->advice.rebases;
	case 'c':
		return s && s->state.counts.uncommitted > 0;
	case 'a':
		return m->advice.resolve != NULL;
	default:
		return true;
	}
}

static struct scroll *merge_text(const struct tui *t, const struct view *v)
{
	(void)t;
	return &((struct merge *)v)->scroll;
}

/* -- the picture --------------------------------------------------------- */

static void merge_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct merge *m = (struct merge *)v;
	const struct session *s = roster_by_id(&t->roster, m->id);
	const char *check = s ? s->state.check : NULL;
	struct rect in = {body->row + 1, body->col, body->rows - 1, body->cols};

	paint_heading(body, LOOK_STRONG, "merge %s", m->name);
	if (check)
		merge_advice_fact(&in,
				  strcmp(check, "passed") == 0	 ? LOOK_DONE
				  : strcmp(check, "failed") == 0 ? LOOK_ERROR
								 : LOOK_PLAIN,
				  "its check", check);
	if (m->url)
		merge_advice_fact(&in, LOOK_KEY, "pull request",
				  m->state ? m->state : m->url);
	merge_advice_draw(&m->advice, &in);
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
	refresh_finish(&m->changes);
	refresh_finish(&m->pull);
	scroll_finish(&m->scroll);
	merge_advice_finish(&m->advice);
	free(m->text);
	free(m->diff);
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
    {"a", "ask the agent", "ask the agent to resolve the conflict", ask_agent},
    {"p", "pull request", "push it and make a pull request, after asking",
     ask_pull_request},
    {"Enter", "diff", "show the changes of the chosen file", show_file},
    {"{down}/{up}", "", "the next file, the one before", NULL},
    {"{filter}", "", "search for a text", NULL},
    {SEARCH_NEXT, "", "the next match, the one before", NULL},
    {"{quit}", "back", NULL, NULL},
    {0},
};

static const struct view_ops merge_ops = {
    .covers = true,
    .has_help = true,
    .draw = merge_draw,
    .key = merge_key,
    .changed = merge_changed,
    .works = merge_works,
    .text = merge_text,
    .keys = keys,
    .destroy = merge_destroy,
};

static void create_refresh(struct merge *m, struct refresh *r,
			   void (*words)(void *owner, struct strv *words),
			   void (*store)(void *owner,
					 const struct job_result *r))
{
	*r = (struct refresh){.owner = m,
			      .words = words,
			      .store = store,
			      .timeout_ms = 5 * MINUTE_MS};
	refresh_create(r, m->t);
}

void action_merge(struct tui *t, const struct session *s)
{
	struct merge *m = mem_alloc(sizeof *m);

	m->view.ops = &merge_ops;
	m->t = t;
	m->name = mem_strdup(s->spec.name);
	memcpy(m->id, s->spec.id, sizeof m->id);
	m->scroll = (struct scroll){.kind = SCROLL_DIFF, .chooses = true};
	create_refresh(m, &m->plan, plan_words, plan_store);
	create_refresh(m, &m->changes, changes_words, changes_store);
	create_refresh(m, &m->pull, pull_words, pull_store);
	view_push(t, &m->view);
	read_again(t, m);
}
