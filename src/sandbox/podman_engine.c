/* podman_engine.c - what differs between the commands podman and docker. */
#include "sandbox/podman_engine.h"

#include <string.h>

static const struct podman_engine podman = {
    .name = "podman",
    .network = "slirp4netns",
    .pass_fd = "--preserve-fds=1",
    .detach = "--detach-keys=",
    .cover = "ro,notmpcopyup,size=4k,mode=0555",
    .list = "{{.Names}} {{index .Labels \"afw.dir\"}}",
    .exists = {"image", "exists"},
    .rm = {"rm", "--ignore", "--volumes"},
};

static const struct podman_engine docker = {
    .name = "docker",
    .has_daemon = true,
    .detach = "--detach-keys=ctrl-^,ctrl-@,ctrl-^,ctrl-@",
    .cover = "ro,size=4k,mode=0555",
    .list = "{{.Names}} {{.Label \"afw.dir\"}}",
    .exists = {"image", "inspect", "--format={{.Id}}"},
    .rm = {"rm", "--volumes"},
};

const struct podman_engine *podman_engine_find(const char *name)
{
	return name && strcmp(name, docker.name) == 0 ? &docker : &podman;
}
