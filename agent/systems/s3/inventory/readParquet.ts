import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { columnOf, type InventoryColumn, type InventoryRow, readColumns } from './inventoryObject.ts'

/** Rows that come at once. Each time the pages of a group before them are passed over. */
const rowsAtOnce = 5_000

/** Reads bytes of the file into `bytes`, from `position` on. */
type RandomFile = {
  read(bytes: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
}

/**
 * Reads a file of an inventory in Parquet of `size` bytes. Keys are not encoded. Throws for anything else, also if it has
 * other rows than it says: its number of rows is that of a loop.
 */
export async function* readParquet(handle: RandomFile, size: number): AsyncGenerator<InventoryRow[]> {
  const file: AsyncBuffer = {
    byteLength: size,
    slice: (start, end = size) => sliceOf(handle, start, Math.min(end, size)),
  }
  const metadata = await parquetMetadataAsync(file)
  const columns = metadata.schema.map(({ name }) => name).filter((name) => isRead(columnOf(name)))
  const rows = Number(metadata.num_rows)
  const inGroups = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
  if (rows !== inGroups) throw new Error(`it says that it has ${rows} rows, and has ${inGroups}`)
  for (let rowStart = 0; rowStart < rows; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(rows, rowStart + rowsAtOnce)
    const found = await parquetReadObjects({
      file,
      metadata,
      columns,
      rowStart,
      rowEnd,
      compressors,
      useOffsetIndex: true,
    })
    if (found.length === 0) throw new Error(`it has no row after ${rowStart}`)
    yield found.map((row): InventoryRow =>
      Object.fromEntries(columns.map((name) => [columnOf(name), row[name] as unknown])),
    )
  }
}

const isRead = (column: string): column is InventoryColumn => readColumns.some((known) => known === column)

async function sliceOf(handle: RandomFile, start: number, end: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(end - start)
  const { bytesRead } = await handle.read(bytes, 0, bytes.length, start)
  if (bytesRead < bytes.length) throw new Error('it is cut short')
  return bytes.buffer
}
