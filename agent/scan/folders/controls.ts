import { batchesOnTheirWay } from '../progress.ts'

/**
 * The few numbers that a scan's threads share while they walk without waiting for messages: whether to stop, how many
 * of them are idle, how many batches may still be packed, and the number of the last batch.
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
}

const at = { stopped: 0, idle: 1, batches: 2, room: 3 } as const

export function newControls(): Controls {
  const memory = new SharedArrayBuffer(4 * Object.keys(at).length)
  Atomics.store(new Int32Array(memory), at.room, batchesOnTheirWay)
  return openControls(memory)
}

export function openControls(memory: SharedArrayBuffer): Controls {
  const numbers = new Int32Array(memory)
  const stopped = () => Atomics.load(numbers, at.stopped) === 1
  return {
    memory,
    stop() {
      Atomics.store(numbers, at.stopped, 1)
      Atomics.notify(numbers, at.room)
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
        Atomics.wait(numbers, at.room, 0, 100)
      }
      return false
    },
    freeRoom() {
      Atomics.add(numbers, at.room, 1)
      Atomics.notify(numbers, at.room, 1)
    },
  }
}

/** Takes one off a number unless it is 0. */
function takeOne(numbers: Int32Array, index: number): boolean {
  for (let now = Atomics.load(numbers, index); now > 0; now = Atomics.load(numbers, index))
    if (Atomics.compareExchange(numbers, index, now, now - 1) === now) return true
  return false
}
