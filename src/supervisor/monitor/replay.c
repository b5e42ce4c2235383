/*
 * replay.c - does what the supervisor does in a session, from a recording, and
 * prints the result.
 *
 * It works like monitor.c: output goes to the observer, the screen is checked
 * when that is due, and the verdict is computed after every change and at the
 * time that it names itself. Between two events of the recording, time jumps to
 * what is due next.
 */
#include "supervisor/monitor/replay.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "activity/observer.h"
#include "adapters/screen/rules.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "supervisor/monitor/found.h"
#include "supervisor/monitor/recording.h"

#define TRUTH		"activity=" /* a marker */
#define SHOWN		512	    /* bytes of a name */
#define RULES_MAX_BYTES ((size_t)4 * 1024 * 1024)
#define T0		1000000 /* a monotonic clock does not start at 0 */
#define HISTORY_LINES	100
#define END_MS		5000 /* what the last event has shown is read, too */

struct play {
	const struct recording *r;
	const struct adapter *adapter;
	const struct rules *rules;
	struct observer observer;
	bool screen_only; /* ignore all other signals */
	int64_t now;
	cJSON *json;	     /* NULL: print lines */
	struct verdict last; /* the verdict printed last, … */
	bool said;	     /* … if there is one */
	struct found found;  /* what each key found */
	replay_seen_fn seen; /* NULL: print */
	void *ctx;
};

/* Prints a line, or adds an element to the list, for a verdict or a truth. */
static void print_or_add(struct play *p, const char *list, const char *activity,
			 const char *source, const char *detail)
{
	cJSON *o;

	if (!p->json) {
		if (source)
			printf("%9.3f         %-17s  %-7s  %s\n",
			       (double)(p->now - T0) / 1000,
			       *activity ? activity : "-", source, detail);
		else
			printf("%9.3f  truth  %s\n",
			       (double)(p->now - T0) / 1000,
			       *activity ? activity : "not known");
		return;
	}
	o = cJSON_CreateObject();
	json_set_int(o, "t_ms", p->now - T0);
	json_set_str(o, "activity", activity);
	if (source) {
		json_set_str(o, "source", source);
		json_set_str(o, "detail", detail);
	}
	cJSON_AddItemToArray(cJSON_GetObjectItem(p->json, list), o);
}

static void update_verdict(struct play *p)
{
	struct verdict v, *last = &p->last;

	observer_verdict(&p->observer, p->now, &v);
	if (p->seen)
		p->seen(p->ctx, p->now - T0, &p->observer, &v);
	if (p->seen || (p->said && last->activity == v.activity &&
			strcmp(last->detail, v.detail) == 0))
		return;
	p->said = true;
	*last = v;
	print_or_add(p, "said", activity_name(v.activity),
		     source_name(v.source), v.detail);
}

static void on_reading(void *ctx, const struct reading *r)
{
	(void)r;
	update_verdict(ctx);
}

static void print_truth(struct play *p, const char *marker)
{
	enum activity a = ACTIVITY_NONE;

	if (strncmp(marker, TRUTH, strlen(TRUTH)) != 0)
		return;
	activity_parse(marker + strlen(TRUTH), &a);
	print_or_add(p, "truth", activity_name(a), NULL, NULL);
}

/* The harness starts, or starts again. */
static void start_observer(struct play *p, int cols, int rows)
{
	struct observer_events events = {.ctx = p, .reading = on_reading};

	observer_finish(&p->observer);
	observer_init(&p->observer, p->adapter, p->rules);
	p->observer.screen_only = p->screen_only;
	observer_open(&p->observer, cols, rows, HISTORY_LINES, &events);
}

/* Handles what is due until then, in order. */
static void pass_time(struct play *p, int64_t until)
{
	struct observer *s = &p->observer;

	for (;;) {
		bool reads = s->read_at >= 0 &&
			     (s->verdict_at < 0 || s->read_at <= s->verdict_at);
		int64_t due = reads ? s->read_at : s->verdict_at;

		if (due < 0 || due > until)
			break;
		/* A check that is due at once is made 1 ms later. */
		p->now = due > p->now ? due : p->now + 1;
		if (reads) {
			observer_read_screen(s, p->now);
			found_add(&p->found, p->rules, s, p->now - T0);
		}
		update_verdict(p);
	}
	if (until > p->now)
		p->now = until;
}

static void play_own_event(struct play *p, const struct recording_event *e)
{
	const char *name = json_str_or(e->object, "event", "");
	struct activity_fuser *a = p->observer.activity;
	struct reading r;

	if (strcmp(name, "hook") == 0) {
		if (observer_event(&p->observer,
				   json_str_or(e->object, "hook", ""),
				   json_get(e->object, "payload"), &r, p->now))
			update_verdict(p);
	} else if (strcmp(name, "typed") == 0) {
		bool interrupt = json_bool(e->object, "interrupt", false);

		observer_typed(&p->observer, interrupt, p->now);
		if (json_bool(e->object, "enter", false))
			activity_entered(a, p->now);
		if (interrupt)
			update_verdict(p);
	} else if (strcmp(name, "sent") == 0) {
		activity_sent(a, p->now);
	} else if (strcmp(name, "settled") == 0) {
		activity_settled(a);
		update_verdict(p);
	} else if (strcmp(name, "interrupt") == 0) {
		activity_interrupted(a, p->now);
		update_verdict(p);
	} else if (strcmp(name, "process") == 0) {
		activity_process(a, json_int(e->object, "cpu_ms", 0),
				 (int)json_int(e->object, "processes", 0),
				 p->now);
		update_verdict(p);
	} else if (strcmp(name, "started") == 0) {
		start_observer(p, screen_cols(p->observer.screen),
			       screen_rows(p->observer.screen));
		update_verdict(p);
	}
}

static void play_event(struct play *p, const struct recording_event *e)
{
	int cols, rows;

	switch (e->kind) {
	case 'o':
		observer_output(&p->observer, e->data, e->len, p->now);
		if (p->observer.verdict_at < 0)
			update_verdict(p);
		break;
	case 'r':
		if (sscanf(e->data, "%4dx%4d", &cols, &rows) == 2)
			screen_resize(p->observer.screen, cols, rows);
		break;
	case 'e':
		play_own_event(p, e);
		break;
	case 'm':
		print_truth(p, e->data);
		break;
	default:
		break;
	}
}

static void play_all(struct play *p)
{
	struct adapter silent = *p->adapter;

	if (p->screen_only) {
		/* Without hooks, so that the verdict waits for none. */
		silent.hook = NULL;
		silent.reports_title = false;
		p->adapter = &silent;
	}
	start_observer(p, p->r->cols, p->r->rows);
	for (size_t i = 0; i < p->r->n; i++) {
		pass_time(p, T0 + p->r->v[i].t_ms);
		play_event(p, &p->r->v[i]);
	}
	if (p->seen)
		pass_time(p, p->now + END_MS);
	observer_finish(&p->observer);
}

void replay_play(const struct recording *r, const struct rules *rules,
		 replay_seen_fn seen, void *ctx)
{
	struct play p = {.r = r,
			 .adapter = adapter_find("generic"),
			 .rules = rules,
			 .now = T0,
			 .seen = seen,
			 .ctx = ctx};

	play_all(&p);
	found_finish(&p.found);
}

cJSON *replay_input(struct err *err)
{
	struct buf text = {0};
	cJSON *rules = NULL;

	if (file_read_fd(STDIN_FILENO, RULES_MAX_BYTES, &text) < 0)
		err_errno(err, "read them");
	else if (text.len == 0)
		err_set(err, ERR_USAGE, "none on the standard input");
	else
		rules = json_parse_object(text.data, text.len, err);
	buf_finish(&text);
	if (!rules)
		err_prefix(err, "the harnesses' rules");
	return rules;
}

/* The file comes from elsewhere, and perhaps its name too: printable only. */
static void print_name(const char *path, const char *harness)
{
	char file[SHOWN], name[SHOWN];

	utf8_printable(file, SHOWN, path, strlen(path));
	utf8_printable(name, SHOWN, harness, strlen(harness));
	printf("%s (%s)\n", file, name);
}

static void replay(const char *path, const struct recording *r,
		   const struct adapter *adapter, const struct rules *rules,
		   bool json, bool screen_only)
{
	struct play p = {.r = r,
			 .adapter = adapter,
			 .rules = rules,
			 .screen_only = screen_only,
			 .now = T0};
	struct buf text = {0};

	if (!json) {
		print_name(path, r->harness);
		play_all(&p);
		found_print(&p.found);
		found_finish(&p.found);
		return;
	}
	p.json = cJSON_CreateObject();
	json_set_str(p.json, "file", path);
	json_set_str(p.json, "harness", r->harness);
	json_set_array(p.json, "said");
	json_set_array(p.json, "truth");
	play_all(&p);
	found_json(&p.found, json_set_array(p.json, "found"));
	found_finish(&p.found);
	json_print(p.json, &text);
	puts(text.data);
	buf_finish(&text);
	cJSON_Delete(p.json);
}

static int replay_file(const cJSON *all_rules, const char *path, bool json,
		       bool screen_only, struct err *err)
{
	struct recording r;
	struct rules *rules = NULL;
	const cJSON *section;

	if (recording_load(&r, path, err) < 0)
		return -1;
	if (!r.harness) {
		err_set(err, ERR_FAILED, "%s does not say which harness it is",
			path);
		err_hint(err,
			 "`afw logs --record FILE NAME` makes one that does");
	} else {
		section = json_get(all_rules, r.harness);
		rules = rules_create(section, err);
		if (rules)
			replay(path, &r, adapter_of(r.harness, section), rules,
			       json, screen_only);
		else
			err_prefix(err, "[harness.%s]", r.harness);
	}
	recording_finish(&r);
	if (!rules)
		return -1;
	rules_destroy(rules);
	return 0;
}

int replay_run(bool json, bool screen_only, char **files)
{
	struct err err = {0};
	cJSON *rules = replay_input(&err);
	int rc = rules ? 0 : -1;

	for (; rc == 0 && *files; files++)
		rc = replay_file(rules, *files, json, screen_only, &err);
	cJSON_Delete(rules);
	if (rc < 0) {
		fprintf(stderr, "afw: adapters test: %s\n", err.what);
		if (err.hint[0])
			fprintf(stderr, "hint: %s\n", err.hint);
	}
	return fflush(stdout) == 0 && rc == 0 ? 0 : 1;
}
