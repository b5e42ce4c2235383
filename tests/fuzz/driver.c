/*
 * driver.c - runs a fuzz target without libFuzzer: every file given, then,
 * until -max_total_time=SECONDS are over, mutations of them from a fixed
 * seed. Finds less than clang's engine, and needs nothing but a compiler.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"

#define MAX_INPUTS 4096
#define MAX_BYTES  65536

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct buf inputs[MAX_INPUTS];
static size_t n_inputs;
static uint64_t seed = 0x9e3779b97f4a7c15u;

static uint32_t rnd(uint32_t below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % below;
}

static void add_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	char bytes[4096];
	size_t n;

	if (!f || n_inputs == MAX_INPUTS) {
		if (f)
			fclose(f);
		return;
	}
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0 &&
	       inputs[n_inputs].len < MAX_BYTES)
		buf_add(&inputs[n_inputs], bytes, n);
	fclose(f);
	buf_add(&inputs[n_inputs], "", 0);
	n_inputs++;
}

static void add(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *de;

	if (!dir) {
		add_file(path);
		return;
	}
	while ((de = readdir(dir))) {
		char *name = mem_printf("%s/%s", path, de->d_name);
		struct stat st;

		if (stat(name, &st) == 0 && S_ISREG(st.st_mode))
			add_file(name);
		free(name);
	}
	closedir(dir);
}

static void mutate(struct buf *b)
{
	const struct buf *other = &inputs[rnd((uint32_t)n_inputs)];
	size_t at = b->len ? rnd((uint32_t)b->len) : 0, n;

	switch (rnd(5)) {
	case 0: /* another byte */
		if (b->len)
			b->data[at] = (char)rnd(256);
		break;
	case 1: /* a bit turned */
		if (b->len)
			b->data[at] ^= (char)(1 << rnd(8));
		break;
	case 2: /* something taken out */
		n = b->len ? rnd((uint32_t)(b->len - at)) + 1 : 0;
		memmove(b->data + at, b->data + at + n, b->len - at - n + 1);
		b->len -= n;
		break;
	case 3: /* append a part of another input after the cut */
		b->len = at;
		if (other->len) {
			at = rnd((uint32_t)other->len);
			buf_add(b, other->data + at, other->len - at);
		}
		break;
	default: /* a byte more */
		buf_addc(b, (char)rnd(256));
	}
	if (b->len > MAX_BYTES)
		b->len = MAX_BYTES;
}

int main(int argc, char **argv)
{
	int64_t end = clock_mono_ms();
	uint64_t runs = 0;
	size_t i;

	for (i = 1; i < (size_t)argc; i++) {
		if (strncmp(argv[i], "-max_total_time=", 16) == 0)
			end += 1000 * atoll(argv[i] + 16);
		else if (argv[i][0] != '-')
			add(argv[i]);
	}
	for (i = 0; i < n_inputs; i++, runs++)
		LLVMFuzzerTestOneInput((uint8_t *)inputs[i].data,
				       inputs[i].len);
	if (n_inputs == 0)
		buf_add(&inputs[n_inputs++], "", 0);
	while (clock_mono_ms() < end) {
		struct buf b = {0};
		uint32_t times = 1 + rnd(8);

		i = rnd((uint32_t)n_inputs);
		buf_add(&b, inputs[i].data, inputs[i].len);
		while (times--)
			mutate(&b);
		LLVMFuzzerTestOneInput((uint8_t *)b.data, b.len);
		buf_finish(&b);
		runs++;
	}
	for (i = 0; i < n_inputs; i++)
		buf_finish(&inputs[i]);
	printf("%llu inputs\n", (unsigned long long)runs);
	return 0;
}
