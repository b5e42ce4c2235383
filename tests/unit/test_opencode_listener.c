/* test_opencode_listener.c - on which port who listens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>
#include <unistd.h>
#include <cmocka.h>

#include "opencode/listener.h"
#include "support_opencode.h"

static void test_listener__knows_whose_a_port_is(void **state)
{
	struct listener found[16], ours = {0};
	pid_t before, below;
	uint16_t port;
	size_t n;
	int fd;

	(void)state;
	before = world_someone();
	fd = world_listen(&port);
	below = world_someone();
	n = listener_find(getpid(), found, 16);
	for (size_t i = 0; i < n; i++)
		if (found[i].port == port)
			ours = found[i];
	assert_int_equal(ours.port, port);
	assert_true(listener_holds(getpid(), &ours));
	assert_true(listener_holds(below, &ours));
	assert_false(listener_holds(before, &ours));
	/* A child's counts for the parent, also when it alone has it. */
	close(fd);
	assert_true(listener_holds(getpid(), &ours));
	world_end_someone(below);
	assert_false(listener_holds(getpid(), &ours));
	assert_int_equal(listener_find(before, found, 16), 0);
	world_end_someone(before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_listener__knows_whose_a_port_is),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
