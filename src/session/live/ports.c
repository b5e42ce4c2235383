/*
 * ports.c - chooses the ports of a session. They are stored in its spec.json
 * alone: who chooses has the lock under which sessions get their names, and the
 * board has the ports of all of them.
 */
#include "session/live/ports.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/hash.h"
#include "base/session_vars.h"
#include "session/live/limit.h"

#define SLUG_ID	  6  /* digits of the id */
#define SLUG_NAME 32 /* PostgreSQL cuts names at 63 bytes */

/* A server that has ended may still have connections: SO_REUSEADDR. */
static bool can_bind(int fd, const void *address, socklen_t size)
{
	int on = 1, off = 0;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
	return bind(fd, address, size) == 0 || errno != EADDRINUSE;
}

bool ports_is_free(int port)
{
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6,
				  .sin6_port = htons((uint16_t)port)};
	struct sockaddr_in v4 = {.sin_family = AF_INET,
				 .sin_port = v6.sin6_port};
	_close_ int both = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	_close_ int one = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return can_bind(one, &v4, sizeof v4) && can_bind(both, &v6, sizeof v6);
}

/* Returns whether a session of l, except s, has one of the ports. */
static bool is_taken(const struct spec *s, const struct session_list *l,
		     int first)
{
	for (size_t i = 0; i < l->n; i++) {
		int other = l->v[i].spec.first_port;

		if (other && abs(other - first) < SESSION_PORTS &&
		    strcmp(l->v[i].spec.id, s->id) != 0)
			return true;
	}
	return false;
}

static bool is_block_free(const struct spec *s, const struct session_list *l,
			  int first)
{
	if (is_taken(s, l, first))
		return false;
	for (int i = 0; i < SESSION_PORTS; i++)
		if (!ports_is_free(first + i))
			return false;
	return true;
}

/* Returns such as "shop_fix_login_1c9a44", which databases and compose accept
 * as a name; to be freed. */
static char *make_slug(const struct spec *s)
{
	const char *repository = s->repository ? s->repository : "";
	const char *slash = strrchr(repository, '/');
	char *slug =
	    mem_printf("%.*s_%.*s_%.*s", SLUG_NAME / 2, slash ? slash + 1 : "",
		       SLUG_NAME / 2, s->name, SLUG_ID, s->id);

	for (char *c = slug; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c + 'a' - 'A');
		else if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789", *c))
			*c = '_';
	if (*slug == '_' || (*slug >= '0' && *slug <= '9'))
		*slug = 's';
	return slug;
}

int ports_choose(struct spec *s, const struct session_list *l,
		 const char *range, struct err *err)
{
	uint64_t hash = hash_add(HASH_NONE, s->name, strlen(s->name));
	int low, high, blocks;

	if (!s->slug)
		s->slug = make_slug(s);
	if (!*range)
		return 0;
	if (session_vars_range(range, &low, &high))
		return err_set(err, ERR_FAILED, "port_range: '%.40s'", range);
	if (s->repository)
		hash = hash_add(hash, s->repository, strlen(s->repository));
	blocks = (high - low + 1) / SESSION_PORTS;
	for (int i = 0; i < blocks; i++) {
		int at = (int)((hash + (uint64_t)i) % (uint64_t)blocks);

		s->first_port = low + at * SESSION_PORTS;
		if (is_block_free(s, l, s->first_port))
			return 0;
	}
	s->first_port = 0;
	err_set(err, ERR_LIMIT, "port_range %s has no free block of %d ports",
		range, SESSION_PORTS);
	return err_hint(err, "`afw ls -o name,port` lists who has them; set "
			     "port_range to more ports, or to nothing");
}

int ports_ensure(const struct session *s, const char *range, struct err *err)
{
	_session_list_ struct session_list l = {0};
	_spec_ struct spec spec = {0};
	_close_ int names = -1;

	if (s->spec.slug && (s->spec.first_port || !*range))
		return 0;
	names = limit_lock(err);
	if (names < 0 || session_list_load_board(&l, err) < 0 ||
	    spec_load(&spec, s->dir, err) < 0 ||
	    ports_choose(&spec, &l, range, err) < 0)
		return -1;
	return spec_save(&spec, s->dir, true, err);
}

int ports_give_up_taken(const char *id, struct err *err)
{
	_session_list_ struct session_list l = {0};
	_session_ struct session s = {0};

	if (session_list_load_board(&l, err) < 0 ||
	    session_load(&s, id, err) < 0)
		return -1;
	if (!s.spec.first_port || !is_taken(&s.spec, &l, s.spec.first_port))
		return 0;
	s.spec.first_port = 0;
	return spec_save(&s.spec, s.dir, true, err);
}
