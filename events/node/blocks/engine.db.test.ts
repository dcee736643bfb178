import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases } from '#server/platform/testing/cases.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { type ClickHouse, openClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql, text } from '#server/platform/clickhouse/sql.ts'
import { backends, memory } from '#server/platform/clickhouse/testing.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { blockColumns, entryColumns } from '../../scans/entryRow.ts'
import { newBlockWriter } from './blockWriter.ts'
import { checkBlock, withBatch } from './checkBlock.ts'
import type { DecodedRow } from './testing/decodeBlock.ts'
import { addSome, owners } from './testing/randomRows.ts'

const asText = (value: unknown) => (typeof value === 'boolean' ? String(Number(value)) : String(value))
/** The values of a row as queries return them: numbers beyond 2^53 as text, too. */
const valuesOf = (row: DecodedRow) =>
  blockColumns.map(([name]) => (name === 'metadata' ? row[name] : asText(row[name])))
const inText = blockColumns
  .filter(([name]) => name !== 'metadata')
  .map(([name, type]) => `toString(${type === 'Bool' ? `toUInt8(\`${name}\`)` : `\`${name}\``}) AS \`${name}\``)
  .join(', ')

describe.each(backends)('$name', ({ address }) => {
  let clickhouse: ClickHouse
  beforeAll(async () => {
    clickhouse = await openClickHouse(await address(testFolder('chdb')), { memory })
    const columns = entryColumns.map(([column, type]) => `\`${column}\` ${type}`).join(', ')
    await clickhouse.command(sql`
      CREATE TABLE crossed (${text(columns)}) ENGINE = MergeTree ORDER BY tuple()
      SETTINGS non_replicated_deduplication_window = 1000`)
  })
  afterAll(() => clickhouse.close())

  const read = () =>
    clickhouse.rows<Record<string, unknown>>(sql`SELECT attempt, batch, metadata, ${text(inText)} FROM crossed`)

  test('the engine reads what was written, once for each batch', async () => {
    const random = newRandom(1)
    const writer = newBlockWriter(owners)
    for (let batch = 1; batch <= cases(10, 500); batch++) {
      const rows = addSome(random, writer)
      const checked = checkBlock(writer.encode())
      if (typeof checked === 'string') throw new Error(checked)
      const block = withBatch(checked, { attempt: 3, batch })
      for (let n = 0; n < 2; n++) await clickhouse.insertBlock({ table: 'crossed', block, token: `1.3.${batch}` })
      writer.clear()
      const found = await read()
      expect(found.map((row) => blockColumns.map(([name]) => row[name]))).toEqual(rows.map(valuesOf))
      expect(found.every((row) => row['attempt'] === 3 && row['batch'] === batch)).toBe(true)
      await clickhouse.command(sql`ALTER TABLE crossed DELETE WHERE 1 SETTINGS mutations_sync = 2`)
    }
  })
})
