import { inMemory, openHow, toList } from '../beneath.ts'
import { onDiskName } from '../paths.ts'
import { statxMask } from '../statx.ts'
import { statxFlags } from '../systemCalls.ts'
import type { AsyncCalls } from './asyncCalls.ts'
import { type Answered, type Lookups, maxUnanswered } from './lookups.ts'
import { newRingMemory } from './ringMemory.ts'

/** Numbers from <linux/io_uring.h>. */
const operations = { statx: 21, openAt2: 28 } as const

/** Answers that are waited for at once: at most, and as a part of those in flight. */
const maxAtOnce = 8
const partAtOnce = 16

/** A call without an answer. `kept` is memory that the kernel has the address of. */
type Call = { answered: Answered; index: number; kept?: unknown }

/**
 * Lookups by `io_uring`: the kernel's own threads wait, and one call of this thread starts many. Lists and links go through `others`, because
 * the kernel has no such operation. Undefined where it is forbidden, as in containers, or the kernel is older than 5.11.
 */
export function openRing(kernel: AsyncCalls, others: Lookups, onAnswers: () => void): Lookups | undefined {
  const ring = newRingMemory(kernel)
  if (!ring) return undefined
  const how = openHow(toList)
  // In the words of a submission, the structure and its size are where those of a lookup have theirs.
  const howToOpen = { stat: kernel.address(how), mask: how.byteLength }
  const unanswered = newUnanswered()
  let queued = 0
  let isWaiting = false
  let isClosed = false

  const heard = () => {
    isWaiting = false
    ring.results(unanswered.answer)
    if (!isClosed) onAnswers()
    if (isClosed && unanswered.count() === 0) ring.close()
    else wait()
  }
  const wait = () => {
    if (isWaiting || unanswered.count() === 0) return
    isWaiting = true
    ring.wait(Math.max(1, Math.min(maxAtOnce, Math.floor(unanswered.count() / partAtOnce))), heard)
  }
  const submit = () => {
    for (let taken = 1; queued > 0 && taken > 0; queued -= taken) taken = Math.max(0, ring.submit(queued))
    wait()
  }
  const place = (call: Call): number => {
    if (queued === ring.size) submit()
    queued++
    return unanswered.add(call)
  }
  return {
    ...others,
    open({ fd }, path, answered) {
      const name = inMemory(onDiskName(path.slice(1)))
      const call = { operation: operations.openAt2, fd, name: kernel.address(name), flags: 0, ...howToOpen }
      ring.add({ ...call, place: place({ answered, index: 0, kept: [name, how] }) })
    },
    shut: kernel.close,
    look(fd, name, stat, answered, index) {
      const call = { operation: operations.statx, fd, name, stat, mask: statxMask, flags: statxFlags }
      ring.add({ ...call, place: place({ answered, index }) })
    },
    submit,
    // A thread that ends before its last answer waits for it in the kernel, and holds the thread that waits for its end.
    close() {
      isClosed = true
      if (unanswered.count() === 0 && !isWaiting) ring.close()
    },
  }
}

/** The calls that have no answer, by their places. */
function newUnanswered() {
  const free = Array.from({ length: maxUnanswered }, (_, place) => place)
  const calls: (Call | undefined)[] = free.map(() => undefined)
  return {
    count: () => maxUnanswered - free.length,
    add(call: Call): number {
      const place = free.pop()
      if (place === undefined) throw new Error('Too many calls of the storage have no answer')
      calls[place] = call
      return place
    },
    answer(place: number, result: number): void {
      const { answered, index } = calls[place] as Call
      calls[place] = undefined
      free.push(place)
      answered(index, result)
    },
  }
}
