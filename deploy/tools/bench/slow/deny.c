/*
 * Runs a command that can't use io_uring, as in containers with the default profile: io_uring_setup fails with EPERM.
 *
 *   gcc -O2 deny.c -o deny && ./deny COMMAND [ARGUMENTS]
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **command) {
  /* io_uring_setup has the same number on all architectures, so the filter doesn't check the architecture. */
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (count < 2) {
    fputs("Usage: deny COMMAND [ARGUMENTS]\n", stderr);
    return 2;
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0) {
    perror("deny");
    return 1;
  }
  execvp(command[1], command + 1);
  perror(command[1]);
  return 127;
}
