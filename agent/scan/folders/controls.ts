import { batchesOnTheirWay } from '../progress.ts'

/**
 * The few numbers that a scan's threads share while they walk without waiting for messages: whether to stop, how many
 * of them are idle, how many batches may still be packed, the number of the last batch, and how much they may ask of the storage.
 */
export type Controls = {
  /** To be handed to a thread. */
  memory: SharedArrayBuffer
  stop(): void
  stopped(): boolean
  /** Sets the number of idle threads. */
  setIdle(threads: number): void
  /** True if a thread is idle; the caller then shares folders with it. */
  takeIdle(): boolean
  nextBatch(): number
  batches(): number
  /** Waits, holding its thread, until one more batch may be on its way; false when the scan stops. */
  waitForRoom(): boolean
  freeRoom(): void
  /** Sets the lookups that may be in flight, of all threads. */
  setLookups(max: number): void
  /** The same for a thread that has many in flight: its part, while `addMany` counts such threads. */
  lookups(): number
  addMany(threads: number): void
  /** Takes one of the entries that may be read in this moment; false if none is left. */
  takeEntry(): boolean
  /** Waits, holding its thread, until a thread that makes one call after another may make the next. */
  waitForTurn(thread: number): void
}

const at = {
  stopped: 0,
  idle: 1,
  batches: 2,
  room: 3,
  lookups: 4,
  many: 5,
  perMoment: 6,
  momentMs: 7,
  moment: 8,
  taken: 9,
} as const

/** Longest wait before another look. */
const waitMs = 100
/** Moments that the entries of a second are spread over; one if they are few. */
const momentsOfSecond = 10
const fewEntries = 100

/** Without `maxEntriesPerSecond` there is no such limit. */
export function newControls(maxEntriesPerSecond: number | null = null): Controls {
  const memory = new SharedArrayBuffer(4 * Object.keys(at).length)
  const numbers = new Int32Array(memory)
  numbers[at.room] = batchesOnTheirWay
  numbers[at.lookups] = 1
  if (maxEntriesPerSecond !== null) {
    const moments = maxEntriesPerSecond < fewEntries ? 1 : momentsOfSecond
    numbers[at.perMoment] = Math.floor(maxEntriesPerSecond / moments)
    numbers[at.momentMs] = 1_000 / moments
  }
  return openControls(memory)
}

export function openControls(memory: SharedArrayBuffer): Controls {
  const numbers = new Int32Array(memory)
  const stopped = () => Atomics.load(numbers, at.stopped) === 1
  const wait = () => void Atomics.wait(numbers, at.stopped, 0, waitMs)
  const takeEntry = () => takeInMoment(numbers)
  return {
    memory,
    stop() {
      Atomics.store(numbers, at.stopped, 1)
      Atomics.notify(numbers, at.room)
      Atomics.notify(numbers, at.stopped)
    },
    stopped,
    setIdle: (threads) => void Atomics.store(numbers, at.idle, threads),
    takeIdle: () => takeOne(numbers, at.idle),
    nextBatch: () => Atomics.add(numbers, at.batches, 1) + 1,
    batches: () => Atomics.load(numbers, at.batches),
    waitForRoom() {
      while (!stopped()) {
        if (takeOne(numbers, at.room)) return true
        // A limit, for a stop may come between the look and the wait.
        Atomics.wait(numbers, at.room, 0, waitMs)
      }
      return false
    },
    freeRoom() {
      Atomics.add(numbers, at.room, 1)
      Atomics.notify(numbers, at.room, 1)
    },
    setLookups: (max) => void Atomics.store(numbers, at.lookups, max),
    lookups: () =>
      Math.max(1, Math.floor(Atomics.load(numbers, at.lookups) / Math.max(1, Atomics.load(numbers, at.many)))),
    addMany: (threads) => void Atomics.add(numbers, at.many, threads),
    takeEntry,
    waitForTurn(thread) {
      while (!stopped() && (thread >= Atomics.load(numbers, at.lookups) || !takeEntry())) wait()
    },
  }
}

function takeInMoment(numbers: Int32Array): boolean {
  const max = numbers[at.perMoment] as number
  const momentMs = numbers[at.momentMs] as number
  if (momentMs === 0) return true
  const moment = Math.floor(Date.now() / momentMs) | 0
  if (Atomics.exchange(numbers, at.moment, moment) !== moment) Atomics.store(numbers, at.taken, 0)
  return Atomics.add(numbers, at.taken, 1) < max
}

/** Takes one off a number unless it is 0. */
function takeOne(numbers: Int32Array, index: number): boolean {
  for (let now = Atomics.load(numbers, index); now > 0; now = Atomics.load(numbers, index))
    if (Atomics.compareExchange(numbers, index, now, now - 1) === now) return true
  return false
}
