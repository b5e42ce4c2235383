/*
 * activity_fuse.c - decides which signal is used.
 *
 * The best ranked source with an opinion leads. One other may challenge it: the
 * title, or the screen if the title has no opinion. It wins when it has
 * contradicted the leader for the leader's limit (doubt_ms()). That time counts
 * from the later of the leader's last reading and the start of the challenger's
 * claim, so that each new event of the leader starts it again. A question on
 * the screen is used at once, because ignoring it could cause an approval by
 * accident.
 *
 * Then "idle" itself is checked (activity_idle.c). If no signal has an opinion,
 * the process decides.
 */
#include "activity/activity_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set_why(struct fused *f, enum source s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void set_why(struct fused *f, enum source s, const char *fmt, ...)
{
	va_list ap;

	if (!f->why)
		return;
	va_start(ap, fmt);
	vsnprintf(f->why[s], ACTIVITY_WHY, fmt, ap);
	va_end(ap);
}

/*
 * True while OSC 7501 lags a hook that reports the turn's end, or asks. Only
 * for a short time: another hook may let the turn continue, and no signal
 * reports that.
 */
static bool is_overtaken(const struct activity_fuser *a, int64_t now,
			 struct fused *f)
{
	const struct slot *hook = &a->slots[SOURCE_HOOK];
	bool ended = hook->claim == CLAIM_IDLE && hook->r.turn_ended &&
		     !activity_may_be_queued(a);
	bool asks =
	    hook->claim == CLAIM_WAITING && hook->r.question && !hook->r.late;
	/* It cannot have continued without any output. */
	int64_t ask_ms = a->output_at > hook->seen ? ACTIVITY_ASK_MS
						   : ACTIVITY_ASKED_DOUBT_MS;
	int64_t left = hook->seen - now + (ended ? ACTIVITY_END_MS : ask_ms);

	if ((!ended && !asks) || left <= 0 ||
	    hook->seen <= a->slots[SOURCE_PROGRAM_STATUS].seen)
		return false;
	activity_sooner(&f->next_ms, left);
	return true;
}

/*
 * Returns a source's claim, or CLAIM_NONE if it is provably out of date.
 *
 * No hook reports that a hook's question was answered: once the question has
 * left the screen, the other signals decide.
 *
 * An interrupted turn fires no end hook. If no other signal reports either (the
 * rules do not fit a newer version's screen), a hook's reading from before the
 * interrupt is ignored after a while. Its question is over in any case: the
 * screen would show it.
 */
static enum claim slot_claim(const struct activity_fuser *a, enum source i,
			     int64_t now, struct fused *f)
{
	const struct slot *s = &a->slots[i];
	int64_t end;

	if (i == SOURCE_PROGRAM_STATUS && s->claim == CLAIM_BUSY &&
	    is_overtaken(a, now, f)) {
		set_why(f, i, "older than a hook's report");
		return CLAIM_NONE;
	}
	if ((i == SOURCE_PROGRAM_STATUS || i == SOURCE_TITLE) &&
	    s->claim == CLAIM_BUSY && activity_starting_up(a) &&
	    !a->adapter->quiet_start &&
	    (a->slots[SOURCE_SCREEN].claim == CLAIM_IDLE ||
	     activity_is_starting(a, now))) {
		f->starting_up = true;
		set_why(f, i, "still setting up: no turn has begun");
		return CLAIM_NONE;
	}
	if (i == SOURCE_HOOK && s->claim == CLAIM_WAITING &&
	    a->question_left_at > s->seen) {
		set_why(f, i, "its question has left the screen");
		return CLAIM_NONE;
	}
	if (i != SOURCE_HOOK || s->seen > a->interrupted_at ||
	    s->claim == CLAIM_NONE || s->claim == CLAIM_IDLE ||
	    (s->claim == CLAIM_BUSY &&
	     (!a->interrupted || a->slots[SOURCE_TITLE].claim == CLAIM_BUSY ||
	      a->slots[SOURCE_SCREEN].claim == CLAIM_BUSY)))
		return s->claim;
	end = a->interrupted_at + ACTIVITY_INTERRUPT_DOUBT_MS;
	if (now < end) {
		activity_sooner(&f->next_ms, end - now);
		return s->claim;
	}
	set_why(f, i, "ignored: it is from before the interrupt");
	return CLAIM_IDLE;
}

/*
 * Returns how long a challenger must contradict the leader to win. A title from
 * before a hook's question whose menu was not seen yet hardly contradicts it:
 * on a busy machine a harness prints the menu seconds after its hook ran.
 */
static int64_t doubt_ms(const struct activity_fuser *a, enum source leader,
			enum claim claim, enum source challenger)
{
	const struct slot *s = &a->slots[leader];

	if (leader == SOURCE_PROGRAM_STATUS)
		return ACTIVITY_STATUS_DOUBT_MS;
	/* A screen that is idle as before the turn says as little: a busy
	 * OpenCode draws seconds after its hook reported the message. */
	if (claim == CLAIM_BUSY && challenger == SOURCE_SCREEN && a->open &&
	    !a->interrupted && a->slots[SOURCE_SCREEN].since <= a->opened_at)
		return ACTIVITY_ASKED_DOUBT_MS;
	if (claim != CLAIM_WAITING)
		return ACTIVITY_HOOK_DOUBT_MS;
	return s->r.question && !s->r.late && challenger == SOURCE_TITLE &&
		       a->slots[SOURCE_TITLE].seen <= s->seen &&
		       a->question_left_at <= s->seen
		   ? ACTIVITY_ASKED_DOUBT_MS
		   : ACTIVITY_WAITING_DOUBT_MS;
}

/* Returns the source that may overrule the leader, or SOURCE_COUNT. */
static enum source find_challenger(const enum claim *claims, enum source leader)
{
	enum claim title = claims[SOURCE_TITLE], screen = claims[SOURCE_SCREEN];

	if (leader != SOURCE_PROGRAM_STATUS && leader != SOURCE_HOOK)
		return SOURCE_COUNT;
	/* An idle screen may only lack room for the row that shows running
	 * hooks (Gemini CLI, if their names are long). */
	if (title != CLAIM_NONE)
		return title != claims[leader] ? SOURCE_TITLE : SOURCE_COUNT;
	if (screen != CLAIM_NONE && screen != claims[leader])
		return SOURCE_SCREEN;
	return SOURCE_COUNT;
}

static enum source apply_challenger(const struct activity_fuser *a, int64_t now,
				    const enum claim *claims,
				    enum source leader, struct fused *f)
{
	enum source c = find_challenger(claims, leader);
	int64_t doubt, held;

	/* After a login has expired, its composer is shown and empty. */
	if (c == SOURCE_COUNT || a->slots[leader].r.login)
		return leader;
	doubt = doubt_ms(a, leader, claims[leader], c);
	/* A screen that is still idle when a turn begins does not
	 * contradict. */
	held = now - activity_later(a->opened_at,
				    activity_later(a->slots[leader].seen,
						   a->slots[c].since));
	if (held <= doubt) {
		activity_sooner(&f->next_ms, doubt - held + 1);
		set_why(f, c, "contradicts %s for %lld ms; used after %lld ms",
			source_name(leader), (long long)held, (long long)doubt);
		return leader;
	}
	set_why(f, leader, "overruled: %s has contradicted it for %lld ms",
		source_name(c), (long long)held);
	set_why(f, c, "it has contradicted %s for more than %lld ms",
		source_name(leader), (long long)doubt);
	return c;
}

/* Explains each source that has no reason yet. */
static void explain_others(const enum claim *claims, enum source leader,
			   struct fused *f)
{
	for (int i = 0; i < ACTIVITY_SLOTS; i++) {
		if (f->why[i][0] != '\0')
			continue;
		if (claims[i] == CLAIM_NONE)
			set_why(f, (enum source)i, "reports nothing");
		else if (i == (int)leader)
			set_why(f, (enum source)i, "the highest-ranked signal");
		else if (leader < ACTIVITY_SLOTS && claims[i] == claims[leader])
			set_why(f, (enum source)i, "agrees");
		else
			set_why(f, (enum source)i, "ranks below %s",
				leader < ACTIVITY_SLOTS ? source_name(leader)
							: "the others");
	}
}

/* Adds what other sources with the same claim know: that the work is thinking,
 * its detail, that a question is open. */
static void add_details(const struct activity_fuser *a, enum source leader,
			struct fused *f)
{
	static const enum source order[] = {SOURCE_SCREEN, SOURCE_TITLE,
					    SOURCE_HOOK};

	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
		const struct slot *s = &a->slots[order[i]];

		if (order[i] == leader || s->claim != f->claim)
			continue;
		if (f->activity == ACTIVITY_WORKING &&
		    s->r.activity == ACTIVITY_THINKING &&
		    order[i] != SOURCE_HOOK)
			f->activity = ACTIVITY_THINKING;
		if (f->detail[0] == '\0')
			memcpy(f->detail, s->r.detail, sizeof f->detail);
		if (f->claim == CLAIM_WAITING && s->r.question)
			f->question = true;
	}
}

/*
 * Judges by the process, as no other source reports. "Idle" needs a sample
 * taken after a long enough silence; without samples, silence says nothing.
 */
static void judge_process(const struct activity_fuser *a, int64_t now,
			  struct fused *f)
{
	int64_t moved = activity_moved_at(a), quiet = now - moved;
	const char *seen = "its processes come and go";

	f->source = SOURCE_PROCESS;
	if (activity_has_hooks(a)) {
		set_why(f, SOURCE_PROCESS,
			"secondary signal, not used: hooks will report");
		return;
	}
	activity_sooner(&f->next_ms, ACTIVITY_SAMPLE_MS);
	if (moved == 0 && a->samples < 2) {
		set_why(f, SOURCE_PROCESS, "no activity seen yet");
		return;
	}
	if (a->samples >= 2 && quiet >= ACTIVITY_QUIET_MS &&
	    a->process_at - moved >= ACTIVITY_QUIET_MS - 500) {
		f->claim = CLAIM_IDLE;
		f->activity = ACTIVITY_IDLE;
		f->next_ms = ACTIVITY_IDLE_SAMPLE_MS;
		snprintf(f->detail, sizeof f->detail,
			 "quiet, judged by its process alone");
		set_why(f, SOURCE_PROCESS,
			"no other signal reports: no output, no "
			"processor time, no change of children");
		return;
	}
	if (moved == a->output_at)
		seen = quiet < ACTIVITY_QUIET_MS ? "prints" : "has printed";
	else if (moved == a->cpu_at)
		seen = "uses the processor";
	f->claim = CLAIM_BUSY;
	f->activity = ACTIVITY_WORKING;
	snprintf(f->detail, sizeof f->detail, "%s, judged by its process alone",
		 seen);
	set_why(f, SOURCE_PROCESS, "no other signal reports: %s", seen);
}

static void set_leader(const struct activity_fuser *a, enum source s,
		       enum claim claim, struct fused *f)
{
	const struct slot *slot = &a->slots[s];

	f->source = s;
	f->reading = &slot->r;
	f->claim = claim;
	f->activity = slot->claim == claim ? slot->r.activity : ACTIVITY_IDLE;
	f->question = claim == CLAIM_WAITING && slot->r.question;
	memcpy(f->detail, slot->r.detail, sizeof f->detail);
}

static void check_idle(const struct activity_fuser *a, int64_t now,
		       struct fused *f)
{
	if (!activity_correct_idle(a, now, f))
		return;
	f->source = SOURCE_SCREEN;
	f->reading = &a->slots[SOURCE_SCREEN].r;
	set_why(f, SOURCE_SCREEN, "%s", f->detail);
}

void activity_fuse(const struct activity_fuser *a, int64_t now,
		   char (*why)[ACTIVITY_WHY], struct fused *f)
{
	enum claim claims[ACTIVITY_SLOTS];
	enum source leader = SOURCE_COUNT;

	*f =
	    (struct fused){.source = SOURCE_PROCESS, .next_ms = -1, .why = why};
	for (int i = ACTIVITY_SLOTS - 1; i >= 0; i--) {
		claims[i] = slot_claim(a, (enum source)i, now, f);
		if (claims[i] != CLAIM_NONE)
			leader = (enum source)i;
	}
	if (a->slots[SOURCE_SCREEN].r.question) {
		leader = SOURCE_SCREEN;
		set_why(f, leader,
			"a question on the screen overrides everything");
		set_leader(a, leader, CLAIM_WAITING, f);
		f->question = true;
		f->covered = activity_is_idle_below(a);
	} else if (leader == SOURCE_COUNT) {
		judge_process(a, now, f);
		check_idle(a, now, f);
	} else {
		leader = apply_challenger(a, now, claims, leader, f);
		set_leader(a, leader, claims[leader], f);
		add_details(a, leader, f);
		check_idle(a, now, f);
		/* The title will show when it is ready. */
		if (leader == SOURCE_SCREEN && a->by_composer &&
		    a->adapter->reports_title)
			f->starting_up = true;
	}
	if (!why)
		return;
	explain_others(claims, leader, f);
	if (why[SOURCE_PROCESS][0] == '\0')
		set_why(f, SOURCE_PROCESS, "secondary signal, not used");
}
