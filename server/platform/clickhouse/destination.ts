import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import type { ClickHouseClient } from '@clickhouse/client'
import { literal } from './sql.ts'

type Statement = { query: string; query_params: Record<string, unknown> }

/** Destination of a result: the clause for the engine, and the function that receives its output. */
export type Destination<T> = { clause: string; take(client: ClickHouseClient, statement: Statement): Promise<T> }

/** Returns the whole result in memory. */
export const inMemory: Destination<Buffer> = {
  clause: '',
  async take(client, statement) {
    const { stream } = await client.exec(statement)
    return buffer(stream)
  },
}

/** Streams the result from the engine to a file. */
export const receivedInFile = (path: string): Destination<void> => ({
  clause: '',
  async take(client, statement) {
    const { stream } = await client.exec(statement)
    const file = createWriteStream(path, { mode: 0o600 })
    await (path.endsWith('.zst') ? pipeline(stream, createZstdCompress(), file) : pipeline(stream, file))
  },
})

/** The engine, which must run on this machine, writes the file itself; nothing passes through this process's heap. */
export const writtenByEngine = (path: string): Destination<void> => ({
  clause: `INTO OUTFILE ${literal(path)} TRUNCATE `,
  async take(client, statement) {
    const { stream } = await client.exec(statement)
    await finished(stream.resume())
  },
})
