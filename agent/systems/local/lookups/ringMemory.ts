import type { AsyncCalls } from './asyncCalls.ts'
import { maxUnanswered } from './lookups.ts'

/* Numbers of io_uring(7), from <linux/io_uring.h>. Those of its system calls are the same on all processors. */
const calls = { setup: 425, enter: 426, register: 427 } as const
const waitFlags = { getEvents: 1, extendedArgument: 8 } as const
const features = { submitStable: 4, extendedArgument: 256 } as const
const setupCompletionSize = 8
const registerWorkers = 19
const offsets = { queues: 0, submissions: 0x10000000 } as const
const sharedMemory = { readWrite: 3, sharedAndPopulated: 0x8001 } as const
const alwaysElsewhere = 16

/** Submissions at once, and threads of the kernel that wait for the storage. */
const submissionsAtOnce = 256
const maxWorkers = 1_024
const submissionBytes = 64
const completionBytes = 16
const argumentBytes = 24
/** Longest wait for an answer, so that a thread that is stopped ends. */
const maxWaitMs = 100

/** Words of `struct io_uring_params`; each place in the queues is in bytes. */
const at = {
  submissions: 0,
  completions: 1,
  flags: 2,
  features: 5,
  submissionTail: 11,
  submissionMask: 12,
  submissionArray: 16,
  completionHead: 20,
  completionTail: 21,
  completionMask: 22,
  firstCompletion: 25,
} as const

/** A call. `place` comes back with its result. */
type Submission = {
  operation: number
  fd: number
  name: number
  stat?: number
  mask?: number
  flags: number
  place: number
}

/** A ring: memory that this process shares with the kernel, for calls and for their results. */
export type RingMemory = {
  /** Calls that can be added until they are submitted. */
  size: number
  add(submission: Submission): void
  /** Sends calls; returns how many the kernel took. */
  submit(count: number): number
  /** Waits in another thread for results, or for a moment. */
  wait(results: number, done: () => void): void
  /** Shows the results so far. */
  results(show: (place: number, result: number) => void): void
  close(): void
}

/** Creates a ring; undefined if the kernel refuses, or lacks what is needed. */
export function newRingMemory(kernel: AsyncCalls): RingMemory | undefined {
  const params = new Uint32Array(new ArrayBuffer(120))
  params[at.completions] = 2 * maxUnanswered
  params[at.flags] = setupCompletionSize
  const fd = kernel.syscall(calls.setup, submissionsAtOnce, kernel.address(params))
  if (fd < 0) return undefined
  const needed = features.extendedArgument | features.submitStable
  if (((params[at.features] as number) & needed) !== needed) return void kernel.close(fd)
  const workers = new Uint32Array(new ArrayBuffer(8)).fill(maxWorkers)
  kernel.syscall(calls.register, fd, registerWorkers, kernel.address(workers), 2)
  const [size = 0, results = 0] = params
  const ends = [(params[at.submissionArray] as number) + 4 * size]
  const queues = mapped(kernel, {
    fd,
    offset: offsets.queues,
    bytes: Math.max(...ends, (params[at.firstCompletion] as number) + completionBytes * results),
  })
  const submissions = mapped(kernel, { fd, offset: offsets.submissions, bytes: submissionBytes * size })
  const words = new Int32Array(queues.memory)
  for (let n = 0; n < size; n++) words[((params[at.submissionArray] as number) >> 2) + n] = n
  return {
    size,
    add: newAdder(words, params, new DataView(submissions.memory)),
    submit: (count) => kernel.syscall(calls.enter, fd, count, 0, 0),
    wait: newWaiter(kernel, fd),
    results: newReader(words, params),
    close() {
      for (const { unmap } of [queues, submissions]) unmap()
      kernel.close(fd)
    },
  }
}

type Mapped = { memory: ArrayBuffer; unmap: () => void }

function mapped(kernel: AsyncCalls, { fd, offset, bytes }: { fd: number; offset: number; bytes: number }): Mapped {
  const address = kernel.mmap(0, bytes, sharedMemory.readWrite, sharedMemory.sharedAndPopulated, fd, offset)
  return { memory: kernel.view(address, bytes), unmap: () => void kernel.munmap(address, bytes) }
}

function newAdder(words: Int32Array, params: Uint32Array, submissions: DataView): RingMemory['add'] {
  const tail = (params[at.submissionTail] as number) >> 2
  const mask = words[(params[at.submissionMask] as number) >> 2] as number
  return ({ operation, fd, name, stat = 0, mask: wanted = 0, flags, place }) => {
    const position = words[tail] as number
    const start = (position & mask) * submissionBytes
    for (let byte = 0; byte < submissionBytes; byte += 8) submissions.setBigUint64(start + byte, 0n, true)
    submissions.setUint8(start, operation)
    // Never in this thread: even names that the kernel remembers may take a call of a server.
    submissions.setUint8(start + 1, alwaysElsewhere)
    submissions.setInt32(start + 4, fd, true)
    submissions.setBigUint64(start + 8, BigInt(stat), true)
    submissions.setBigUint64(start + 16, BigInt(name), true)
    submissions.setUint32(start + 24, wanted, true)
    submissions.setUint32(start + 28, flags, true)
    submissions.setUint32(start + 32, place, true)
    Atomics.store(words, tail, position + 1)
  }
}

function newWaiter(kernel: AsyncCalls, fd: number): RingMemory['wait'] {
  // `struct io_uring_getevents_arg`, whose last word is the address of the `struct timespec` after it.
  const argument = new BigUint64Array(new ArrayBuffer(40))
  const address = kernel.address(argument)
  argument[2] = BigInt(address + argumentBytes)
  argument[4] = BigInt(maxWaitMs) * 1_000_000n
  const flags = waitFlags.getEvents | waitFlags.extendedArgument
  return (results, done) =>
    kernel.syscallLater(calls.enter, fd, 0, results, flags, kernel.address(argument), argumentBytes, done)
}

function newReader(words: Int32Array, params: Uint32Array): RingMemory['results'] {
  const [head, tail, firstWord] = [at.completionHead, at.completionTail, at.firstCompletion].map(
    (word) => (params[word] as number) >> 2,
  ) as [number, number, number]
  const mask = words[(params[at.completionMask] as number) >> 2] as number
  return (show) => {
    let position = words[head] as number
    for (const end = Atomics.load(words, tail); position !== end; position = (position + 1) | 0) {
      const word = firstWord + (position & mask) * (completionBytes / 4)
      const [place, result] = [words[word] as number, words[word + 2] as number]
      Atomics.store(words, head, (position + 1) | 0)
      show(place, result)
    }
  }
}
