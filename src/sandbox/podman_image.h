/* podman_image.h - the images that containers are made of. */
#ifndef AFW_SANDBOX_PODMAN_IMAGE_H
#define AFW_SANDBOX_PODMAN_IMAGE_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "session/spec.h"

/* The one that `afw image build` makes for a harness; to be freed. */
char *podman_image_name(const char *harness);
/* A session's: what its spec names, else that of its harness; to be freed. */
char *podman_image_of(const struct spec *spec);
/* Where podman would ask no registry for it. */
bool podman_image_is_local(const char *image);

/* 1: it is here, 0: it is not; -1 with err. */
int podman_image_exists(const char *image, struct err *err);

/* Whether that name of an image, as podman lists it, is what a user calls image:
 * without a tag or a registry. */
bool podman_image_is_called(const char *name, const char *image);

/* Those with a name or with afw's label: an array of objects, afw-image(1),
 * without used_by; to be deleted. NULL with err. */
cJSON *podman_image_list(struct err *err);

#endif
