/* test_config_keymap.c - [keys]: what the dashboard's keys may be. */
#include "config/keymap.h"
#include "support_config.h"
#include "support_unit.h"

FIXTURE(conf_setup, conf_teardown)

static int act_of(const struct keymap *map, const char *name)
{
	struct keyname key;

	assert_int_equal(keyname_parse(name, &key, &conf_err), 0);
	return keymap_find_action(map, &key);
}

static void refused(const char *keys, const char *why)
{
	char *text = mem_printf("[keys]\n%s", keys);
	struct config *c;
	struct keymap map;

	conf_put(CONF_USER, text);
	if (config_load(&c, &conf_where, &conf_err) == 0) {
		assert_int_equal(keymap_make(&map, c, &conf_err), -1);
		assert_int_equal(map.n, 0);
	}
	if (!strstr(conf_err.what, why))
		fail_msg("%s", conf_err.what);
	config_destroy(c);
	free(text);
}

TEST(keymap__defaults_go_together)
{
	struct keymap map;

	assert_int_equal(keymap_make(&map, NULL, &conf_err), 0);
	assert_int_equal(act_of(&map, "Enter"), 1);
	assert_int_equal(act_of(&map, "C-m"), 1);
	assert_int_equal(act_of(&map, "M-F12"), 0);
	keymap_finish(&map);
}

TEST(keymap__the_users_keys_take_the_place_of_the_defaults)
{
	struct keymap map;
	struct config *c;

	conf_put(CONF_USER, "[keys]\nattach = v F5 \";\" M-;\napprove =\n");
	c = conf_load();
	assert_int_equal(keymap_make(&map, c, &conf_err), 0);
	assert_int_equal(act_of(&map, "v"), 1);
	assert_int_equal(act_of(&map, "F5"), 1);
	assert_int_equal(act_of(&map, ";"), 1);
	assert_int_equal(act_of(&map, "M-;"), 1);
	assert_int_equal(act_of(&map, "Enter"), 0);
	assert_int_equal(act_of(&map, "y"), 0);
	keymap_finish(&map);
	config_destroy(c);
}

/* Also one that a later version gives to another action. */
TEST(keymap__a_key_of_the_users_is_taken_from_a_default)
{
	struct keymap map;
	struct config *c;

	conf_put(CONF_USER, "[keys]\nattach = s\nquit = y\n");
	c = conf_load();
	assert_int_equal(keymap_make(&map, c, &conf_err), 0);
	assert_int_equal(act_of(&map, "s"), 1);
	assert_true(act_of(&map, "y") > 1);
	assert_int_equal(act_of(&map, "Enter"), 0);
	keymap_finish(&map);
	config_destroy(c);
}

TEST(keymap__mistakes_name_their_line)
{
	refused("atach = o\n", "afw.ini:2: unknown key 'atach' (did you mean "
			       "'attach'?)");
	refused("attach = Entre\n", "there is no key 'Entre' (did you mean "
				    "'Enter'?)");
	refused("attach = C-Enter\n", "not a key that every terminal has");
	refused("attach = C-Left\n", "not a key that every terminal has");
	refused("\nnew = s\nsend = s v\n",
		"afw.ini:3: keys.new: 's' is a key of keys.send");
	refused("attach = C-i\ntab-next = Tab\n", "is a key of keys.attach");
	refused("new = q C-c\n", "keys.quit: the dashboard needs a key");
	refused("quit =\n", "afw.ini:2: keys.quit: the dashboard needs a key");
}
