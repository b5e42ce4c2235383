/* podman_image.h - the images of containers. */
#ifndef AFW_SANDBOX_PODMAN_IMAGE_H
#define AFW_SANDBOX_PODMAN_IMAGE_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "session/spec.h"

/* Returns the image that `afw image build` makes for a harness; to be freed. */
char *podman_image_name(const char *harness);
/* Returns a session's image: the one in its spec, else its harness's; to be
 * freed. */
char *podman_image_of(const struct spec *spec);
/* True if podman would not ask a registry for it. */
bool podman_image_is_local(const char *image);

/* Returns 1 if it exists locally, 0 if not; -1 with err. */
int podman_image_exists(const char *engine, const char *image, struct err *err);

/* True if name, as podman lists it, is the image that a user names without a
 * tag or a registry. */
bool podman_image_is_called(const char *name, const char *image);

/* Returns the images with a name or with afw's label, as an array of objects,
 * afw-image(1), without used_by; to be deleted. NULL with err. */
cJSON *podman_image_list(struct err *err);

#endif
