import type { ClickHouseClient } from '@clickhouse/client'
import { openLimiter } from '#server/platform/limits/limiter.ts'

type Work<T> = (client: ClickHouseClient) => Promise<T>

/** Connections for one purpose. Each runs one statement at a time; further statements wait in order. */
export type ConnectionPool = { run<T>(work: Work<T>, signal?: AbortSignal): Promise<T>; close(): Promise<void> }

/** Message of errors after the pool is closed. */
export const closedMessage = 'ClickHouse is closed'

/** Opens at most `count` connections, each at its first use. */
export function openPool(count: number, connect: () => ClickHouseClient): ConnectionPool {
  const pool = Array.from({ length: count }, () => openPooledConnection(connect))
  const limiter = openLimiter(count, closedMessage)
  return {
    run: (work, signal) =>
      limiter.take(async () => {
        const connection = pool.find(({ busy }) => !busy) as PooledConnection
        return connection.run(work)
      }, signal),
    async close() {
      await limiter.close()
      await Promise.all(pool.map((connection) => connection.close()))
    },
  }
}

type PooledConnection = { readonly busy: boolean; run<T>(work: Work<T>): Promise<T>; close(): Promise<void> }

/**
 * A connection that is discarded after any error: the first rows of the failed query would otherwise answer the next
 * one.
 */
function openPooledConnection(connect: () => ClickHouseClient): PooledConnection {
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
