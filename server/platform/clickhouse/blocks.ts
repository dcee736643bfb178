import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { ClickHouseClient } from '@clickhouse/client'
import { literal, quoted } from './sql.ts'

/**
 * A block in ClickHouse's Native format, as one or more pieces of bytes, and its columns with their types. It must be
 * well formed: an engine inside this process reads it.
 */
type Block = { columns: readonly (readonly [name: string, type: string])[]; pieces: readonly Uint8Array[] }

/** A block for a table. A token that was used before means that the block is already inserted. */
export type BlockInsert = { table: string; block: Block; token: string }

/** Inserts a block. */
export type BlockWay = (client: ClickHouseClient, insert: BlockInsert) => Promise<void>

function intoTable({ table, block, token }: BlockInsert): string {
  const list = block.columns.map(([column]) => quoted(column)).join(', ')
  return `INSERT INTO ${quoted(table)} (${list}) SETTINGS ${onceByToken(token)}`
}

/** Settings of an insert that does nothing if the token was used before. */
export function onceByToken(token: string): string {
  if (!/^[\w.:-]+$/.test(token)) throw new TypeError(`Not a deduplication token: ${token}`)
  return `insert_deduplication_token = '${token}', deduplicate_insert = 'enable', async_insert = 0`
}

/** Sends the block as the body of the request. */
export const sentInBody: BlockWay = async (client, insert) => {
  const { stream } = await client.exec({
    query: `${intoTable(insert)} FORMAT Native`,
    values: Readable.from(insert.block.pieces, { objectMode: false }),
  })
  await finished(stream.resume())
}

/** Characters that would turn a path into a pattern for several files. */
const pattern = /[*?{}]/

/**
 * Writes the block to a file in `wanted` for the engine to read, because a statement can't carry it. Empties the folder
 * first.
 */
export function readFromFile(wanted: string): BlockWay {
  rmSync(wanted, { recursive: true, force: true })
  mkdirSync(wanted, { recursive: true, mode: 0o700 })
  const folder = pattern.test(wanted) ? mkdtempSync(join(tmpdir(), 'dataintell-blocks-')) : wanted
  let files = 0
  return async (client, insert) => {
    const { columns, pieces } = insert.block
    // A file removed before it reaches the disk is never written there; a reused name would be.
    const path = join(folder, String(++files))
    try {
      await writeFile(path, pieces, { flag: 'wx', mode: 0o600 })
      const structure = columns.map(([column, type]) => `${quoted(column)} ${type}`).join(', ')
      const list = columns.map(([column]) => quoted(column)).join(', ')
      const source = `file(${literal(path)}, 'Native', ${literal(structure)})`
      const query = `${intoTable(insert)}, deduplicate_insert_select = 'force_enable' SELECT ${list} FROM ${source}`
      await client.command({ query })
    } finally {
      await rm(path, { force: true })
    }
  }
}
