import type { ScanOrder } from '#events/scans.ts'
import type { Packed } from './batches.ts'
import { type Controls, newControls } from './controls.ts'
import { handOut, type HandOut, type Page } from './handOut.ts'
import { ScanFailed } from './recordFolder.ts'
import { nothing, sum, type Tally } from './tally.ts'
import { type Hears, startThread, type Thread } from './thread.ts'

/** Who hears of a walk. A batch is on its way until its promise ends; only a few may be. */
export type Listener = {
  batch(packed: Packed): Promise<void>
  unreadable(path: string, error: string): void
  progressed(tally: Tally, path: string): void
}
export type Walked = { batches: number; tally: Tally }
type Ways = { nextPage: (after: string) => Promise<Page>; signal: AbortSignal }

/**
 * Walks the folders of an order in threads of their own, until all is listed and every batch has been taken. Throws
 * `ScanFailed` when it cannot go on, and the signal's reason when that is aborted.
 */
export async function walk(order: ScanOrder, listener: Listener, { nextPage, signal }: Ways): Promise<Walked> {
  signal.throwIfAborted()
  const controls = newControls()
  const ended = Promise.withResolvers<Walked>()
  const abort = () => ended.reject(signal.reason)
  const threads: Thread[] = []
  const work = handOut({
    threads: order.threads,
    first: order,
    nextPage,
    tell: (thread, message) => threads[thread]?.tell(message),
    hungry: controls.setHungry,
    failed: ended.reject,
  })
  signal.addEventListener('abort', abort, { once: true })
  try {
    const hears = hearing(order.threads, listener, { controls, work, ended })
    const start = { order: { ...order, pending: [] }, controls: controls.memory }
    for (let n = 0; n < order.threads; n++) threads.push(startThread(start, hears(n)))
    for (let n = 0; n < order.threads; n++) work.idle(n)
    return await ended.promise
  } finally {
    signal.removeEventListener('abort', abort)
    controls.stop()
    await Promise.all(threads.map((thread) => thread.end()))
  }
}

type Walk = { controls: Controls; work: HandOut; ended: PromiseWithResolvers<Walked> }

/** What is done with what each thread says. */
function hearing(threads: number, listener: Listener, { controls, work, ended }: Walk): (thread: number) => Hears {
  const tallies = Array.from({ length: threads }, nothing)
  const taking = new Set<Promise<void>>()
  const finished = new Set<number>()
  const total = (): Tally => {
    const tally = sum(tallies)
    return { ...tally, queued: tally.queued + work.queued() }
  }
  return (thread) => ({
    batch({ batch, packed }) {
      const taken = listener.batch({ batch, packed }).then(controls.freeRoom, ended.reject)
      taking.add(taken)
      void taken.then(() => taking.delete(taken))
    },
    unreadable: ({ path, error }) => listener.unreadable(path, error),
    progressed({ tally, path }) {
      tallies[thread] = tally
      listener.progressed(total(), path)
    },
    shared: ({ folders }) => work.shared(folders),
    idle: () => work.idle(thread),
    failed: ({ reason }) => ended.reject(new ScanFailed(reason)),
    finished() {
      if (finished.add(thread).size < threads) return
      void Promise.all(taking).then(() => ended.resolve({ batches: controls.batches(), tally: total() }))
    },
  })
}
