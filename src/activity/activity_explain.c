/* activity_explain.c - explains a verdict for `afw status`: each signal,
 * whether it was used, and why. */
#include <stdio.h>

#include "activity/activity_internal.h"
#include "base/json.h"

static const char *const composer_words[] = {
    [COMPOSER_UNKNOWN] = "unknown",
    [COMPOSER_ABSENT] = "absent",
    [COMPOSER_EMPTY] = "empty",
    [COMPOSER_DRAFT] = "draft",
};

static void set_age(cJSON *o, const char *key, int64_t at, int64_t now)
{
	if (at != 0)
		json_set_int(o, key, now - at);
}

static cJSON *add_signal(cJSON *list, enum source s, bool believed,
			 const char *why)
{
	cJSON *o = cJSON_CreateObject();

	cJSON_AddItemToArray(list, o);
	json_set_str(o, "source", source_name(s));
	json_set_bool(o, "believed", believed);
	json_set_str(o, "why", why);
	return o;
}

static void add_slot(cJSON *list, const struct activity_fuser *a, int i,
		     const struct fused *f, int64_t now)
{
	const struct slot *s = &a->slots[i];
	cJSON *o =
	    add_signal(list, (enum source)i, f->reading == &s->r, f->why[i]);

	json_set_str(o, "activity", activity_name(s->r.activity));
	json_set_str(o, "detail", s->r.detail);
	json_set_bool(o, "question", s->r.question);
	if (i == SOURCE_SCREEN)
		json_set_str(o, "composer", composer_words[a->composer]);
	set_age(o, "age_ms", s->seen, now);
	set_age(o, "held_ms", s->since, now);
}

static void add_process(cJSON *list, const struct activity_fuser *a,
			const struct fused *f, int64_t now)
{
	bool believed = f->reading == NULL && f->claim != CLAIM_NONE;
	cJSON *o =
	    add_signal(list, SOURCE_PROCESS, believed, f->why[SOURCE_PROCESS]);

	json_set_str(o, "activity", believed ? activity_name(f->activity) : "");
	json_set_str(o, "detail", believed ? f->detail : "");
	json_set_bool(o, "question", false);
	set_age(o, "age_ms", a->process_at, now);
	set_age(o, "output_age_ms", a->output_at, now);
	set_age(o, "cpu_age_ms", a->cpu_at, now);
	if (a->samples > 0)
		json_set_int(o, "children", a->children);
}

void activity_explain(const struct activity_fuser *a, int64_t now, cJSON *out)
{
	const char *name = activity_name(a->last.activity);
	char text[128];
	char why[ACTIVITY_SLOTS + 1][ACTIVITY_WHY] = {0};
	struct fused f;
	cJSON *list = json_set_array(out, "signals");

	activity_fuse(a, now, why, &f);
	for (int i = 0; i < ACTIVITY_SLOTS; i++)
		if (a->slots[i].seen != 0)
			add_slot(list, a, i, &f, now);
	add_process(list, a, &f, now);

	if (f.claim == CLAIM_NONE)
		snprintf(text, sizeof text, "no signal reports anything yet");
	else if (f.claim == CLAIM_IDLE &&
		 activity_claim(a->last.activity) != CLAIM_IDLE)
		snprintf(text, sizeof text,
			 "%s reports idle, held back for a moment",
			 source_name(f.source));
	else
		snprintf(text, sizeof text, "%s, reported by %s",
			 name[0] != '\0' ? name : "nothing",
			 source_name(f.source));
	json_set_str(out, "explanation", text);
}
