import type { ListedObject } from '../../objectEntry.ts'
import { messageOf, ScanFailed } from '../../system.ts'
import { type Download, newDownload, type ReadRange } from './download.ts'
import { type InventoryRow, NoRow, objectOfRow } from './inventoryObject.ts'
import type { InventoryFile, Manifest } from './manifest.ts'
import { readFile } from './readFile.ts'

/** A file that is on its way to this machine, then read; `row` is how many rows of it were. */
type OpenFile = { download: Download; rows?: AsyncGenerator<InventoryRow[]>; row: number }

/** Objects of a file, the number of rows without a key among them, and the row behind them. */
type NextObjects = ReadRows & { row: number }
type ReadRows = { objects: ListedObject[]; withoutKey: number }

type FileOptions = { file: InventoryFile; manifest: Pick<Manifest, 'format' | 'columns'>; read: ReadRange }

/** The files of an inventory that are being read, each from its first row to its last. */
export function openFiles() {
  const files = new Map<string, OpenFile>()

  /** The file, at a row that it was read to, or at its first. */
  function opened(file: InventoryFile, row: number): OpenFile {
    const known = files.get(file.key)
    if (known && (known.row === row || known.rows === undefined)) return known
    if (known) void end(known)
    const begun: OpenFile = { download: newDownload(file), row: 0 }
    files.set(file.key, begun)
    return begun
  }

  return {
    /**
     * The next objects of a file from a row on, those of several rows at once; undefined at its end. Throws `ScanFailed` for a file
     * that is none of an inventory, and what `read` throws.
     */
    async next(row: number, { file, manifest, read: readRange }: FileOptions): Promise<NextObjects | undefined> {
      const open = opened(file, row)
      open.rows ??= await rowsOf(open.download, { file, manifest, read: readRange })
      const read = await nextObjects(open, row).catch((error: unknown) => {
        const why = error instanceof NoRow ? error.message : whyUnreadable(error)
        throw new ScanFailed(`The file ${file.key} of the inventory cannot be read as ${manifest.format}: ${why}`)
      })
      if (read) return { ...read, row: open.row }
      files.delete(file.key)
      await end(open)
      return undefined
    },
    close() {
      for (const file of files.values()) void end(file)
    },
  }
}

async function end({ rows, download }: OpenFile): Promise<void> {
  await rows?.return(undefined).catch(() => undefined)
  await download.close()
}

async function rowsOf(download: Download, { file, manifest, read }: FileOptions) {
  const handle = await download.finish(read)
  return readFile(handle, { ...manifest, size: file.size })
}

/** Skips objects that an earlier attempt has read. */
async function nextObjects(open: OpenFile, from: number): Promise<ReadRows | undefined> {
  for (;;) {
    const next = await open.rows?.next()
    if (!next || next.done) return undefined
    const first = open.row
    open.row += next.value.length
    const skipped = Math.max(0, from - first)
    if (skipped < next.value.length) return objectsOf(next.value.slice(skipped))
  }
}

/** Throws `NoRow` if none of several rows has a key. */
function objectsOf(rows: readonly InventoryRow[]): ReadRows {
  const read = rows.map(objectOfRow)
  const withoutKey = read.filter((object) => object === 'noKey').length
  if (withoutKey === rows.length && withoutKey > 1) throw new NoRow('no row has a key')
  const objects = read.flatMap((object) => (object === undefined || object === 'noKey' ? [] : object))
  return { objects, withoutKey }
}

const zlibWords: Record<string, string> = {
  Z_BUF_ERROR: 'it is cut short',
  Z_DATA_ERROR: 'it is damaged, or is not gzip',
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return zlibWords[code] ?? messageOf(error)
}
