import type { OddRecords } from '../../oddRecords.ts'
import type { Page } from '../../system.ts'
import type { StoreClient } from '../client.ts'
import type { ReadRange } from './download.ts'
import { type InventoryPlace, type Manifest, newestManifest, placeOf, readManifest } from './manifest.ts'
import { openFiles } from './openFiles.ts'

/**
 * The rest of an inventory: its files from `file` on, the first of them from `row` on. They are read one after another: unpacking takes
 * most of the time, and nothing else would run meanwhile.
 */
type Part = { manifest: string; file: number; row: number }

type InventoryOptions = {
  /** Location of the inventory: `s3://reports/inventory/films/daily`. */
  address: string
  /** The bucket that it must be of, and what of that is scanned: all keys that begin with `prefix`. */
  bucket: string
  prefix: string
  odd: OddRecords
}

/**
 * The objects of a bucket as its newest S3 Inventory has them. A scan that resumes after an interruption reads the same inventory to its
 * end. Throws as pages of a bucket do; a file is read only when its checksum is right.
 */
export function openInventory(client: StoreClient, { address, bucket, prefix, odd }: InventoryOptions) {
  const place = placeOf(address)
  const files = openFiles()
  let manifest: Manifest | undefined

  async function known(key: string, signal: AbortSignal): Promise<Manifest> {
    if (manifest?.key !== key) manifest = await readManifest(client, place, { bucket, key }, signal)
    return manifest
  }

  async function nextPage(part: Part, signal: AbortSignal): Promise<Page> {
    const manifest = await known(part.manifest, signal)
    const file = manifest.files[part.file]
    if (!file) return { entries: [], rest: [] }
    const next = await files.next(part.row, { file, manifest, read: readerOf(client, place, signal) })
    const rest: Part = next ? { ...part, row: next.row } : { ...part, file: part.file + 1, row: 0 }
    odd.add('noKey', next?.withoutKey ?? 0)
    const objects = (next?.objects ?? []).filter(({ key }) => key.startsWith(prefix))
    return { entries: odd.entriesOf(objects), rest: [JSON.stringify(rest)] }
  }

  return {
    async page(text: string, { signal }: { signal: AbortSignal }): Promise<Page> {
      if (text !== '') return nextPage(JSON.parse(text), signal)
      manifest = await newestManifest(client, place, bucket, signal)
      return { entries: [], rest: [JSON.stringify({ manifest: manifest.key, file: 0, row: 0 } satisfies Part)] }
    },
    async check(signal: AbortSignal): Promise<void> {
      manifest ??= await newestManifest(client, place, bucket, signal)
    },
    /** The moment that the objects are of, once something was read. */
    takenAt: () => manifest?.takenAt,
    close: files.close,
  }
}

const readerOf =
  (client: StoreClient, { bucket }: InventoryPlace, signal: AbortSignal): ReadRange =>
  async (key, from, to) => {
    const { body } = await client.getObject({ Bucket: bucket, Key: key, Range: `bytes=${from}-${to}` }, signal)
    return body
  }
