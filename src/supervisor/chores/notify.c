/*
 * notify.c - tells the user what a session has come to.
 *
 * The gate says when. What a session asks was written by an agent, perhaps
 * by whoever wrote what the agent has read: it is cut, made printable and
 * escaped, stands behind "--", and goes to the user's command as JSON on its
 * standard input, never as an argument.
 */
#include "supervisor/chores/notify.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/attach/attach.h"
#include "supervisor/chores/notify_gate.h"
#include "supervisor/part.h"
#include "supervisor/peer.h"

#define TEXT_MAX    256	  /* bytes of what a session says */
#define DEADLINE_MS 10000 /* of what is run */

struct notifier {
	struct supervisor *sv;
	struct notify_gate gate;
	struct loop_timer *timer;
	/* as configured */
	unsigned on; /* NOTICE_BIT */
	bool attached, desktop;
	struct strv command;
	struct strv reported; /* programs whose failure was told */
	bool over;	      /* the session's files are not ours any more */
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
		case '\\': /* notify-send reads \n, \074 and the like */
			buf_adds(out, "\\\\");
			break;
		default:
			buf_addc(out, *s);
		}
	}
}

/* Each program once, or a broken one fills the history. */
static void tell_failed(struct notifier *n, const char *program,
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
		tell_failed(ctx, end->program, end->failed);
}

static void run(struct notifier *n, const struct strv *argv, const char *input)
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
		tell_failed(n, argv->v[0], err.what);
}

static void desktop(struct notifier *n, const char *title, const char *text)
{
	struct strv argv = {0};
	struct buf body = {0};

	notify_body(text, &body);
	strv_add(&argv, "notify-send");
	strv_add(&argv, "--app-name=afw");
	strv_add(&argv, "--");
	strv_add(&argv, title);
	strv_add(&argv, body.data ? body.data : "");
	run(n, &argv, "");
	strv_finish(&argv);
	buf_finish(&body);
}

/* What the command gets on its standard input: afw.ini(5). */
static void command(struct notifier *n, enum notice kind, enum phase phase,
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
	run(n, &n->command, line.data);
	buf_finish(&line);
	cJSON_Delete(o);
}

static void tell(struct notifier *n, enum notice kind, enum phase phase,
		 const char *detail)
{
	struct supervisor *sv = n->sv;
	char title[TEXT_MAX], text[TEXT_MAX];

	/* Who looks at it needs nobody to say so. */
	if (attach_is_on(sv) && !n->attached)
		return;
	sv->state.notice = kind;
	sv->state.notices++;
	if (!(n->on & NOTICE_BIT(kind)))
		return;
	notice_title(kind, sv->spec.name, title, sizeof title);
	utf8_printable(text, sizeof text, detail ? detail : "",
		       detail ? strlen(detail) : 0);
	if (n->desktop)
		desktop(n, title, text);
	if (n->command.n)
		command(n, kind, phase, title, text);
}

static enum notice now_is(const struct supervisor *sv)
{
	const struct verdict *v = &sv->verdict;

	if (!sv->terminal || sv->state.phase != PHASE_RUNNING ||
	    sv->ending != ENDING_NONE || sv->exited)
		return NOTICE_NONE;
	if (v->activity == ACTIVITY_WAITING_FOR_INPUT)
		return v->hook_may_answer ? NOTICE_NONE : NOTICE_WAITING;
	if (v->failed)
		return NOTICE_ERROR;
	/* With messages in the queue it goes on by itself, or not. */
	if (v->activity == ACTIVITY_COMPLETED && !v->hooks_running &&
	    (!sender_queued(sv->sender) || sender_needs_person(sv->sender)))
		return NOTICE_COMPLETED;
	return NOTICE_NONE;
}

static void look(struct supervisor *sv)
{
	struct notifier *n = sv->notify;
	int64_t now = clock_mono_ms(), next;
	enum notice kind;

	notify_gate_see(&n->gate, now_is(sv),
			sv->question.up ? sv->question.id : "", now);
	kind = notify_gate_due(&n->gate, now, &next);
	if (next >= 0)
		loop_timer_set(n->timer, next);
	else
		loop_timer_stop(n->timer);
	if (kind == NOTICE_NONE)
		return;
	tell(n, kind, sv->state.phase, sv->state.detail);
	publish_lasting(sv);
}

static void on_timer(void *ctx)
{
	look(ctx);
}

/* A message that waits for a person is one more reason, too. */
static void verdict(struct supervisor *sv, const struct verdict *was)
{
	look(sv);
}

static void acted(struct supervisor *sv, enum act what, unsigned keys)
{
	notify_gate_acted(&sv->notify->gate);
}

/* Whoever is told finds it so; who looks later, that it was told. When the
 * machine goes down nobody is there to hear. */
static void ended(struct supervisor *sv, const char *reason)
{
	loop_timer_stop(sv->notify->timer);
	if (sv->state.phase != PHASE_ERROR || sv->ending == ENDING_DOWN)
		return;
	tell(sv->notify, NOTICE_ERROR, PHASE_ERROR, reason);
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
	n->attached = json_bool(o, "attached", false);
	n->desktop = json_bool(o, "desktop", false);
	strv_finish(&n->command);
	json_strv(o, "command", &n->command);
}

static int init(struct supervisor *sv, struct err *err)
{
	struct notifier *n = sv->notify;

	n->sv = sv;
	n->timer = loop_timer_add(sv->loop, on_timer, sv);
	return 0;
}

/* Last of all: waits for what it runs. */
static void finish(struct supervisor *sv)
{
	struct notifier *n = sv->notify;

	n->over = true;
	children_wait(sv->children);
	strv_finish(&n->command);
	strv_finish(&n->reported);
}

const struct part notify_part = {
    .own = PART_OWN(notify),
    .init = init,
    .verdict = verdict,
    .acted = acted,
    .ended = ended,
    .finish = finish,
};
