/* A file system without locks, such as some over a network: put before the system's library (LD_PRELOAD), this fails
   every lock with the error that NO_LOCKS names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>

static int error(void) { return atoi(getenv("NO_LOCKS")); }

static int control(const char *name, int file, int command, void *argument) {
    int (*real)(int, int, ...) = dlsym(RTLD_NEXT, name);
    switch (command) {
    case F_GETLK: case F_SETLK: case F_SETLKW: case F_OFD_GETLK: case F_OFD_SETLK: case F_OFD_SETLKW:
        errno = error();
        return -1;
    }
    return real(file, command, argument);
}

#define CONTROL(name)                          \
    int name(int file, int command, ...) {     \
        va_list rest;                          \
        va_start(rest, command);               \
        void *argument = va_arg(rest, void *); \
        va_end(rest);                          \
        return control(#name, file, command, argument); \
    }
CONTROL(fcntl)
CONTROL(fcntl64)

int flock(int file, int operation) { errno = error(); return -1; }
int lockf(int file, int command, off_t length) { errno = error(); return -1; }
int lockf64(int file, int command, off64_t length) { errno = error(); return -1; }
