/*
 * layer.h - [harness.NAME] keys of one file, and how files are laid over
 * each other. Inside config/ only.
 */
#ifndef AFW_CONFIG_LAYER_H
#define AFW_CONFIG_LAYER_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "config/config.h"

/* Adds an entry to harness, the object {"key": ["value", …]} of one file.
 * Refuses keys that are unknown and values that keys->check does. */
int layer_add(cJSON *harness, const struct section_harness_keys *keys,
	      const char *key, const char *value, struct err *err);

/* Lays what over base: its keys replace base's of the same name. */
void layer_over(cJSON *base, const cJSON *what);

/* The member, made where it is not there yet. */
cJSON *layer_of(cJSON *harnesses, const char *name);

/* What is wrong with a harness's name, or NULL. */
const char *section_check_name(const char *name);

/* A program that lies with the files of dir: in "command", "{share}/" at the
 * beginning becomes dir. */
void layer_find_shared(cJSON *harness, const char *dir);

#endif
