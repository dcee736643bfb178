import { createRequire } from 'node:module'
import type * as Koffi from 'koffi'
import { systemCalls } from '../systemCalls.ts'

type Callback = (error: Error | null, result: number) => void
type Async<Values extends unknown[]> = (...values: [...Values, Callback]) => void

/**
 * Calls that wait in threads of the process, without holding the thread that makes them; `syscall` returns at once. A failed call returns
 * −1, and `errno` then says why until the next call.
 */
export type AsyncCalls = {
  address(memory: ArrayBufferView): number
  /** The memory at an address. */
  view(address: number, size: number): ArrayBuffer
  errno(): number
  getdents64: Async<[fd: number, buffer: number, size: number]>
  statx: Async<[fd: number, name: number, flags: number, mask: number, stat: number]>
  readlinkat: Async<[fd: number, name: number, buffer: number, size: number]>
  /** A call by its number. */
  syscall(...values: [number, ...number[]]): number
  syscallLater: Async<number[]>
  mmap(address: number, size: number, access: number, flags: number, fd: number, offset: number): number
  munmap(address: number, size: number): number
  close(fd: number): number
}

function loadAsyncCalls(): AsyncCalls {
  const koffi: typeof Koffi = createRequire(import.meta.url)('koffi')
  const libc = koffi.load('libc.so.6')
  const six = Array.from({ length: 6 }, () => 'intptr_t' as const)
  const syscall = libc.func('syscall', 'intptr_t', ['intptr_t', ...six])
  return {
    address: (memory) => Number(koffi.address(memory)),
    view: (address, size) => koffi.view(BigInt(address), size),
    errno: () => koffi.errno(),
    getdents64: libc.func('getdents64', 'intptr_t', ['int', 'uintptr_t', 'size_t']).async,
    statx: libc.func('statx', 'int', ['int', 'uintptr_t', 'int', 'uint32_t', 'uintptr_t']).async,
    readlinkat: libc.func('readlinkat', 'intptr_t', ['int', 'uintptr_t', 'uintptr_t', 'size_t']).async,
    syscall: (number, ...values) => Number(syscall(number, ...values, ...zeros.slice(values.length))),
    syscallLater: syscall.async,
    mmap: libc.func('mmap', 'uintptr_t', ['uintptr_t', 'size_t', 'int', 'int', 'int', 'intptr_t']),
    munmap: libc.func('munmap', 'int', ['uintptr_t', 'size_t']),
    close: libc.func('close', 'int', ['int']),
  }
}

const zeros = [0, 0, 0, 0, 0, 0]

/** Undefined where the walk doesn't use the kernel's calls. */
export const asyncCalls: AsyncCalls | undefined = systemCalls && loadAsyncCalls()
