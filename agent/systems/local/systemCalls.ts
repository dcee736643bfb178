import { createRequire } from 'node:module'
import { getSystemErrorMap } from 'node:util'
import { closeSync, constants, openSync } from 'node:fs'
import type * as Koffi from 'koffi'
import { newStatx, statxMask } from './statx.ts'

/**
 * The system calls of Linux that a walk is made of, which Node has no words for. Buffers are given by their address: they must
 * be their own memory and outlive the call. Without a result that is 0 or more, `failure` says why.
 */
export type SystemCalls = {
  address(buffer: ArrayBufferView): number
  /** Entries of an open folder, as `struct linux_dirent64`; returns how many bytes, 0 at the end. */
  getdents64(fd: number, buffer: number, size: number): number
  /** Looks up a name, which ends with a 0, in an open folder, without following it. */
  statx(fd: number, name: number, flags: number, mask: number, stat: number): number
  /** Reads the target of a symbolic link in an open folder; returns its number of bytes. */
  readlinkat(fd: number, name: number, buffer: number, size: number): number
  /**
   * Opens a path below an open folder by `struct open_how`, the same in every thread; returns −1 where the kernel is older than 5.6, or a
   * container forbids it.
   */
  openat2(folder: number, path: number, how: number, size: number): number
  /** Same, in a thread of the process's pool. */
  openat2Later(folder: number, path: number, how: number, size: number, done: Callback): void
  close(fd: number): number
  /** Requests data about an open file, in a thread of the process's pool. */
  ioctlLater(fd: number, request: number, data: number, done: Callback): void
  /** Sets the times of an open file to those of two `struct timespec`, in a thread of the process's pool. */
  futimensLater(fd: number, times: number, done: Callback): void
  /** Renames a name in an open folder to one in another, with flags of renameat2(2), in a thread of the process's pool. */
  renameat2Later(from: number, name: number, to: number, newName: number, flags: number, done: Callback): void
  /** Sets options of an open file that take a number; does not wait for the storage. */
  fcntl(fd: number, command: number, value: number): number
  /** Why the call before failed, as an error of Node's. */
  failure(call: string): NodeJS.ErrnoException
}

type Callback = (error: Error | null, result: number) => void

/** The number of openat2(2), on all processors. */
const openat2Number = 437

/** Links are not followed. */
export const statxFlags = 0x100

/** The calls of this machine; undefined where it has none of them: another system than Linux, or another C library than glibc. */
export const systemCalls: SystemCalls | undefined = process.platform === 'linux' ? loadCalls() : undefined

function loadCalls(): SystemCalls | undefined {
  try {
    const koffi: typeof Koffi = createRequire(import.meta.url)('koffi')
    const libc = koffi.load('libc.so.6')
    const syscall = libc.func('syscall', 'intptr_t', ['intptr_t', 'int', 'uintptr_t', 'uintptr_t', 'size_t'])
    const ioctl = libc.func('ioctl', 'int', ['int', 'uintptr_t', 'uintptr_t'])
    const renameat2 = libc.func('renameat2', 'int', ['int', 'uintptr_t', 'int', 'uintptr_t', 'uint32_t'])
    const futimens = libc.func('futimens', 'int', ['int', 'uintptr_t'])
    const calls: SystemCalls = {
      address: (buffer) => Number(koffi.address(buffer)),
      getdents64: libc.func('getdents64', 'intptr_t', ['int', 'uintptr_t', 'size_t']),
      statx: libc.func('statx', 'int', ['int', 'uintptr_t', 'int', 'uint32_t', 'uintptr_t']),
      readlinkat: libc.func('readlinkat', 'intptr_t', ['int', 'uintptr_t', 'uintptr_t', 'size_t']),
      openat2: (folder, path, how, size) => Number(syscall(openat2Number, folder, path, how, size)),
      openat2Later: (folder, path, how, size, done) => syscall.async(openat2Number, folder, path, how, size, done),
      close: libc.func('close', 'int', ['int']),
      ioctlLater: (fd, request, data, done) => ioctl.async(fd, request, data, done),
      futimensLater: (fd, times, done) => futimens.async(fd, times, done),
      renameat2Later: (from, name, to, newName, flags, done) => renameat2.async(from, name, to, newName, flags, done),
      fcntl: libc.func('fcntl', 'int', ['int', 'int', 'intptr_t']),
      failure: (call) => errorOf(koffi.errno(), call),
    }
    return doWork(calls) ? calls : undefined
  } catch {
    return undefined
  }
}

/** A kernel may be too old for them, and a container may keep them back. */
function doWork({ address, getdents64, statx }: SystemCalls): boolean {
  const fd = openSync('/', constants.O_DIRECTORY)
  try {
    const stat = newStatx()
    const names = Buffer.from(new ArrayBuffer(4_096))
    names.write('.')
    const isFound = statx(fd, address(names), statxFlags, statxMask, address(stat)) === 0
    return isFound && getdents64(fd, address(names), names.length) > 0
  } finally {
    closeSync(fd)
  }
}

/** An error of Node's, from the number of the kernel's. */
export function errorOf(number: number, call: string): NodeJS.ErrnoException {
  const unknown = `Unknown system error -${number}`
  const [code, words] = getSystemErrorMap().get(-number) ?? [unknown, unknown]
  return Object.assign(new Error(`${code}: ${words}, ${call}`), { code, errno: -number })
}

/** Memory that the kernel may still use. */
const held = new Set<ArrayBufferView>()

/** Makes a call in the process's pool of threads, with memory of its own. Resolves to a negative number if it fails, or without such calls. */
export function callLater(
  memory: ArrayBufferView,
  call: (calls: SystemCalls, address: number, done: Callback) => void,
): Promise<number> {
  const calls = systemCalls
  if (!calls) return Promise.resolve(-1)
  held.add(memory)
  return new Promise((resolve) => {
    call(calls, calls.address(memory), (error, result) => {
      held.delete(memory)
      resolve(error ? -1 : result)
    })
  })
}
