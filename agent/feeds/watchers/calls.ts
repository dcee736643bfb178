import { createRequire } from 'node:module'
import { constants as codes } from 'node:os'
import type * as Koffi from 'koffi'
import { type SystemCalls, systemCalls } from '../../systems/local/systemCalls.ts'

/** System calls of Linux that report changes. Memory is given by its address, as for `SystemCalls`. */
export type NotifyCalls = Pick<SystemCalls, 'address' | 'close' | 'failure'> & {
  fanotifyInit(flags: number, eventFlags: number): number
  fanotifyMark(fd: number, flags: number, mask: number, folder: number, path: string): number
  /** Fills in the handle of a path, and the ID of its mount. */
  nameToHandle(folder: number, path: string, handle: number, mount: number, flags: number): number
  /** Opens the folder of a handle in the file system of an open file. */
  openByHandle(fd: number, handle: number, flags: number): number
  inotifyInit(flags: number): number
  inotifyAdd(fd: number, path: string, mask: number): number
  inotifyRemove(fd: number, watch: number): number
  /** Reads without waiting; returns the number of bytes, 0 without any. Throws the error of the system. */
  read(fd: number, buffer: number, size: number): number
  /** True if an open file has exceptional news, as `/proc/self/mountinfo` has once after each change of mounts. Doesn't wait. */
  hasNews(fd: number): boolean
}

/** Undefined where this machine doesn't have them. */
export const notifyCalls: NotifyCalls | undefined = systemCalls && loadCalls(systemCalls)

const urgent = 2

function loadCalls({ address, close, failure }: SystemCalls): NotifyCalls | undefined {
  try {
    const koffi: typeof Koffi = createRequire(import.meta.url)('koffi')
    const libc = koffi.load('libc.so.6')
    const read = libc.func('read', 'intptr_t', ['int', 'uintptr_t', 'size_t'])
    const poll = libc.func('poll', 'int', ['uintptr_t', 'uint64_t', 'int'])
    const polled = new Int32Array(new ArrayBuffer(8))
    return {
      address,
      close,
      failure,
      fanotifyInit: libc.func('fanotify_init', 'int', ['uint32_t', 'uint32_t']),
      fanotifyMark: libc.func('fanotify_mark', 'int', ['int', 'uint32_t', 'uint64_t', 'int', 'str']),
      nameToHandle: libc.func('name_to_handle_at', 'int', ['int', 'str', 'uintptr_t', 'uintptr_t', 'int']),
      openByHandle: libc.func('open_by_handle_at', 'int', ['int', 'uintptr_t', 'int']),
      inotifyInit: libc.func('inotify_init1', 'int', ['int']),
      inotifyAdd: libc.func('inotify_add_watch', 'int', ['int', 'str', 'uint32_t']),
      inotifyRemove: libc.func('inotify_rm_watch', 'int', ['int', 'int']),
      read(fd, buffer, size) {
        const length = Number(read(fd, buffer, size))
        if (length >= 0) return length
        const error = failure('read')
        if (error.errno === -codes.errno.EAGAIN) return 0
        throw error
      },
      hasNews(fd) {
        polled[0] = fd
        polled[1] = urgent
        return poll(address(polled), 1, 0) > 0
      },
    }
  } catch {
    return undefined
  }
}
