/* send_always.c - proposes a rule, shows what it would have answered, and adds
 * it after a yes. */
#include "commands/send_always.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/ask.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/launch/settings.h"
#include "session/approve_rule.h"
#include "session/disk/event_log.h"
#include "session/disk/follow.h"
#include "session/live/connection.h"
#include "session/live/processes.h"

#define LAST	 200 /* approvals that the rule is tried on */
#define SHOWN	 10  /* of those that it would have answered */
#define REPLY_MS 5000

/* -- the last approvals -----------------------------------------------------
 */

/* An approval that a person has answered. */
struct past {
	int64_t at; /* wall ms */
	const struct session *s;
	char *question;
	bool approved;
};

struct history {
	struct past *v;
	size_t n;
	const struct session *reading;
};

static int add_past(void *ctx, const char *line, size_t len)
{
	static const char answer[] = "\"event\":\"answer\"";
	struct history *h = ctx;
	_json_ cJSON *o = NULL;
	const char *given;

	if (!memmem(line, len, answer, sizeof answer - 1))
		return 0;
	o = json_parse_object(line, len, NULL);
	given = json_str_or(o, "answer", "");
	if (json_str(o, "rule") ||
	    strcmp(json_str_or(o, "receipt", ""), "answered") != 0)
		return 0;
	h->v = mem_grow(h->v, h->n, sizeof *h->v);
	h->v[h->n++] = (struct past){
	    .at = clock_parse(json_str_or(o, "at", "")),
	    .s = h->reading,
	    .question = mem_strdup(json_str_or(o, "question", "")),
	    .approved = strcmp(given, "approve") == 0,
	};
	return 0;
}

static int newest_first(const void *a, const void *b)
{
	const struct past *x = a, *y = b;

	return x->at < y->at ? 1 : x->at > y->at ? -1 : 0;
}

static void read_history(struct history *h, const struct session_list *l)
{
	struct follow file;

	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].broken)
			continue;
		h->reading = &l->v[i];
		follow_open(&file, l->v[i].dir, EVENTS_FILE);
		follow_next(&file, add_past, h);
		follow_close(&file);
	}
	if (h->n)
		qsort(h->v, h->n, sizeof *h->v, newest_first);
}

static void history_finish(struct history *h)
{
	for (size_t i = 0; i < h->n; i++)
		free(h->v[i].question);
	free(h->v);
}

static bool would_answer(const cJSON *rules, const struct past *p)
{
	/* A question that did not end on the screen ends with an ellipsis. */
	struct approve_question q = {
	    .harness = p->s->spec.harness ? p->s->spec.harness : "",
	    .text = p->question,
	    .whole = true,
	    .dir = p->s->spec.worktree,
	};

	return approve_rule_find(rules, &q) != NULL;
}

static void print_history(const cJSON *rules, const struct session_list *l)
{
	struct history h = {0};
	size_t tried, fits = 0;

	read_history(&h, l);
	tried = h.n < LAST ? h.n : LAST;
	for (size_t i = 0; i < tried; i++)
		fits += would_answer(rules, &h.v[i]);
	output_line(stdout,
		    "It would have answered %zu of the last %zu approvals%s",
		    fits, tried, fits ? ":" : ".");
	for (size_t i = 0, n = 0; i < tried && n < SHOWN; i++) {
		if (!would_answer(rules, &h.v[i]))
			continue;
		output_line(stdout, "  %s  %s (%s)",
			    h.v[i].approved ? "approved" : "DENIED  ",
			    h.v[i].question, h.v[i].s->spec.name);
		n++;
	}
	if (fits > SHOWN)
		output_line(stdout, "  and %zu more", fits - SHOWN);
	history_finish(&h);
}

/* -- the rule ---------------------------------------------------------------
 */

static bool has_rule(const cJSON *rules, const char *name)
{
	const cJSON *r;

	cJSON_ArrayForEach (r, rules)
		if (strcmp(json_str_or(r, "name", ""), name) == 0)
			return true;
	return false;
}

/* "git-log", "git-log-2": a name that no rule has. */
static char *free_name(const cJSON *rules, const char *name)
{
	char *out = mem_strdup(name);

	for (int n = 2; has_rule(rules, out); n++) {
		free(out);
		out = mem_printf("%s-%d", name, n);
	}
	return out;
}

static void write_section(const cJSON *rule, const char *name, struct buf *out)
{
	static const char *const keys[] = {"harness", "tool", "pattern",
					   "paths", "decision"};

	buf_addf(out, "[approve.%s]\n", name);
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		buf_addf(out, "%s = %s\n", keys[i],
			 json_str_or(rule, keys[i], ""));
}

/* A rule that comes before decides: the new one would do nothing. */
static int check_others(const cJSON *rules, const struct approve_question *q,
			struct err *err)
{
	const cJSON *other = approve_rule_find(rules, q);
	const char *name = json_str_or(other, "name", "");

	if (!other)
		return 0;
	err_set(err, ERR_REFUSED, "the rule '%s' decides this: %s", name,
		json_str_or(other, "decision", ""));
	return err_hint(err, "`afw config edit` changes [approve.%s]", name);
}

static int add_section(const struct buf *section, char **path, struct err *err)
{
	struct config_edit edit;
	_buf_ struct buf text = {0};
	int rc = config_edit_begin(&edit, NULL, err);

	if (rc == 0) {
		buf_add(&text, edit.text.data, edit.text.len);
		if (text.len && text.data[text.len - 1] != '\n')
			buf_adds(&text, "\n");
		buf_addf(&text, "%s%s", text.len ? "\n" : "", section->data);
		rc = settings_commit(&edit, NULL, &text, err);
	}
	*path = rc == 0 ? mem_strdup(edit.path) : NULL;
	config_edit_finish(&edit);
	return rc;
}

/* Gives the present rules to all running sessions. A session that ends
 * meanwhile reads them at its next start. */
static int give_rules(const struct session_list *all, struct err *err)
{
	struct config *c = NULL;
	_json_ cJSON *sections = cJSON_CreateObject();
	struct request rq = {.id = REQUEST_RULES, .rules.sections = sections};
	struct session_list running = {0};
	cJSON *rules = NULL;

	if (settings_load(&c, NULL, err) == 0)
		rules = config_sections(c, "approve", err);
	config_destroy(c);
	if (!rules)
		return -1;
	cJSON_AddItemToObject(sections, "approve", rules);
	running.v = mem_alloc((all->n + 1) * sizeof *running.v);
	for (size_t i = 0; i < all->n; i++)
		if (all->v[i].alive && !all->v[i].broken)
			running.v[running.n++] = all->v[i];
	broadcast(&running, &rq, REPLY_MS, NULL, NULL);
	free(running.v); /* the sessions themselves belong to all */
	return 0;
}

static int add_rule(const struct buf *section, const char *name,
		    const struct session_list *all, struct err *err)
{
	_free_ char *path = NULL;

	if (add_section(section, &path, err) < 0)
		return -1;
	output_line(stdout, "added the rule '%s' to %s", name, path);
	return give_rules(all, err);
}

static int propose(const struct session *s, const struct args *args,
		   const struct approve_question *q, struct err *err)
{
	_json_ cJSON *own = cJSON_CreateArray(), *rules = NULL;
	_session_list_ struct session_list all = {0};
	_buf_ struct buf section = {0};
	_free_ char *name = NULL;
	struct config *c = NULL;
	cJSON *rule;

	if (settings_load(&c, NULL, err) == 0)
		rules = config_sections(c, "approve", err);
	config_destroy(c);
	if (!rules || check_others(rules, q, err) < 0 ||
	    !(rule = approve_rule_propose(q, err)))
		return -1;
	cJSON_AddItemToArray(own, rule);
	if (session_list_load(&all, err) < 0)
		return -1;
	name = free_name(rules, json_str_or(rule, "name", ""));
	write_section(rule, name, &section);
	output_lines(stdout, section.data);
	print_history(own, &all);
	if (args_has(args, "dry-run"))
		return 0;
	if (!args_has(args, "yes") &&
	    !ask_yes("Add this rule to your afw.ini?"))
		return err_set(err, ERR_REFUSED, "nothing was added");
	return add_rule(&section, name, &all, err);
}

/* -- the command ------------------------------------------------------------
 */

static int check(const struct session *s, const struct args *args,
		 struct err *err)
{
	const char *id = args_value(args, "question");

	/* An agent allows itself nothing. */
	if (process_check_user(process_supervisor(getpid()), err) < 0)
		return -1;
	if (!s->alive || !s->state.question_id)
		return err_set(err, ERR_CONFLICT, "it asks nothing");
	if (id && strcmp(id, s->state.question_id) != 0)
		return err_set(err, ERR_CONFLICT,
			       "it asks something else now: %s",
			       s->state.question ? s->state.question : "");
	if (args_has(args, "dry-run") || args_has(args, "yes") ||
	    ask_possible())
		return 0;
	err_set(err, ERR_USAGE, "there is no terminal to ask on");
	return err_hint(err, "--yes adds the rule without a question, "
			     "--dry-run only shows it");
}

static int add_for(struct session *s, const struct args *args, struct err *err)
{
	struct approve_question q = {
	    .harness = s->spec.harness ? s->spec.harness : "",
	    .text = s->state.question ? s->state.question : "",
	    .whole = s->state.question_whole,
	    .dir = s->spec.worktree,
	};

	if (check(s, args, err) < 0 || propose(s, args, &q, err) < 0)
		return err_prefix(err, "send '%s' --always", s->spec.name);
	return 0;
}

int send_always(const struct args *args, struct err *err)
{
	if (args->n != 1 || args->rest)
		return err_set(err, ERR_USAGE,
			       "send: --always takes the name of one session, "
			       "and no text");
	return targets_each(args, add_for, err);
}
