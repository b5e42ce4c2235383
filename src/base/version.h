/*
 * version.h - the version of all of afw, and the only place where it is
 * written: the Makefile, the manual pages and the packages take it from here.
 * share/NEWS.md says what each version brought.
 */
#ifndef AFW_BASE_VERSION_H
#define AFW_BASE_VERSION_H

#define AFW_VERSION "0.9.0"

#endif
