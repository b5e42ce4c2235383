/* doctor_probes.c - what `afw doctor` and `afw reconcile` look for, besides
 * what is recorded: session/repair/survey.c lists that for the dashboard, too.
 */
#include "commands/doctor.h"

const struct probe doctor_probes[] = {
    {"data directory", FOR_DOCTOR, doctor_data, NULL},
    {"runtime directory", FOR_DOCTOR, doctor_runtime, NULL},
    {"control sockets", FOR_DOCTOR, doctor_sockets, NULL},
    {"/proc", FOR_DOCTOR, doctor_proc, NULL},
    {"programs", FOR_DOCTOR, doctor_check_programs, NULL},
    {"configuration", FOR_DOCTOR, doctor_config, NULL},
    {"git", FOR_DOCTOR, doctor_git, NULL},
    {"tmux", FOR_DOCTOR, doctor_tmux, NULL},
    {"sandboxes", FOR_DOCTOR, doctor_sandboxes, NULL},
    {"pseudo terminals", FOR_DOCTOR, doctor_pty, NULL},
    {"inotify", FOR_DOCTOR, doctor_inotify, NULL},
    {"terminal", FOR_DOCTOR, doctor_terminal, NULL},
    {"locale", FOR_DOCTOR, doctor_locale, NULL},
    {"containers", FOR_RECONCILE, doctor_containers, doctor_remove_container},
    {"main worktrees", FOR_RECONCILE | FOR_DOCTOR, doctor_try, NULL},
    {.name = NULL}};
