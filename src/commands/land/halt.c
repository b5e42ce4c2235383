/* halt.c - the signals that end a landing. */
#include "commands/land/halt.h"

#include <stddef.h>

static volatile sig_atomic_t caught;

static void on_signal(int signo)
{
	caught = signo;
}

void halt_catch(void)
{
	/* Without SA_RESTART a wait ends too. */
	struct sigaction sa = {.sa_handler = on_signal,
			       .sa_flags = (int)SA_RESETHAND};
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigaction(signals[i], &sa, NULL);
}

const volatile sig_atomic_t *halt_flag(void)
{
	return &caught;
}

bool halt_is_set(void)
{
	return caught != 0;
}

int halt_err(struct err *err)
{
	err_set(err, caught == SIGINT ? ERR_INTERRUPTED : ERR_FAILED,
		"interrupted");
	return -1;
}
