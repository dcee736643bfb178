import type { ClickHouseClient } from '@clickhouse/client'
import { Admission, type WorkLimits } from '#server/platform/limits/admission.ts'

type Work<T> = (client: ClickHouseClient) => Promise<T>

type TurnOptions = { kinds?: readonly WorkLimits[]; key?: string | undefined; signal?: AbortSignal | undefined }

/** Connections for one purpose. Each runs one statement at a time; further statements wait in order, also for the limits of their kinds. */
export type ConnectionPool = { run<T>(work: Work<T>, options?: TurnOptions): Promise<T>; close(): Promise<void> }

/** Message of errors after the pool is closed. */
export const closedMessage = 'ClickHouse is closed'

/** Opens at most `count` connections, each at its first use. */
export function openPool(count: number, connect: () => ClickHouseClient): ConnectionPool {
  const pool = Array.from({ length: count }, () => openPooledConnection(connect))
  const admission = new Admission(closedMessage, count)
  return {
    run: (work, { kinds = [], ...options } = {}) =>
      admission.take(kinds, () => (pool.find(({ busy }) => !busy) as PooledConnection).run(work), options),
    async close() {
      await admission.close()
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
