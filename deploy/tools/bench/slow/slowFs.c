/*
 * A file system with high latency, like a file server in another room: a made-up tree, read-only, whose calls are each
 * answered after the same time. It speaks the FUSE protocol of the Linux kernel (linux/fuse.h) and needs root.
 *
 *   gcc -O2 slowFs.c -o slowFs && ./slowFs MOUNTPOINT [OPTIONS]
 *
 *   --folders N      folders d0, d1, …, spread over up to 50 top folders t0, t1, … (default 10)
 *   --files N        files f0, f1, … in each folder (default 100)
 *   --huge N         one more top folder "huge" with N files (default 0: no such folder)
 *   --links N        the first N entries of each folder are symbolic links (default 0)
 *   --copied 1       all entries have the same time, as after a copy that takes less than a second
 *   --again 1        one more top folder "again" is the root, as behind a server that follows links; its inodes have other numbers
 *   --untyped 1      listings don't have the kinds of entries
 *   --repeats N      a listing starts again at its end so many times, at ever higher positions (default 0)
 *   --latency N      microseconds until a call is answered (default 0: at once)
 *   --workers N      the server works on at most N calls at a time, and others queue (default 0: no limit)
 *   --hang NAME      never answers calls about NAME. Not even SIGKILL ends a process that waits for one; unmounting does.
 *   --fail NAME ERRNO COUNT
 *                    calls about NAME fail with this error number, the first COUNT times. The kernel repeats a lookup and an open
 *                    that fail with ESTALE once, so that a program sees half of them.
 *   --with-parent    ends when the process that started it does
 *
 * A NAME is that of any entry: t1, d12, huge, or f7 in each folder. Calls about it look it up, read its attributes, open it and
 * list it. With a slash at its end (d12/) the folder itself can be looked up, but opening it, listing it and lookups in it count.
 *
 * Prints "ready" once it is mounted. SIGUSR1 prints a line of JSON: how many calls came so far, how many of them wait for their
 * answer, at most how many waited at a time, and how many hang. SIGTERM unmounts, and calls that hang then fail.
 *
 * The delay is the same for all calls, so answers leave in the order of the calls: a queue and one thread are enough for any
 * number of calls in flight.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include "tree.h"

#define CACHED_SECONDS 60
#define MAX_RULES 16
#define QUEUE_SIZE (1 << 16)

static uint64_t latency, workers, untyped, repeats;
static const char *mountPoint;
static int device;

/* Calls that hang or fail. */
static struct rule { const char *name; bool hangs; int error; uint64_t left; } rules[MAX_RULES];
static int ruleCount;

static bool isAbout(const char *name, uint32_t opcode, uint64_t inode, const char *lookedUp) {
  char own[25];
  unsigned length = nameOf(inode, own);
  if (opcode == FUSE_LOOKUP && strcmp(name, lookedUp) == 0) return true;
  if (opcode != FUSE_LOOKUP && strcmp(name, own) == 0) return true;
  strcpy(own + length, "/");
  return opcode != FUSE_GETATTR && strcmp(name, own) == 0;
}

static struct rule *ruleFor(uint32_t opcode, uint64_t inode, const char *lookedUp) {
  for (struct rule *rule = rules; rule < rules + ruleCount; rule++)
    if ((rule->hangs || rule->left > 0) && isAbout(rule->name, opcode, inode, lookedUp)) return rule;
  return NULL;
}

/* Calls that wait for their answer are those from `first` to `next`, by their number modulo the size. Times in nanoseconds. */
struct call { uint64_t due, unique, inode, offset; uint32_t opcode, size; int error; };
static struct call queue[QUEUE_SIZE];
static volatile uint64_t first, next, mostWaiting, hanging;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void fail(const char *reason) {
  fprintf(stderr, "%s: %s\n", reason, strerror(errno));
  exit(1);
}

/* A reply to a call that was cancelled meanwhile fails, which is fine. */
static void reply(uint64_t unique, int error, const void *data, size_t size) {
  struct fuse_out_header header = {.len = sizeof header + size, .error = -error, .unique = unique};
  struct iovec parts[] = {{&header, sizeof header}, {(void *)data, size}};
  if (writev(device, parts, 2) < 0 && errno != ENOENT && errno != ENODEV) fail("reply");
}

/* Position 0 of a listing is the folder itself, and 1 its parent. */
static void replyListing(const struct call *call) {
  static char listing[1 << 18];
  struct node folder = nodeOf(call->inode);
  uint64_t children = childCount(folder), count = children * (repeats + 1) + 2;
  size_t used = 0, size = call->size < sizeof listing ? call->size : sizeof listing;
  for (uint64_t at = call->offset; at < count && used + FUSE_NAME_OFFSET + 24 <= size; at++) {
    struct fuse_dirent *entry = (void *)(listing + used);
    entry->ino = at == 0 ? call->inode : at == 1 ? parentOf(call->inode) : childAt(call->inode, (at - 2) % children);
    entry->off = at + 1;
    entry->type = untyped ? 0 : modeOf(nodeOf(entry->ino)) >> 12;
    entry->namelen = at < 2 ? at + 1 : nameOf(entry->ino, entry->name);
    if (at < 2) memcpy(entry->name, "..", 2);
    used += FUSE_DIRENT_SIZE(entry);
  }
  reply(call->unique, 0, listing, used);
}

static void answer(const struct call *call) {
  char target[24];
  if (call->error) reply(call->unique, call->error, NULL, 0);
  else if (call->opcode == FUSE_LOOKUP) {
    struct fuse_entry_out entry = {.nodeid = call->inode, .entry_valid = CACHED_SECONDS, .attr_valid = CACHED_SECONDS,
                                   .attr = attributesOf(call->inode)};
    reply(call->unique, 0, &entry, sizeof entry);
  } else if (call->opcode == FUSE_GETATTR) {
    struct fuse_attr_out attributes = {.attr_valid = CACHED_SECONDS, .attr = attributesOf(call->inode)};
    reply(call->unique, 0, &attributes, sizeof attributes);
  } else if (call->opcode == FUSE_OPENDIR) reply(call->unique, 0, &(struct fuse_open_out){0}, sizeof(struct fuse_open_out));
  else if (call->opcode == FUSE_READDIR) replyListing(call);
  else if (call->opcode == FUSE_READLINK) reply(call->unique, 0, target, targetOf(call->inode, target));
  else {
    struct fuse_statfs_out statistics = {.st = {.blocks = 1 << 30, .bsize = 4096, .frsize = 4096, .namelen = 255}};
    reply(call->unique, 0, &statistics, sizeof statistics);
  }
}

/* Due times never decrease: with workers, a call starts when the call so many places ahead of it is done. */
static void enqueue(struct call call) {
  uint64_t start = now(), freed = workers ? queue[(next - workers) % QUEUE_SIZE].due : 0;
  call.due = (freed > start ? freed : start) + latency * 1000;
  if (next - first == QUEUE_SIZE) fail("too many calls wait");
  queue[next % QUEUE_SIZE] = call;
  next++;
  if (next - first > mostWaiting) mostWaiting = next - first;
}

static void greet(const struct fuse_in_header *request) {
  struct fuse_init_out settings = {
      .major = FUSE_KERNEL_VERSION, .minor = FUSE_KERNEL_MINOR_VERSION, .flags = FUSE_PARALLEL_DIROPS | FUSE_MAX_PAGES,
      .max_background = 64, .congestion_threshold = 48, .max_write = 4096, .time_gran = 1, .max_pages = 64};
  reply(request->unique, 0, &settings, sizeof settings);
}

static void receive(const struct fuse_in_header *request) {
  const struct fuse_read_in *range = (const void *)(request + 1);
  const char *name = (const void *)(request + 1);
  struct call call = {.unique = request->unique, .opcode = request->opcode, .inode = request->nodeid};
  struct rule *rule = NULL;
  switch (request->opcode) {
    case FUSE_INIT: return greet(request);
    case FUSE_FORGET: case FUSE_BATCH_FORGET: case FUSE_INTERRUPT: return;
    case FUSE_RELEASEDIR: return reply(request->unique, 0, NULL, 0);
    case FUSE_READLINK: case FUSE_STATFS: break;
    case FUSE_READDIR: call.offset = range->offset; call.size = range->size; /* fallthrough */
    case FUSE_LOOKUP: case FUSE_GETATTR: case FUSE_OPENDIR: rule = ruleFor(call.opcode, call.inode, name); break;
    default: return reply(request->unique, ENOSYS, NULL, 0);
  }
  if (rule && rule->hangs) { hanging++; return; }
  if (call.opcode == FUSE_LOOKUP && (call.inode = find(call.inode, name)) == 0) call.error = ENOENT;
  if (rule) { call.error = rule->error; rule->left--; }
  enqueue(call);
}

/* Handlers do their work at once, since the main thread may wait in a system call. */
static void unmount(int signal) { (void)signal; umount2(mountPoint, MNT_DETACH); _exit(0); }
static void report(int signal) {
  (void)signal;
  int known = errno;
  dprintf(1, "{\"calls\":%lu,\"waiting\":%lu,\"mostWaiting\":%lu,\"hanging\":%lu}\n", (unsigned long)(next + hanging),
          (unsigned long)(next - first), (unsigned long)mostWaiting, (unsigned long)hanging);
  errno = known;
}

static bool readNumber(const char *option, const char *value) {
  struct { const char *option; uint64_t *value; } numbers[] = {{"--folders", &folders}, {"--files", &files}, {"--huge", &huge},
      {"--links", &links}, {"--copied", &copied}, {"--again", &again}, {"--latency", &latency}, {"--workers", &workers},
      {"--untyped", &untyped}, {"--repeats", &repeats}};
  for (unsigned i = 0; value && i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(option, numbers[i].option) == 0) { *numbers[i].value = strtoull(value, NULL, 10); return true; }
  return false;
}

static void readOptions(int count, char **words) {
  mountPoint = count > 1 ? words[1] : NULL;
  for (int i = 2; i < count; i++) {
    bool isRule = ruleCount < MAX_RULES;
    if (readNumber(words[i], words[i + 1])) i++;
    else if (strcmp(words[i], "--with-parent") == 0) prctl(PR_SET_PDEATHSIG, SIGTERM);
    else if (isRule && strcmp(words[i], "--hang") == 0 && i + 1 < count) rules[ruleCount++] = (struct rule){.name = words[++i], .hangs = true};
    else if (isRule && strcmp(words[i], "--fail") == 0 && i + 3 < count) {
      rules[ruleCount++] = (struct rule){.name = words[i + 1], .error = atoi(words[i + 2]), .left = strtoull(words[i + 3], NULL, 10)};
      i += 3;
    } else mountPoint = NULL;
  }
  if (mountPoint && workers < QUEUE_SIZE) return;
  fputs("Usage: slowFs MOUNTPOINT [OPTIONS]; the options are in slowFs.c\n", stderr);
  exit(2);
}

int main(int count, char **words) {
  static char request[1 << 16];
  char options[128];
  readOptions(count, words);
  layOut();
  /* Without latency all calls are answered when they are read, so that reading may block: fewer system calls. */
  device = open("/dev/fuse", O_RDWR | O_CLOEXEC | (latency ? O_NONBLOCK : 0));
  if (device < 0) fail("/dev/fuse");
  signal(SIGUSR1, report);
  signal(SIGTERM, unmount);
  signal(SIGINT, unmount);
  prctl(PR_SET_TIMERSLACK, 1);
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", device);
  if (mount("slowFs", mountPoint, "fuse.slowFs", MS_RDONLY | MS_NOSUID | MS_NODEV, options) < 0) fail(mountPoint);
  dprintf(1, "ready\n");
  for (;;) {
    for (uint64_t time = now(); first < next && queue[first % QUEUE_SIZE].due <= time; first++) answer(&queue[first % QUEUE_SIZE]);
    if (read(device, request, sizeof request) > 0) receive((void *)request);
    else if (errno == ENODEV) return 0; /* unmounted */
    else if (errno == EAGAIN) {
      uint64_t due = queue[first % QUEUE_SIZE].due, time = now(), rest = first < next && due > time ? due - time : 0;
      struct timespec timeout = {rest / 1000000000, rest % 1000000000};
      ppoll(&(struct pollfd){.fd = device, .events = POLLIN}, 1, first < next ? &timeout : NULL, NULL);
    } else if (errno != EINTR && errno != ENOENT) fail("read");
  }
}
