/* size.c - prints a number of bytes for people. */
#include "base/size.h"

#include <stddef.h>
#include <stdio.h>

void size_text(int64_t bytes, char out[SIZE_TEXT])
{
	static const char units[] = "KMGTP";
	size_t i = 0;

	bytes = (bytes + 1023) / 1024;
	for (; bytes > 9999 && units[i + 1]; i++)
		bytes = (bytes + 1023) / 1024;
	snprintf(out, SIZE_TEXT, "%lld%c", (long long)bytes, units[i]);
}
