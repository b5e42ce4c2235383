/* hello.c - the least that a curses program can do, to compare with. */
#include <curses.h>
#include <locale.h>

int main(void)
{
	setlocale(LC_ALL, "");
	if (!initscr())
		return 1;
	addstr("hello");
	do
		refresh();
	while (addch((chtype)getch()) == OK);
	endwin();
	return 0;
}
