/* ssh_url.c - checks the address of a repository on another machine. */
#include "base/ssh_url.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SCHEME "ssh://"

static bool is_of(const char *text, size_t len, const char *marks)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr(marks, text[i]))
			return false;
	return len > 0 && text[0] != '-';
}

size_t ssh_url_destination(const char *url)
{
	return strlen(SCHEME) + strcspn(url + strlen(SCHEME), "/");
}

static const char *check_port(const char *port, const char *end)
{
	char *rest;
	long number = strtol(port, &rest, 10);

	return rest == end && isdigit((unsigned char)*port) && number > 0 &&
		       number < 65536
		   ? NULL
		   : "its port is not valid";
}

const char *ssh_url_check(const char *url)
{
	const char *host = url + strlen(SCHEME), *path, *at, *port;
	size_t len;

	if (strncmp(url, SCHEME, strlen(SCHEME)) != 0)
		return "it is not of the form ssh://USER@HOST/PATH";
	path = url + ssh_url_destination(url);
	at = memchr(host, '@', (size_t)(path - host));
	if (at && !is_of(host, (size_t)(at - host), "._-"))
		return "its user is not valid";
	host = at ? at + 1 : host;
	len = host[0] == '[' ? strcspn(host, "]/") + 1 : strcspn(host, ":/");
	port = host + len;
	if (host[0] == '['
		? len < 3 || port > path || !is_of(host + 1, len - 2, ":.")
		: !is_of(host, len, "._-"))
		return "its host is not valid";
	if (port < path && (*port != ':' || check_port(port + 1, path)))
		return "its port is not valid";
	for (; *path; path++)
		if (!((unsigned char)*path >= 0x80 ||
		      isalnum((unsigned char)*path) ||
		      strchr("/._~+@,=:-", *path)))
			return "its path has a character that is not allowed "
			       "in an ssh:// address";
	return NULL;
}
