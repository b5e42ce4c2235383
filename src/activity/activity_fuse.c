/*
 * activity_fuse.c - decides which signal is used, and when a rest is none.
 *
 * The best ranked source with an opinion leads. One other may challenge it:
 * the title, or the screen where the title has no opinion; and wins when
 * their contradiction has stood for longer than the leader is worth. Time
 * counts from the later of the leader's last word and the challenger's
 * present one, so that each new event of a leader gives it its full credit
 * again. A question on the screen needs none of this: it is believed at
 * once, because the price of doubting it is an approval by accident.
 *
 * Then the rest itself is doubted (doubt_rest()): messages in the harness's own
 * queue make it work, something in the composer's place makes it waiting. If no
 * signal has an opinion, the process is asked.
 */
#include "activity/activity_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

void activity_sooner(int64_t *next_ms, int64_t delay)
{
	if (delay < 0)
		delay = 0;
	if (*next_ms < 0 || delay < *next_ms)
		*next_ms = delay;
}

static void why(struct fused *f, enum source s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void why(struct fused *f, enum source s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->why[s], sizeof f->why[s], fmt, ap);
	va_end(ap);
}

/*
 * OSC 7501 lags behind the hook that tells of the turn's end, or asks. Not for
 * long: another's hook may let it go on, and nothing would tell.
 */
static bool is_overtaken(const struct activity_fuser *a, int64_t now,
			 struct fused *f)
{
	const struct slot *hook = &a->slots[SOURCE_HOOK];
	bool ended = hook->claim == CLAIM_REST && hook->r.turn_ended &&
		     !activity_may_be_queued(a);
	bool asks =
	    hook->claim == CLAIM_WAITING && hook->r.question && !hook->r.late;
	/* It cannot have gone on without a sign of life. */
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
 * What a source says, where it is not provably out of date.
 *
 * A hook that asks has no other hook to tell that the question was answered.
 * Where the screen showed it and shows it no more, the others know better.
 *
 * An interrupted turn fires no end hook. Where nothing else speaks either (a
 * screen that the rules of a newer version's do not fit), a hook's word from
 * before the interrupt is not believed after a while. What it asked then is
 * past whatever comes: the screen would show it.
 */
static enum claim slot_claim(const struct activity_fuser *a, enum source i,
			     int64_t now, struct fused *f)
{
	const struct slot *s = &a->slots[i];
	int64_t end;

	if (i == SOURCE_PROGRAM_STATUS && s->claim == CLAIM_BUSY &&
	    is_overtaken(a, now, f)) {
		why(f, i, "older than what a hook tells");
		return CLAIM_NONE;
	}
	if ((i == SOURCE_PROGRAM_STATUS || i == SOURCE_TITLE) &&
	    s->claim == CLAIM_BUSY && activity_starting_up(a) &&
	    !a->adapter->quiet_start &&
	    (a->slots[SOURCE_SCREEN].claim == CLAIM_REST ||
	     activity_is_starting(a, now))) {
		f->starting_up = true;
		why(f, i, "it sets itself up: no turn has begun");
		return CLAIM_NONE;
	}
	if (i == SOURCE_HOOK && s->claim == CLAIM_WAITING &&
	    a->question_left_at > s->seen) {
		why(f, i, "its question has left the screen");
		return CLAIM_NONE;
	}
	if (i != SOURCE_HOOK || s->seen > a->interrupted_at ||
	    s->claim == CLAIM_NONE || s->claim == CLAIM_REST ||
	    (s->claim == CLAIM_BUSY &&
	     (!a->interrupted || a->slots[SOURCE_TITLE].claim == CLAIM_BUSY ||
	      a->slots[SOURCE_SCREEN].claim == CLAIM_BUSY)))
		return s->claim;
	end = a->interrupted_at + ACTIVITY_INTERRUPT_DOUBT_MS;
	if (now < end) {
		activity_sooner(&f->next_ms, end - now);
		return s->claim;
	}
	why(f, i, "no longer believed: it is from before the interrupt");
	return CLAIM_REST;
}

/*
 * A title from before a hook's question, whose menu was not seen yet, is
 * silence more than contradiction: a harness on a busy machine prints the menu
 * seconds after its hook has told of it.
 */
static int64_t doubt_ms(const struct activity_fuser *a, enum source leader,
			enum claim claim, enum source challenger)
{
	const struct slot *s = &a->slots[leader];

	if (leader == SOURCE_PROGRAM_STATUS)
		return ACTIVITY_STATUS_DOUBT_MS;
	/* A screen that rests as it did before the turn says as little: a busy
	 * OpenCode draws seconds after it has told of the message. */
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

/* Who contradicts the leader in a way that counts; SOURCE_COUNT: nobody. */
static enum source find_challenger(const enum claim *claims, enum source leader)
{
	enum claim title = claims[SOURCE_TITLE], screen = claims[SOURCE_SCREEN];

	if (leader != SOURCE_PROGRAM_STATUS && leader != SOURCE_HOOK)
		return SOURCE_COUNT;
	/* A screen that rests may only lack room for the row that says what
	 * runs (Gemini CLI's, with long names of hooks). */
	if (title != CLAIM_NONE)
		return title != claims[leader] ? SOURCE_TITLE : SOURCE_COUNT;
	if (screen != CLAIM_NONE && screen != claims[leader])
		return SOURCE_SCREEN;
	return SOURCE_COUNT;
}

static enum source challenge(const struct activity_fuser *a, int64_t now,
			     const enum claim *claims, enum source leader,
			     struct fused *f)
{
	enum source c = find_challenger(claims, leader);
	int64_t doubt, held;

	if (c == SOURCE_COUNT)
		return leader;
	doubt = doubt_ms(a, leader, claims[leader], c);
	/* A screen that still rests at a turn's begin contradicts nobody. */
	held = now - later(a->opened_at,
			   later(a->slots[leader].seen, a->slots[c].since));
	if (held <= doubt) {
		activity_sooner(&f->next_ms, doubt - held + 1);
		why(f, c, "contradicts %s for %lld ms; believed after %lld ms",
		    source_name(leader), (long long)held, (long long)doubt);
		return leader;
	}
	why(f, leader, "overruled: %s has said otherwise for %lld ms",
	    source_name(c), (long long)held);
	why(f, c, "believed: it has contradicted %s for more than %lld ms",
	    source_name(leader), (long long)doubt);
	return c;
}

/* Says of each source that has no reason yet why it does not lead. */
static void explain_rest(const enum claim *claims, enum source leader,
			 struct fused *f)
{
	for (int i = 0; i < ACTIVITY_SLOTS; i++) {
		if (f->why[i][0] != '\0')
			continue;
		if (claims[i] == CLAIM_NONE)
			why(f, (enum source)i, "says nothing");
		else if (i == (int)leader)
			why(f, (enum source)i,
			    "believed: the best signal that says anything");
		else if (leader < ACTIVITY_SLOTS && claims[i] == claims[leader])
			why(f, (enum source)i, "agrees");
		else
			why(f, (enum source)i, "ranks below %s",
			    leader < ACTIVITY_SLOTS ? source_name(leader)
						    : "the others");
	}
}

/* The title or the screen may know that the work is thought, and on what. */
static void refine(const struct activity_fuser *a, enum source leader,
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

/* Busy by its word, or without a word since its start; does anything move? */
static void check_stall(const struct activity_fuser *a, int64_t now,
			struct fused *f)
{
	int64_t said =
	    f->claim == CLAIM_NONE ? a->born_at : a->slots[f->source].since;
	int64_t moved = later(activity_moved_at(a), said);
	int64_t still = now - moved;

	if (a->stall_ms <= 0 || f->claim == CLAIM_WAITING ||
	    f->claim == CLAIM_REST)
		return;
	if (still < a->stall_ms) {
		activity_sooner(&f->next_ms, a->stall_ms - still);
		return;
	}
	/* Two samples, the later one from this silence. */
	if (a->samples < 2 || a->process_at - moved < a->stall_ms / 2) {
		activity_sooner(&f->next_ms, ACTIVITY_IDLE_SAMPLE_MS);
		return;
	}
	f->stalled = true;
	snprintf(f->detail, sizeof f->detail,
		 "stalled: no output and no processor time for %lld s",
		 (long long)(still / 1000));
	activity_sooner(&f->next_ms, ACTIVITY_IDLE_SAMPLE_MS);
}

/*
 * Nobody speaks: the process as a witness. "Idle" takes a look at it that
 * was made when it had been quiet for long enough; without looks, silence
 * says nothing.
 */
static void ask_process(const struct activity_fuser *a, int64_t now,
			struct fused *f)
{
	int64_t moved = activity_moved_at(a), quiet = now - moved;
	const char *seen = "its processes come and go";

	f->source = SOURCE_PROCESS;
	if (activity_will_tell(a)) {
		check_stall(a, now, f);
		why(f, SOURCE_PROCESS, "a witness only; others will tell%s",
		    f->stalled ? ", but nothing moves" : "");
		return;
	}
	activity_sooner(&f->next_ms, ACTIVITY_SAMPLE_MS);
	if (moved == 0 && a->samples < 2) {
		why(f, SOURCE_PROCESS, "nothing seen of it yet");
		return;
	}
	if (a->samples >= 2 && quiet >= ACTIVITY_QUIET_MS &&
	    a->process_at - moved >= ACTIVITY_QUIET_MS - 500) {
		f->claim = CLAIM_REST;
		f->activity = ACTIVITY_IDLE;
		f->next_ms = ACTIVITY_IDLE_SAMPLE_MS;
		snprintf(f->detail, sizeof f->detail,
			 "quiet, as far as its process tells");
		why(f, SOURCE_PROCESS,
		    "believed, as nothing else speaks: no output, no "
		    "processor time, no change of children");
		return;
	}
	if (moved == a->output_at)
		seen = quiet < ACTIVITY_QUIET_MS ? "prints" : "has printed";
	else if (moved == a->cpu_at)
		seen = "uses the processor";
	f->claim = CLAIM_BUSY;
	f->activity = ACTIVITY_WORKING;
	snprintf(f->detail, sizeof f->detail, "%s, as far as its process tells",
		 seen);
	why(f, SOURCE_PROCESS, "believed, as nothing else speaks: %s", seen);
}

static void take(const struct activity_fuser *a, enum source s,
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

/* Messages that it has taken are next. Not for long: the row may be old. */
static bool goes_on(const struct activity_fuser *a, int64_t now,
		    struct fused *f)
{
	int64_t left;

	/* The process says nothing of a queue. */
	if (!a->queued || f->source >= ACTIVITY_SLOTS)
		return false;
	left = a->slots[f->source].since + ACTIVITY_QUEUED_MS - now;
	if (left <= 0)
		return false;
	activity_sooner(&f->next_ms, left);
	f->claim = CLAIM_BUSY;
	f->activity = ACTIVITY_WORKING;
	snprintf(f->detail, sizeof f->detail, "messages wait in its own queue");
	return true;
}

/* What is on the screen stands in the place of a composer that was there. */
static bool is_open(const struct activity_fuser *a)
{
	return (a->shown || a->begun) && !a->blank;
}

/* The time at which a missing composer is reported. */
static int64_t covered_at(const struct activity_fuser *a, int64_t rest_since)
{
	int64_t at = later(a->covered_since, rest_since) + ACTIVITY_COVERED_MS;

	if (!is_open(a))
		return a->covered_since + a->ready_ms;
	if (a->entered_at != 0)
		at = later(at, a->entered_at + ACTIVITY_ENTERED_MS);
	if (a->half_drawn)
		at = later(at, a->output_at + ACTIVITY_HALF_DRAWN_MS);
	return at;
}

static void describe_covered(const struct activity_fuser *a, struct fused *f)
{
	const char *what = a->slots[SOURCE_SCREEN].r.detail;

	if (!is_open(a))
		snprintf(f->detail, sizeof f->detail,
			 "its composer has not been on the screen for %lld s",
			 (long long)(a->ready_ms / 1000));
	else
		snprintf(f->detail, sizeof f->detail,
			 "something is open in its composer's place%s%.140s",
			 a->overlay ? ": " : "", a->overlay ? what : "");
}

/*
 * The user has opened a picker, a search or a pager in the composer's place;
 * or there was no composer for as long as a start may take. A harness that has
 * never shown it is starting, whatever its hooks say.
 */
static bool is_covered(const struct activity_fuser *a, int64_t now,
		       struct fused *f)
{
	int64_t since = f->reading ? a->slots[f->source].since : 0;
	int64_t left = covered_at(a, since) - now;

	if (!a->covered || a->submitted)
		return false;
	/* An open pager may hide a turn, if nothing else tells of that. */
	if (f->claim != CLAIM_REST && (f->claim != CLAIM_NONE || is_open(a)))
		return false;
	if (left > 0) {
		activity_sooner(&f->next_ms, left);
		f->starting = activity_is_starting(a, now);
		if (f->starting && f->claim == CLAIM_REST) {
			f->claim = CLAIM_NONE;
			f->activity = ACTIVITY_NONE;
			f->detail[0] = '\0';
		}
		return false;
	}
	f->covered = true;
	f->stalled = false;
	f->claim = CLAIM_WAITING;
	f->activity = ACTIVITY_WAITING_FOR_INPUT;
	describe_covered(a, f);
	return true;
}

/* What the screen knows of a rest, and of a harness that says nothing. */
static void doubt_rest(const struct activity_fuser *a, int64_t now,
		       struct fused *f)
{
	if (!(f->claim == CLAIM_REST && goes_on(a, now, f)) &&
	    !is_covered(a, now, f))
		return;
	f->source = SOURCE_SCREEN;
	f->reading = &a->slots[SOURCE_SCREEN].r;
	why(f, SOURCE_SCREEN, "believed: %s", f->detail);
}

void activity_fuse(const struct activity_fuser *a, int64_t now, struct fused *f)
{
	enum claim claims[ACTIVITY_SLOTS];
	enum source leader = SOURCE_COUNT;

	*f = (struct fused){.source = SOURCE_PROCESS, .next_ms = -1};
	for (int i = ACTIVITY_SLOTS - 1; i >= 0; i--) {
		claims[i] = slot_claim(a, (enum source)i, now, f);
		if (claims[i] != CLAIM_NONE)
			leader = (enum source)i;
	}
	if (a->slots[SOURCE_SCREEN].r.question) {
		leader = SOURCE_SCREEN;
		why(f, leader,
		    "believed: a question on the screen overrides all");
		take(a, leader, CLAIM_WAITING, f);
		f->question = true;
		f->covered = activity_rests_below(a);
	} else if (leader == SOURCE_COUNT) {
		ask_process(a, now, f);
		doubt_rest(a, now, f);
	} else {
		leader = challenge(a, now, claims, leader, f);
		take(a, leader, claims[leader], f);
		refine(a, leader, f);
		doubt_rest(a, now, f);
		check_stall(a, now, f);
		/* The title will tell when it is ready. */
		if (leader == SOURCE_SCREEN && a->by_composer &&
		    a->adapter->titles != NULL)
			f->starting_up = true;
	}
	explain_rest(claims, leader, f);
	if (f->why[SOURCE_PROCESS][0] == '\0')
		why(f, SOURCE_PROCESS, "a witness only: %s",
		    f->stalled ? "nothing moves" : "tells stalled from busy");
}
