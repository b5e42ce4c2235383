/*
 * body.h - JSON of OpenCode's server. It is made of JavaScript's strings, in
 * which a NUL and half of a surrogate pair are fine: a file in UTF-16, or a
 * title that was cut within an emoji. json.h refuses both.
 */
#ifndef AFW_OPENCODE_BODY_H
#define AFW_OPENCODE_BODY_H

#include <stddef.h>

#include <cjson/cJSON.h>

/* As json_parse_object(), but that an escape which stands for no character of
 * UTF-8's stands for U+FFFD. NULL where it is no object. */
cJSON *body_object(const char *text, size_t len);

#endif
