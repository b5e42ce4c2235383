/* remote.c - the screen of a session on another machine. */
#include "tui/preview/remote.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "tui/child/refresh.h"

struct remote {
	char id[SPEC_ID_LEN + 1]; /* "": none */
	struct refresh screen;
	struct capture picture;
	bool live;
	char *says; /* why there is no picture, or NULL */
};

static void remote_words(void *owner, struct strv *words)
{
	const struct remote *r = owner;

	strv_add(words, "capture");
	strv_add(words, "--json");
	strv_add(words, "--colours");
	strv_add(words, r->id);
}

/* After an error, the last picture stays. */
static void remote_store(void *owner, const struct job_result *result)
{
	struct remote *r = owner;
	_json_ cJSON *o =
	    result->exit_code
		? NULL
		: json_parse_object(result->out, result->out_len, NULL);

	free(r->says);
	r->says = result->exit_code ? job_reason(result) : NULL;
	r->live = o && capture_from_json(&r->picture, o) == 0 &&
		  json_bool(o, "live", false);
}

struct remote *remote_create(struct tui *t)
{
	struct remote *r = mem_alloc(sizeof *r);

	r->screen = (struct refresh){
	    .owner = r,
	    .words = remote_words,
	    .store = remote_store,
	    .settle_ms = 40, /* moving through the list costs nothing */
	    .pause_ms = 200,
	    .share = 5,
	    .timeout_ms = 15000};
	refresh_create(&r->screen, t);
	return r;
}

static void forget(struct remote *r)
{
	capture_finish(&r->picture);
	free(r->says);
	r->says = NULL;
	r->live = false;
}

void remote_destroy(struct remote *r)
{
	if (!r)
		return;
	refresh_finish(&r->screen);
	forget(r);
	free(r);
}

void remote_select(struct remote *r, const struct session *s)
{
	const char *id = s && s->host ? s->spec.id : "";

	if (strcmp(r->id, id) == 0)
		return;
	forget(r);
	memcpy(r->id, id, strlen(id) + 1);
	refresh_stop(&r->screen);
	if (*id)
		refresh_now(&r->screen);
}

void remote_changed(struct remote *r, const char *id)
{
	if (strcmp(r->id, id) == 0)
		refresh_soon(&r->screen);
}

const struct capture *remote_capture(const struct remote *r)
{
	return r->picture.screen ? &r->picture : NULL;
}

bool remote_is_live(const struct remote *r)
{
	return r->live;
}

const char *remote_message(const struct remote *r)
{
	return r->says ? r->says : "";
}
