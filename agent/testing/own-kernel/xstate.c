/*
 * For user-mode Linux on processors whose registers are larger than it knows (those with AMX): the kernel of the machine then refuses
 * to set only the first part of them. Preloaded, this keeps the rest as it is.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

static long (*original)(long request, ...);

__attribute__((constructor)) static void begin(void) { original = dlsym(RTLD_NEXT, "ptrace"); }

long ptrace(enum __ptrace_request request, ...) {
  static char registers[1 << 16];
  va_list values;
  va_start(values, request);
  long process = va_arg(values, long), address = va_arg(values, long);
  struct iovec *given = va_arg(values, void *), all = {registers, sizeof registers};
  va_end(values);
  if (request != PTRACE_SETREGSET || address != NT_X86_XSTATE) return original(request, process, address, given);
  if (original(PTRACE_GETREGSET, process, address, &all) < 0 || all.iov_len <= given->iov_len)
    return original(request, process, address, given);
  memcpy(registers, given->iov_base, given->iov_len);
  return original(request, process, address, &all);
}
