/*
 * replay_run.c - recordings on the command line, and what came of them on
 * the standard output: a line a change, or one JSON object a recording.
 *
 * The aims are DESIGN's: right for 99 % of the time, waiting_for_input told
 * within 300 ms and working within 500, and never "waiting" for more than a
 * second while it works.
 */
#include "supervisor/replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "adapters/rules.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

#define SHOWN		     512 /* bytes of a name */
#define RULES_MAX_BYTES	     ((size_t)4 * 1024 * 1024)
#define AIM_WAITING_MS	     300
#define AIM_WORKING_MS	     500
#define AIM_FALSE_WAITING_MS 1000

struct run {
	cJSON *rules; /* of all harnesses */
	bool json, summary;
	enum replay_by by;
	double aim; /* percent */
	struct replay_score total;
	size_t known; /* recordings with a truth */
};

static int read_rules(struct run *run, struct err *err)
{
	struct buf text = {0};
	ssize_t n;

	do {
		n = read(STDIN_FILENO, buf_room(&text, 65536), 65536);
		if (n > 0)
			text.len += (size_t)n;
	} while (n > 0 && text.len <= RULES_MAX_BYTES);
	if (text.len > 0) {
		text.data[text.len] = '\0';
		run->rules = json_parse_object(text.data, text.len, err);
	} else {
		run->rules = cJSON_CreateObject();
	}
	buf_finish(&text);
	return run->rules ? 0 : err_prefix(err, "the harnesses' rules");
}

static double percent(const struct replay_score *s)
{
	return s->known_ms ? 100.0 * (double)s->right_ms / (double)s->known_ms
			   : 100.0;
}

/* What is missed, in words; "" where all is well. */
static void misses(const struct run *run, const struct replay_score *s,
		   struct buf *out)
{
	buf_clear(out);
	buf_adds(out, "");
	if (percent(s) < run->aim)
		buf_addf(out, ", below %.4g %%", run->aim);
	if (replay_worst(&s->waiting) > AIM_WAITING_MS)
		buf_addf(out, ", waiting_for_input told after %lld ms",
			 (long long)replay_worst(&s->waiting));
	if (replay_worst(&s->working) > AIM_WORKING_MS)
		buf_addf(out, ", working told after %lld ms",
			 (long long)replay_worst(&s->working));
	if (s->false_waiting_ms > AIM_FALSE_WAITING_MS)
		buf_addf(out,
			 ", \"waiting\" for %lld ms from %.1f s on while "
			 "it works",
			 (long long)s->false_waiting_ms,
			 (double)s->false_waiting_at / 1000);
	if (out->len)
		buf_drop(out, 2);
}

static cJSON *line_json(const struct replay_line *l, bool said)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < l->n; i++) {
		cJSON *o = cJSON_CreateObject();

		json_set_int(o, "t_ms", l->v[i].t_ms);
		json_set_str(o, "activity", activity_name(l->v[i].activity));
		if (said) {
			json_set_str(o, "source", source_name(l->v[i].source));
			json_set_str(o, "detail", l->v[i].detail);
		}
		cJSON_AddItemToArray(list, o);
	}
	return list;
}

static void delays_json(cJSON *o, const char *key, struct replay_delays *d)
{
	cJSON *list = json_set_array(o, key);

	for (size_t i = 0; i < d->n; i++)
		cJSON_AddItemToArray(list,
				     cJSON_CreateNumber((double)d->v[i]));
}

static void score_json(cJSON *o, struct replay_score *s, const char *missed)
{
	json_set_int(o, "known_ms", s->known_ms);
	json_set_int(o, "right_ms", s->right_ms);
	delays_json(o, "waiting_for_input_delays_ms", &s->waiting);
	delays_json(o, "working_delays_ms", &s->working);
	json_set_int(o, "false_waiting_ms", s->false_waiting_ms);
	json_set_str(o, "missed", missed);
}

static void print_object(cJSON *o)
{
	struct buf text = {0};

	json_print(o, &text);
	puts(text.data);
	buf_finish(&text);
	cJSON_Delete(o);
}

static void print_score(const char *what, struct replay_score *s,
			const char *missed)
{
	printf("%s: right %.2f %% of %.1f s", what, percent(s),
	       (double)s->known_ms / 1000);
	if (s->waiting.n)
		printf(", waiting_for_input after %lld ms (worst %lld)",
		       (long long)replay_median(&s->waiting),
		       (long long)replay_worst(&s->waiting));
	if (s->working.n)
		printf(", working after %lld ms (worst %lld)",
		       (long long)replay_median(&s->working),
		       (long long)replay_worst(&s->working));
	printf("%s%s\n", *missed ? "; missed: " : "", missed);
}

/* Truth and word in one column of times; a truth is marked. */
static void print_lines(const struct replay_line *said,
			const struct replay_line *truth)
{
	size_t s = 0, t = 0;

	while (s < said->n || t < truth->n) {
		if (t < truth->n && (s == said->n || truth->v[t].t_ms <=
							 said->v[s].t_ms)) {
			const struct replay_change *c = &truth->v[t++];
			const char *name = activity_name(c->activity);

			printf("%9.3f  truth  %s\n", (double)c->t_ms / 1000,
			       *name ? name : "not known");
		} else {
			const struct replay_change *c = &said->v[s++];
			const char *name = activity_name(c->activity);

			printf("%9.3f         %-17s  %-7s  %s\n",
			       (double)c->t_ms / 1000, *name ? name : "-",
			       source_name(c->source), c->detail);
		}
	}
}

/* What somebody else's file, or its name, may hold. */
static const char *shown(const char *text, char out[SHOWN])
{
	utf8_printable(out, SHOWN, text, strlen(text));
	return out;
}

static void report(struct run *run, const char *path, const struct recording *r,
		   const struct replay_line *said,
		   const struct replay_line *truth, struct replay_score *score)
{
	char name[SHOWN], harness[SHOWN];
	struct buf missed = {0};
	cJSON *o;

	misses(run, score, &missed);
	if (run->json) {
		o = cJSON_CreateObject();
		json_set_str(o, "file", path);
		json_set_str(o, "harness", r->harness);
		if (!run->summary) {
			cJSON_AddItemToObject(o, "said", line_json(said, true));
			cJSON_AddItemToObject(o, "truth",
					      line_json(truth, false));
		}
		if (truth->n)
			score_json(o, score, missed.data);
		print_object(o);
	} else {
		if (!run->summary) {
			printf("%s (%s)\n", shown(path, name),
			       shown(r->harness, harness));
			print_lines(said, truth);
		}
		if (truth->n)
			print_score(shown(path, name), score, missed.data);
	}
	buf_finish(&missed);
}

static int one(struct run *run, const char *path, struct err *err)
{
	struct recording r;
	struct replay_line said = {0}, truth = {0};
	struct replay_score score = {0};
	struct rules *rules = NULL;
	int rc = -1;

	if (recording_load(&r, path, err) < 0)
		return -1;
	if (!r.harness) {
		err_set(err, ERR_FAILED, "%s does not say which harness it is",
			path);
		err_hint(err, "make it with `afw logs --record`");
		goto out;
	}
	rules = rules_create(
	    cJSON_GetObjectItemCaseSensitive(run->rules, r.harness), err);
	if (!rules) {
		err_prefix(err, "[harness.%s]", r.harness);
		goto out;
	}
	if (replay_truth(&r, &truth, err) < 0) {
		err_prefix(err, "%s", path);
		goto out;
	}
	replay_say(&r, adapter_find(r.harness), rules, run->by, &said);
	replay_score_add(&score, &r, &truth, &said, run->by);
	replay_score_merge(&run->total, &score);
	run->known += truth.n > 0;
	report(run, path, &r, &said, &truth, &score);
	rc = 0;
out:
	replay_score_finish(&score);
	replay_line_finish(&truth);
	replay_line_finish(&said);
	rules_destroy(rules);
	recording_finish(&r);
	return rc;
}

/* 1 where the aims are missed over all. */
static int total(struct run *run, size_t files)
{
	struct buf missed = {0};
	cJSON *o;
	int rc;

	misses(run, &run->total, &missed);
	rc = run->known && missed.len > 0;
	if (run->json && run->known) {
		o = cJSON_CreateObject();
		json_set_int(o, "files", (int64_t)files);
		score_json(o, &run->total, missed.data);
		print_object(o);
	} else if (run->known && files > 1) {
		print_score("all", &run->total, missed.data);
	}
	buf_finish(&missed);
	return rc;
}

/* The options; returns where the files begin, -1 on a mistake. */
static int parse(struct run *run, int argc, char **argv)
{
	static const char *const words[] = {"all", "screen", "simple"};
	int i = 0;

	for (; i < argc && argv[i][0] == '-'; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--") == 0)
			return i + 1;
		if (strcmp(argv[i], "--json") == 0) {
			run->json = true;
		} else if (strcmp(argv[i], "--summary") == 0) {
			run->summary = true;
		} else if (strcmp(argv[i], "--aim") == 0) {
			run->aim = strtod(value, NULL);
			i++;
		} else if (strcmp(argv[i], "--by") == 0) {
			size_t by = 0;

			while (by < 3 && strcmp(value, words[by]) != 0)
				by++;
			if (by == 3)
				return -1;
			run->by = (enum replay_by)by;
			i++;
		} else {
			return -1;
		}
	}
	return i;
}

int replay_run(int argc, char **argv)
{
	struct run run = {.aim = 99};
	struct err err = {0};
	int first = parse(&run, argc, argv), rc = 1;

	if (first < 0 || first >= argc) {
		fprintf(stderr, "usage: afw-supervisor replay [--json] "
				"[--summary] [--by all|screen|simple] "
				"[--aim PERCENT] FILE... <RULES\n");
		return ERR_USAGE;
	}
	if (read_rules(&run, &err) < 0)
		goto fail;
	for (int i = first; i < argc; i++)
		if (one(&run, argv[i], &err) < 0)
			goto fail;
	rc = total(&run, (size_t)(argc - first));
	goto out;
fail:
	fprintf(stderr, "afw: adapters test: %s\n", err.what);
	if (err.hint[0])
		fprintf(stderr, "hint: %s\n", err.hint);
out:
	replay_score_finish(&run.total);
	cJSON_Delete(run.rules);
	return fflush(stdout) == 0 ? rc : 1;
}
