import type { ClickHouseClient } from '@clickhouse/client'
import { openTurns } from '../turns.ts'

type Work<T> = (client: ClickHouseClient) => Promise<T>

/** Connections of one purpose: each runs one statement at a time, and what finds none free waits in order. */
export type Lanes = { run<T>(work: Work<T>, signal?: AbortSignal): Promise<T>; close(): Promise<void> }

/** What fails after the end says so. */
export const closedMessage = 'ClickHouse is closed'

/** Opens at most `count` connections, each when it is first needed. */
export function openLanes(count: number, connect: () => ClickHouseClient): Lanes {
  const lanes = Array.from({ length: count }, () => openLane(connect))
  const turns = openTurns(count, closedMessage)
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
