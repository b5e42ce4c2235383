/*
 * jsonget.c - one value out of a JSON text, for test scripts.
 *
 *	jsonget a.b.0.c     the value there: a string bare, the rest as JSON
 *	jsonget '#' a.b     how many entries that array or object has
 *	jsonget .           the whole, on one line
 *	jsonget -c FILE...  the names of those that are not one JSON object
 *
 * The text comes on standard input and may be several JSON values (JSON
 * lines): then the path is looked up in each. Exits 1 where nothing has it.
 */
#include <cjson/cJSON.h>
#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"

static const cJSON *step(const cJSON *v, const char *name, size_t len)
{
	char key[256];

	if (len >= sizeof key)
		return NULL;
	memcpy(key, name, len);
	key[len] = '\0';
	if (cJSON_IsArray(v) && len && strspn(key, "0123456789") == len)
		return cJSON_GetArrayItem(v, atoi(key));
	return cJSON_GetObjectItemCaseSensitive(v, key);
}

static const cJSON *look_up(const cJSON *v, const char *path)
{
	if (strcmp(path, ".") == 0)
		return v;
	while (v && *path) {
		size_t len = strcspn(path, ".");

		v = step(v, path, len);
		path += len + (path[len] == '.');
	}
	return v;
}

static void print_value(const cJSON *v, bool count)
{
	char *text;

	if (count) {
		printf("%d\n", cJSON_GetArraySize(v));
	} else if (cJSON_IsString(v)) {
		puts(v->valuestring);
	} else {
		text = cJSON_PrintUnformatted(v);
		puts(text);
		free(text);
	}
}

static void read_all(int fd, struct buf *in)
{
	ssize_t n;

	while ((n = read(fd, buf_room(in, 65536), 65536)) > 0)
		in->len += (size_t)n;
	buf_addc(in, '\0');
}

static int check(char **files)
{
	int bad = 0;

	for (; *files; files++) {
		int fd = open(*files, O_RDONLY | O_CLOEXEC);
		struct buf in = {0};
		cJSON *o = NULL;

		if (fd < 0)
			continue; /* gone meanwhile: not torn */
		read_all(fd, &in);
		o = cJSON_ParseWithOpts(in.data, NULL, 1);
		if (!cJSON_IsObject(o)) {
			puts(*files);
			bad = 1;
		}
		cJSON_Delete(o);
		buf_finish(&in);
		close(fd);
	}
	return bad;
}

int main(int argc, char **argv)
{
	bool count = argc == 3 && strcmp(argv[1], "#") == 0;
	bool found = false;
	struct buf in = {0};
	const char *p;

	if (argc > 1 && strcmp(argv[1], "-c") == 0)
		return check(argv + 2);
	if (argc != 2 && !count)
		return 2;
	read_all(0, &in);
	for (p = in.data;;) {
		const cJSON *v;
		cJSON *root;

		while (isspace((unsigned char)*p))
			p++;
		if (!*p)
			break;
		root = cJSON_ParseWithOpts(p, &p, 0);
		if (!root) {
			fprintf(stderr, "jsonget: not JSON: %.60s\n", p);
			return 2;
		}
		v = look_up(root, argv[argc - 1]);
		if (v)
			print_value(v, count);
		found = found || v;
		cJSON_Delete(root);
	}
	buf_finish(&in);
	return found ? 0 : 1;
}
