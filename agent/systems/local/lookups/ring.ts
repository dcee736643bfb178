import { constants } from 'node:fs'
import { statxMask } from '../statx.ts'
import { statxFlags } from '../systemCalls.ts'
import type { AsyncCalls } from './asyncCalls.ts'
import { type Answered, type Lookups, mostUnanswered } from './lookups.ts'

/* Numbers of io_uring(7), from <linux/io_uring.h>. The numbers of its system calls are the same on all processors. */
const calls = { setup: 425, enter: 426, register: 427 } as const
const operations = { openAt: 18, statx: 21 } as const
const enterFlags = { getEvents: 1, extendedArgument: 8 } as const
const features = { submitStable: 4, extendedArgument: 256 } as const
const registerWorkers = 19
const alwaysElsewhere = 16
const offsets = { queues: 0, entries: 0x10000000 } as const
const sharedMemory = { readWrite: 3, sharedAndPopulated: 0x8001 } as const
const atCurrentFolder = -100
const closeOnExec = 0o2000000

/** Bytes of a submission and of a completion. */
const submissionBytes = 64
const completionWords = 4
/** The longest wait for an answer, so that a thread that is stopped ends. */
const waitMs = 100
/** Answers that are waited for, as a part of those in flight. */
const answersAtOnce = 16

/**
 * Lookups by `io_uring`: the kernel's own threads wait, and one call of this thread starts many. Lists and links go through `others`, because
 * the kernel has no such operation. Undefined where it is forbidden, as in containers, or the kernel is older than 5.11.
 */
export function openRing(kernel: AsyncCalls, others: Lookups, onAnswers: () => void): Lookups | undefined {
  const ring = setUp(kernel)
  if (!ring) return undefined
  const free = Array.from({ length: mostUnanswered }, (_, slot) => slot)
  const slots = Array.from({ length: mostUnanswered }, (): Slot | undefined => undefined)
  let queued = 0
  let inFlight = 0
  let isWaiting = false
  let isClosed = false

  const take = () => {
    ring.completions((slot, result) => {
      const asked = slots[slot] as Slot
      slots[slot] = undefined
      free.push(slot)
      inFlight--
      asked.answered(asked.index, result)
    })
  }
  const wait = () => {
    if (isWaiting || inFlight === 0) return
    isWaiting = true
    ring.wait(Math.max(1, Math.min(8, Math.floor(inFlight / answersAtOnce))), () => {
      isWaiting = false
      take()
      if (!isClosed) onAnswers()
      if (isClosed && inFlight === 0) ring.close()
      else wait()
    })
  }
  const submit = () => {
    while (queued > 0) {
      const taken = ring.submit(queued)
      if (taken <= 0) break
      queued -= taken
    }
    wait()
  }
  const ask = (slot: Slot) => {
    if (queued === ring.size) submit()
    const place = free.pop()
    if (place === undefined) throw new Error('Too many calls are not answered')
    slots[place] = slot
    queued++
    inFlight++
    return place
  }
  return {
    ...others,
    open(path, answered) {
      const flags = constants.O_DIRECTORY | constants.O_NOFOLLOW | closeOnExec
      const place = ask({ answered, index: 0, path })
      ring.add({ operation: operations.openAt, fd: atCurrentFolder, name: kernel.address(path), flags, place })
    },
    shut: kernel.close,
    look(fd, name, stat, answered, index) {
      const place = ask({ answered, index })
      ring.add({ operation: operations.statx, fd, name, stat, mask: statxMask, flags: statxFlags, place })
    },
    submit,
    // A thread that ends before all is answered would wait in the kernel, and hold the thread that waits for its end.
    close() {
      isClosed = true
      if (inFlight === 0 && !isWaiting) ring.close()
    },
  }
}

/** A call that is not answered. `path` is kept because the kernel has its address. */
type Slot = { answered: Answered; index: number; path?: Buffer }
type Submission = {
  operation: number
  fd: number
  name: number
  stat?: number
  mask?: number
  flags: number
  place: number
}

/** Sets up a ring and returns its memory in the form of calls; undefined if the kernel refuses, or lacks what is needed. */
function setUp(kernel: AsyncCalls) {
  const entries = 256
  const params = new Uint32Array(new ArrayBuffer(120))
  params[1] = 2 * mostUnanswered
  params[2] = setupFlags.completionSize
  const fd = kernel.syscall(calls.setup, entries, kernel.address(params))
  if (fd < 0) return undefined
  const has = (feature: number) => ((params[5] as number) & feature) !== 0
  const at = (word: number) => (params[word] as number) >> 2
  const size = params[0] as number
  const bytes = Math.max((params[16] as number) + 4 * size, (params[25] as number) + 16 * (params[1] as number))
  const map = (length: number, offset: number) =>
    kernel.mmap(0, length, sharedMemory.readWrite, sharedMemory.sharedAndPopulated, fd, offset)
  if (!has(features.extendedArgument) || !has(features.submitStable)) return void kernel.close(fd)
  const queues = map(bytes, offsets.queues)
  const entriesAt = map(submissionBytes * size, offsets.entries)
  const words = new Int32Array(kernel.view(queues, bytes))
  const submissions = new DataView(kernel.view(entriesAt, submissionBytes * size))
  for (let n = 0; n < size; n++) words[at(16) + n] = n
  const tail = at(11)
  const mask = words[at(12)] as number
  const [head, last, headMask, first] = [at(20), at(21), words[at(22)] as number, at(25)]
  // Kernel threads that wait for the storage: as many as calls.
  const workers = new Uint32Array(new ArrayBuffer(8)).fill(mostWorkers)
  kernel.syscall(calls.register, fd, registerWorkers, kernel.address(workers), 2)
  const time = new BigInt64Array(new ArrayBuffer(16))
  const argument = new BigUint64Array(new ArrayBuffer(24))
  argument[2] = BigInt(kernel.address(time))
  const argumentAt = kernel.address(argument)
  return {
    size,
    add({ operation, fd, name, stat = 0, mask: wanted = 0, flags, place }: Submission) {
      const position = words[tail] as number
      const o = (position & mask) * submissionBytes
      for (let byte = 0; byte < submissionBytes; byte += 8) submissions.setBigUint64(o + byte, 0n, true)
      submissions.setUint8(o, operation)
      // Never in this thread: what the kernel thinks to have in memory may take a call of a server all the same.
      submissions.setUint8(o + 1, alwaysElsewhere)
      submissions.setInt32(o + 4, fd, true)
      submissions.setBigUint64(o + 8, BigInt(stat), true)
      submissions.setBigUint64(o + 16, BigInt(name), true)
      submissions.setUint32(o + 24, wanted, true)
      submissions.setUint32(o + 28, flags, true)
      submissions.setUint32(o + 32, place, true)
      Atomics.store(words, tail, position + 1)
    },
    submit: (count: number): number => kernel.syscall(calls.enter, fd, count, 0, 0),
    wait(count: number, done: () => void) {
      time[1] = BigInt(waitMs) * 1_000_000n
      const flags = enterFlags.getEvents | enterFlags.extendedArgument
      kernel.syscallLater(calls.enter, fd, 0, count, flags, argumentAt, argument.byteLength, done)
    },
    completions(show: (place: number, result: number) => void) {
      let position = words[head] as number
      for (const end = Atomics.load(words, last); position !== end; position = (position + 1) | 0) {
        const word = first + (position & headMask) * completionWords
        const [place, result] = [words[word] as number, words[word + 2] as number]
        Atomics.store(words, head, (position + 1) | 0)
        show(place, result)
      }
    },
    close() {
      kernel.munmap(queues, bytes)
      kernel.munmap(entriesAt, submissionBytes * size)
      kernel.close(fd)
    },
  }
}

const setupFlags = { completionSize: 8 } as const
/** Threads of the kernel for one ring. */
const mostWorkers = 1_024
