/*
 * sse.c - lines first, fields of lines next, events of fields last. CR, LF
 * and CR LF all end a line, and the two bytes of the last may come apart.
 */
#include "opencode/sse.h"

#include <string.h>

static const char byte_order_mark[] = "\xef\xbb\xbf";

void sse_finish(struct sse *s)
{
	buf_finish(&s->line);
	buf_finish(&s->data);
	buf_finish(&s->type);
	*s = (struct sse){.fn = s->fn, .ctx = s->ctx};
}

static void dispatch(struct sse *s)
{
	if (s->spoiled)
		s->dropped++;
	else if (s->has_data)
		s->fn(s->ctx,
		      s->type.len > 0 ? s->type.data : "message",
		      s->data.data ? s->data.data : "", s->data.len);
	buf_clear(&s->data);
	buf_clear(&s->type);
	s->has_data = false;
	s->spoiled = false;
}

static bool is(const char *name, size_t len, const char *word)
{
	return len == strlen(word) && memcmp(name, word, len) == 0;
}

static void field(struct sse *s, const char *name, size_t name_len,
		  const char *value, size_t len)
{
	if (is(name, name_len, "event")) {
		buf_clear(&s->type);
		buf_add(&s->type, value, len);
	} else if (is(name, name_len, "data")) {
		if (s->has_data)
			buf_addc(&s->data, '\n');
		s->has_data = true;
		buf_add(&s->data, value, len);
		if (s->data.len > SSE_MAX) {
			s->spoiled = true;
			buf_finish(&s->data);
		}
	}
	/* id and retry are for clients that take a stream up again. */
}

static void end_line(struct sse *s)
{
	const char *line = s->line.data, *colon, *value;
	size_t len = s->line.len;

	if (s->long_line) {
		s->long_line = false;
		s->spoiled = true;
		buf_finish(&s->line);
		return;
	}
	if (!s->started && len >= 3 && memcmp(line, byte_order_mark, 3) == 0) {
		line += 3;
		len -= 3;
	}
	s->started = true;
	if (len == 0) {
		dispatch(s);
	} else if (line[0] != ':') { /* else a comment */
		colon = memchr(line, ':', len);
		value = colon ? colon + 1 : line + len;
		if (value < line + len && *value == ' ')
			value++;
		if (!s->spoiled)
			field(s, line, colon ? (size_t)(colon - line) : len,
			      value, (size_t)(line + len - value));
	}
	buf_clear(&s->line);
}

static void add(struct sse *s, const char *data, size_t len)
{
	if (s->long_line || len == 0)
		return;
	buf_add(&s->line, data, len);
	if (s->line.len > SSE_MAX) {
		s->long_line = true;
		s->started = true;
		buf_finish(&s->line);
	}
}

void sse_feed(struct sse *s, const char *data, size_t len)
{
	const char *end = data + len;

	while (data < end) {
		const char *at = data;

		if (s->after_cr && *data == '\n')
			at = ++data;
		s->after_cr = false;
		while (at < end && *at != '\r' && *at != '\n')
			at++;
		add(s, data, (size_t)(at - data));
		data = at;
		if (at == end)
			break;
		s->after_cr = *at == '\r';
		data = at + 1;
		end_line(s);
	}
}
