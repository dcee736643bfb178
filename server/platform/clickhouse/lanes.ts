import type { ClickHouseClient } from '@clickhouse/client'

type Work<T> = (client: ClickHouseClient) => Promise<T>

/** Connections of one purpose: each runs one statement at a time, and what finds none free waits in order. */
export type Lanes = { run<T>(work: Work<T>, signal?: AbortSignal): Promise<T>; close(): Promise<void> }

/** Opens at most `count` connections, each when it is first needed. */
export function openLanes(count: number, connect: () => ClickHouseClient): Lanes {
  const lanes = Array.from({ length: count }, () => openLane(connect))
  const turns = openTurns(count)
  return {
    run: (work, signal) =>
      turns.take(async () => {
        const lane = lanes.find(({ busy }) => !busy) as Lane
        return lane.run(work)
      }, signal),
    async close() {
      await turns.close()
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

type Lane = { readonly busy: boolean; run<T>(work: Work<T>): Promise<T>; close(): Promise<void> }

/** A connection that is thrown away after any failure: the first rows of what failed would answer the next question. */
function openLane(connect: () => ClickHouseClient): Lane {
  let client: ClickHouseClient | undefined
  let busy = false
  const drop = async () => {
    const old = client
    client = undefined
    await old?.close()
  }
  return {
    get busy() {
      return busy
    },
    async run(work) {
      busy = true
      try {
        return await work((client ??= connect()))
      } catch (error) {
        await drop()
        throw error
      } finally {
        busy = false
      }
    },
    close: drop,
  }
}

export type Turns = { take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>; close(): Promise<void> }

/** Runs at most `count` pieces of work side by side; others wait in order, until their signal calls them off. */
export function openTurns(count: number): Turns {
  const waiting: { start(): void; refuse(reason: unknown): void }[] = []
  const running = new Set<Promise<unknown>>()
  let closed = false
  let free = count
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((start, reject) => {
      signal?.throwIfAborted()
      if (closed) throw new Error('ClickHouse is closed')
      if (free > 0) return void (free--, start())
      const refuse = (reason: unknown) => {
        waiting.splice(waiting.indexOf(waiter), 1)
        signal?.removeEventListener('abort', calledOff)
        reject(reason)
      }
      const calledOff = () => refuse(signal?.reason)
      const waiter = { start: () => (signal?.removeEventListener('abort', calledOff), start()), refuse }
      signal?.addEventListener('abort', calledOff)
      waiting.push(waiter)
    })
  // It may have been called off between its turn and now.
  const begin = async <T>(work: () => Promise<T>, signal: AbortSignal | undefined) => {
    signal?.throwIfAborted()
    return work()
  }
  const passOn = () => {
    const next = waiting.shift()
    if (next) next.start()
    else free++
  }
  return {
    take(work, signal) {
      const done = turn(signal).then(() => begin(work, signal).finally(passOn))
      running.add(done)
      return done.finally(() => running.delete(done))
    },
    async close() {
      closed = true
      for (const waiter of waiting.slice()) waiter.refuse(new Error('ClickHouse is closed'))
      await Promise.allSettled(running)
    },
  }
}
