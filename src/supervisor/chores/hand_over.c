/*
 * hand_over.c - with on_limit = handoff:AGENT, has another agent continue the
 * work of an agent that has reached a limit: runs `afw new --from --brief` once
 * while the limit lasts. The session itself is not touched.
 *
 * The new session gets this session's sandbox, backend, templates and options,
 * so that its agent cannot do more. Its on_limit is "report", so that two
 * agents never hand over to each other. The limited agent's words decide only
 * whether the new session is started. The new session's supervisor is a child
 * of this one, a subreaper, and must outlive it: so it is not killed at the
 * end.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/usage_limit.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/part.h"
#include "wire/program.h"

#define HANDOFF	    "handoff:"
#define DEADLINE_MS (40 * 60000LL) /* `afw new` runs the repository's setup */
#define TERM_MS	    10000	   /* to roll back */
#define OUTPUT_MAX  ((size_t)256 * 1024)
#define AGAIN_MS    3600000LL /* never twice in this time */
#define NAME_LEN    64
#define NAMES	    3 /* names that are tried: NAME-AGENT, NAME-AGENT-2, … */

struct hand_over {
	struct child *child;
	char name[NAME_LEN + 1];
	int tried;
	pid_t supervisors[HANDED_MAX]; /* of the sessions that this one has
					  started; or 0 */
};

static const char *other_agent(const struct supervisor *sv)
{
	const char *on_limit = sv->spec.on_limit;

	return on_limit && strncmp(on_limit, HANDOFF, sizeof HANDOFF - 1) == 0
		   ? on_limit + sizeof HANDOFF - 1
		   : NULL;
}

static void publish_handoff(struct supervisor *sv, const char *error)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "session", sv->hand_over->name);
	json_set_text(o, "error", error);
	publish_event(sv, "limited:handoff", o);
	if (error)
		publish_degraded(sv, "hand over to %s: %s", other_agent(sv),
				 error);
	else
		mem_set(&sv->state.handed_to, sv->hand_over->name);
	publish_lasting(sv);
}

static pid_t *find_supervisor(struct supervisor *sv, pid_t pid)
{
	for (size_t i = 0; i < HANDED_MAX; i++)
		if (sv->hand_over->supervisors[i] == pid)
			return &sv->hand_over->supervisors[i];
	return NULL;
}

static void note_started(struct supervisor *sv, const struct buf *out)
{
	_json_ cJSON *o = json_parse_object(out->len ? out->data : "", out->len,
					    &(struct err){0});
	int64_t pid = json_int(o, "supervisor_pid", 0);
	pid_t *slot = find_supervisor(sv, 0);

	if (pid > 0 && slot)
		*slot = (pid_t)pid;
	publish_handoff(sv, NULL);
}

static void start_other(struct supervisor *sv);

static void on_ended(void *ctx, const struct child_end *end)
{
	struct supervisor *sv = ctx;
	bool taken =
	    WIFEXITED(end->status) && WEXITSTATUS(end->status) == ERR_CONFLICT;
	char line[READING_TEXT];

	sv->hand_over->child = NULL;
	if (!end->failed) {
		note_started(sv, end->out);
	} else if (taken && sv->hand_over->tried < NAMES) {
		start_other(sv);
	} else {
		const char *why =
		    end->errors->len ? end->errors->data : end->failed;

		utf8_printable(line, sizeof line, why, strcspn(why, "\n"));
		publish_handoff(sv, line);
	}
}

/* Sets the next name to try: "fix-codex", "fix-codex-2", … */
static void choose_name(struct supervisor *sv)
{
	struct hand_over *h = sv->hand_over;
	char end[48] = "";

	if (++h->tried > 1)
		snprintf(end, sizeof end, "-%s-%d", other_agent(sv), h->tried);
	else
		snprintf(end, sizeof end, "-%s", other_agent(sv));
	snprintf(h->name, sizeof h->name, "%.*s%s",
		 (int)(NAME_LEN - strlen(end)), sv->spec.name, end);
}

static void add_option(struct strv *argv, const char *option, const char *value)
{
	if (!value)
		return;
	strv_add(argv, option);
	strv_add(argv, value);
}

static void make_argv(const struct supervisor *sv, struct strv *argv)
{
	const struct spec *s = &sv->spec;

	strv_take(argv, program_afw());
	strv_add(argv, "new");
	strv_add(argv, sv->hand_over->name);
	add_option(argv, "--agent", other_agent(sv));
	add_option(argv, "--from", s->name);
	add_option(argv, "--sandbox", s->sandbox);
	add_option(argv, "--backend", s->backend);
	add_option(argv, "--profile", s->profile);
	add_option(argv, "--template", s->template_name);
	for (size_t i = 0; i < s->overrides.n; i++)
		add_option(argv, "-o", s->overrides.v[i]);
	add_option(argv, "-o", "on_limit=report");
	strv_add(argv, "--brief");
	strv_add(argv, "--json");
}

static void start_other(struct supervisor *sv)
{
	_strv_ struct strv argv = {0};
	struct err err = {0};

	choose_name(sv);
	make_argv(sv, &argv);
	sv->hand_over->child = child_start(
	    sv->children,
	    &(struct child_start){.spawn = {.argv = argv.v,
					    .dir = spec_checkout(&sv->spec),
					    .fd = {-1, -1, -1},
					    .new_session = true},
				  .keep_out = OUTPUT_MAX,
				  .keep_errors = OUTPUT_MAX,
				  .deadline_ms = DEADLINE_MS,
				  .term_ms = TERM_MS,
				  .ended = on_ended,
				  .ctx = sv},
	    &err);
	if (!sv->hand_over->child)
		publish_handoff(sv, err.what);
}

/* Returns whether another agent is started at this limit: not if the limit is
 * over soon, or if another agent would have it too. */
static bool is_worth_it(const char *limited)
{
	static const enum usage_limit_reason reasons[] = {
	    LIMIT_USAGE, LIMIT_WEEKLY, LIMIT_MODEL, LIMIT_CREDIT};

	for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
		if (strcmp(limited, usage_limit_name(reasons[i])) == 0)
			return true;
	return false;
}

/* handed_until is on disk before the new session starts: if this supervisor is
 * killed meanwhile, it does not start a second one. */
static void hand_over_event(struct supervisor *sv, const char *name,
			    const cJSON *o)
{
	struct state *st = &sv->state;
	const char *agent = other_agent(sv);
	int64_t now = clock_wall_ms();

	if (strcmp(name, "limited") != 0 || !agent || now < st->handed_until ||
	    strcmp(agent, sv->spec.harness) == 0 || sv->hand_over->child ||
	    !is_worth_it(json_str_or(o, "limited", "")))
		return;
	st->handed_until = now + AGAIN_MS;
	if (st->limited_until > st->handed_until)
		st->handed_until = st->limited_until;
	mem_set(&st->handed_to, NULL);
	publish_state(sv, true);
	sv->hand_over->tried = 0;
	if (find_supervisor(sv, 0))
		start_other(sv);
	else
		publish_handoff(sv, "too many of its sessions are running");
}

static bool hand_over_reaped(struct supervisor *sv, pid_t pid, int wait_status)
{
	pid_t *slot = find_supervisor(sv, pid);

	if (slot)
		*slot = 0;
	return slot;
}

static void hand_over_spare(const struct supervisor *sv, pid_t *list)
{
	while (*list)
		list++;
	for (size_t i = 0; i < HANDED_MAX; i++)
		if (sv->hand_over->supervisors[i])
			*list++ = sv->hand_over->supervisors[i];
	*list = 0;
}

static void hand_over_end(struct supervisor *sv, const char *reason)
{
	if (sv->hand_over->child)
		child_hurry(sv->hand_over->child, 0);
}

const struct part hand_over_part = {
    .own = PART_OWN(hand_over),
    .event = hand_over_event,
    .reaped = hand_over_reaped,
    .spare = hand_over_spare,
    .end = hand_over_end,
};
