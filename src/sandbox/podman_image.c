/* podman_image.c - the images of containers. */
#include "sandbox/podman_image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "sandbox/podman_args.h"
#include "sandbox/podman_call.h"
#include "sandbox/podman_engine.h"

char *podman_image_name(const char *harness)
{
	char *name = mem_printf("localhost/afw-%s", harness);

	/* An image's name has only these characters. */
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return name;
}

char *podman_image_of(const struct spec *spec)
{
	return spec->image && spec->image[0]
		   ? mem_strdup(spec->image)
		   : podman_image_name(spec->harness ? spec->harness
						     : "generic");
}

bool podman_image_is_local(const char *image)
{
	return strncmp(image, "localhost/", 10) == 0;
}

int podman_image_exists(const char *engine, const char *image, struct err *err)
{
	struct strv argv = {0};
	int rc;

	podman_args_image_exists(engine, image, &argv);
	rc = podman_call(&argv, PODMAN_CALL_MS, NULL, err);
	if (rc > 0 && podman_engine_find(engine)->has_daemon)
		return 0; /* any error: docker does not say which */
	return rc == 0 ? 1 : rc == 1 ? 0 : -1;
}

/* Removes ":latest", which podman adds to a name without a tag. */
static void cut_latest(char *name)
{
	char *end = strstr(name, ":latest");

	if (end && strcmp(end, ":latest") == 0)
		*end = '\0';
}

bool podman_image_is_called(const char *name, const char *image)
{
	_free_ char *wanted = mem_strdup(image);
	size_t len = strlen(name), n;

	cut_latest(wanted);
	n = strlen(wanted);
	/* True for "debian" and "docker.io/library/debian". */
	return n > 0 && n <= len && strcmp(name + len - n, wanted) == 0 &&
	       (n == len || name[len - n - 1] == '/');
}

/* podman lists an image once for each of its names. */
static bool has_id(const cJSON *all, const char *id)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, all)
		if (id && strcmp(json_str_or(o, "id", ""), id) == 0)
			return true;
	return false;
}

/* Makes one image's object from podman's; NULL: it has no name and is not
 * afw's. */
static cJSON *image_object(const cJSON *from)
{
	const cJSON *labels = json_get(from, "Labels");
	char at[CLOCK_RFC3339_SIZE];
	_strv_ struct strv names = {0};
	cJSON *o;

	json_strv(from, "Names", &names);
	if (!names.n && !json_str(labels, "afw.managed"))
		return NULL;
	o = cJSON_CreateObject();
	for (size_t i = 0; i < names.n; i++)
		cut_latest(names.v[i]);
	json_set_text(o, "name", names.n ? names.v[0] : NULL);
	json_set_strv(o, "names", &names);
	json_set_str(o, "id", json_str(from, "Id"));
	json_set_str(o, "harness", json_str(labels, "afw.harness"));
	json_set_int(o, "bytes", json_int(from, "Size", 0));
	clock_format(json_int(from, "Created", 0) * 1000, at);
	json_set_str(o, "created_at", at);
	return o;
}

cJSON *podman_image_list(struct err *err)
{
	cJSON *all = NULL, *said = NULL;
	_buf_ struct buf out = {0}, text = {0};
	struct strv argv = {0};
	const cJSON *o;
	cJSON *row;

	podman_args_images(&argv);
	if (podman_call(&argv, PODMAN_CALL_MS, &out, err) == 0) {
		buf_addf(&text, "{\"images\":%s}", out.len ? out.data : "[]");
		said = json_parse_object(text.data, text.len, err);
	}
	if (said) {
		all = cJSON_CreateArray();
		cJSON_ArrayForEach (o, json_get(said, "images"))
			if (!has_id(all, json_str(o, "Id")) &&
			    (row = image_object(o)))
				cJSON_AddItemToArray(all, row);
	}
	cJSON_Delete(said);
	return all;
}
