/*
 * notify.c - notifies the user of a session's new state.
 *
 * notify_gate.h decides when. A session's question was written by an agent,
 * perhaps copied from a file or page that the agent has read. So the text is
 * cut, made printable and escaped; notify-send gets it after "--", and the
 * user's command gets it as JSON on standard input, never as an argument.
 */
#include "supervisor/chores/notify.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/attach/attach.h"
#include "supervisor/chores/notify_gate.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"

#define TEXT_MAX    256	  /* bytes of a session's text */
#define DEADLINE_MS 10000 /* for a program that is run */

struct notifier {
	struct supervisor *sv;
	struct notify_gate gate;
	struct loop_timer *timer;
	/* the configuration */
	unsigned on; /* NOTICE_BIT */
	bool desktop;
	struct strv command;
	struct strv reported; /* programs whose failure was reported */
	bool over;	      /* the session's files are no longer ours */
};

void notify_body(const char *text, struct buf *out)
{
	char clean[TEXT_MAX];

	utf8_printable(clean, sizeof clean, text, strlen(text));
	for (const char *s = clean; *s; s++) {
		switch (*s) {
		case '&':
			buf_adds(out, "&amp;");
			break;
		case '<':
			buf_adds(out, "&lt;");
			break;
		case '>':
			buf_adds(out, "&gt;");
			break;
		case '\\': /* notify-send interprets \n, \074 and the like */
			buf_adds(out, "\\\\");
			break;
		default:
			buf_addc(out, *s);
		}
	}
}

/* Reports each program once, so that a broken one does not fill the history. */
static void report_failed(struct notifier *n, const char *program,
			  const char *why)
{
	struct supervisor *sv = n->sv;
	char text[TEXT_MAX];
	cJSON *o;

	if (strv_has(&n->reported, program))
		return;
	strv_add(&n->reported, program);
	if (n->over) {
		publish_log("notify: %s", why);
		return;
	}
	utf8_printable(text, sizeof text, why, strlen(why));
	publish_degraded(sv, "notify: %s", text);
	o = cJSON_CreateObject();
	json_set_str(o, "program", program);
	json_set_str(o, "error", text);
	publish_event(sv, "notify:failed", o);
}

static void on_ended(void *ctx, const struct child_end *end)
{
	if (end->failed)
		report_failed(ctx, end->program, end->failed);
}

static void run_program(struct notifier *n, const struct strv *argv,
			const char *input)
{
	struct child_start st = {
	    .spawn = {.argv = argv->v,
		      .dir = "/",
		      .fd = {-1, -1, -1},
		      .new_session = true},
	    .input = input,
	    .deadline_ms = DEADLINE_MS,
	    .ended = on_ended,
	    .ctx = n,
	};
	struct err err = {0};

	if (!child_start(n->sv->children, &st, &err))
		report_failed(n, argv->v[0], err.what);
}

static void notify_desktop(struct notifier *n, const char *title,
			   const char *text)
{
	struct strv argv = {0};
	struct buf body = {0};

	notify_body(text, &body);
	strv_add(&argv, "notify-send");
	strv_add(&argv, "--app-name=afw");
	strv_add(&argv, "--");
	strv_add(&argv, title);
	strv_add(&argv, body.data ? body.data : "");
	run_program(n, &argv, "");
	strv_finish(&argv);
	buf_finish(&body);
}

/* Runs the user's command; afw.ini(5) describes its standard input. */
static void run_command(struct notifier *n, enum notice kind, enum phase phase,
			const char *title, const char *text)
{
	const struct spec *s = &n->sv->spec;
	char at[CLOCK_RFC3339_SIZE];
	cJSON *o = cJSON_CreateObject();
	struct buf line = {0};

	clock_format(clock_wall_ms(), at);
	json_set_int(o, "v", 1);
	json_set_str(o, "event", notice_name(kind));
	json_set_str(o, "at", at);
	json_set_str(o, "id", s->id);
	json_set_str(o, "name", s->name);
	json_set_str(o, "repository", s->repository);
	json_set_str(o, "worktree", s->worktree);
	json_set_str(o, "branch", s->branch);
	json_set_str(o, "harness", s->harness);
	json_set_str(o, "phase", phase_name(phase));
	json_set_str(o, "activity", activity_name(n->sv->state.activity));
	json_set_str(o, "title", title);
	json_set_str(o, "detail", text);
	json_print(o, &line);
	buf_addc(&line, '\n');
	run_program(n, &n->command, line.data);
	buf_finish(&line);
	cJSON_Delete(o);
}

static void report_state(struct notifier *n, enum notice kind, enum phase phase,
			 const char *detail)
{
	struct supervisor *sv = n->sv;
	char title[TEXT_MAX], text[TEXT_MAX];

	/* A user who is attached sees the state. */
	if (attach_is_on(sv))
		return;
	sv->state.notice = kind;
	sv->state.notices++;
	if (!(n->on & NOTICE_BIT(kind)))
		return;
	notice_title(kind, sv->spec.name, title, sizeof title);
	utf8_printable(text, sizeof text, detail ? detail : "",
		       detail ? strlen(detail) : 0);
	if (n->desktop)
		notify_desktop(n, title, text);
	if (n->command.n)
		run_command(n, kind, phase, title, text);
}

static enum notice current_notice(const struct supervisor *sv)
{
	const struct verdict *v = &sv->verdict;

	if (!sv->terminal || sv->state.phase != PHASE_RUNNING ||
	    sv->end->why != ENDING_NONE || sv->end->exited)
		return NOTICE_NONE;
	if (sv->state.limited && (sv->notify->on & NOTICE_BIT(NOTICE_LIMITED)))
		return NOTICE_LIMITED;
	if (v->activity == ACTIVITY_WAITING_FOR_INPUT)
		return v->hook_may_answer ? NOTICE_NONE : NOTICE_WAITING;
	if (v->failed)
		return NOTICE_ERROR;
	if (sv->state.stuck && (sv->notify->on & NOTICE_BIT(NOTICE_STUCK)))
		return NOTICE_STUCK;
	/* While messages are queued, the session is not finished, unless a
	 * person has to act. */
	if (v->activity == ACTIVITY_COMPLETED && !v->hooks_running &&
	    (!sender_queued(sv->sender) || sender_needs_person(sv->sender)))
		return NOTICE_COMPLETED;
	return NOTICE_NONE;
}

static void check_notice(struct supervisor *sv)
{
	struct notifier *n = sv->notify;
	int64_t now = clock_mono_ms(), next;
	enum notice kind;

	notify_gate_update(&n->gate, current_notice(sv),
			   sv->question.up ? sv->question.id : "", now);
	kind = notify_gate_due(&n->gate, now, &next);
	if (next >= 0)
		loop_timer_set(n->timer, next);
	else
		loop_timer_stop(n->timer);
	if (kind == NOTICE_NONE)
		return;
	report_state(n, kind, sv->state.phase,
		     kind == NOTICE_STUCK ? sv->state.stuck : sv->state.detail);
	publish_lasting(sv);
}

static void on_timer(void *ctx)
{
	check_notice(ctx);
}

/* A queued message that needs a person also changes the notice. */
static void notify_verdict(struct supervisor *sv, const struct verdict *was)
{
	check_notice(sv);
}

/* A budget is used up after the end of the turn. */
static void notify_event(struct supervisor *sv, const char *name,
			 const cJSON *o)
{
	if (strcmp(name, "limited") == 0)
		loop_timer_set(sv->notify->timer, 0);
}

static void notify_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	notify_gate_acted(&sv->notify->gate);
}

/* The notice is counted after the last state was written, so the state is
 * written again. A shutdown of the machine is not reported. */
static void notify_ended(struct supervisor *sv, const char *reason)
{
	loop_timer_stop(sv->notify->timer);
	if (sv->state.phase != PHASE_ERROR || sv->end->why == ENDING_DOWN)
		return;
	report_state(sv->notify, NOTICE_ERROR, PHASE_ERROR, reason);
	publish_state(sv, false);
}

void notify_configure(struct notifier *n, const cJSON *o)
{
	struct strv on = {0};
	enum notice kind;

	n->on = 0;
	json_strv(o, "on", &on);
	for (size_t i = 0; i < on.n; i++)
		if (notice_parse(on.v[i], &kind) == 0)
			n->on |= NOTICE_BIT(kind);
	strv_finish(&on);
	n->desktop = json_bool(o, "desktop", false);
	strv_finish(&n->command);
	json_strv(o, "command", &n->command);
}

static int notify_init(struct supervisor *sv, struct err *err)
{
	struct notifier *n = sv->notify;

	n->sv = sv;
	n->timer = loop_timer_add(sv->loop, on_timer, sv);
	return 0;
}

/* The last part to finish: waits for the programs that it has started. */
static void notify_finish(struct supervisor *sv)
{
	struct notifier *n = sv->notify;

	n->over = true;
	children_wait(sv->children);
	strv_finish(&n->command);
	strv_finish(&n->reported);
}

const struct part notify_part = {
    .own = PART_OWN(notify),
    .init = notify_init,
    .verdict = notify_verdict,
    .event = notify_event,
    .acted = notify_acted,
    .ended = notify_ended,
    .finish = notify_finish,
};
