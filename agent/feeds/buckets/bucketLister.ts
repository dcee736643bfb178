import type { FollowOrder } from '#events/feeds/follow.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { isInQuarantine } from '#events/scans/notEntered.ts'
import { newBatches } from '../../scan/batches.ts'
import { folderOf } from '../../scan/folders/folderStack.ts'
import { checkedEntry } from '../../scan/pages/externalEntry.ts'
import { rulesOf } from '../../scan/rules.ts'
import { objectEntry, rootEntry } from '../../systems/objectEntry.ts'
import type { StoreClient } from '../../systems/s3/client.ts'
import type { newSpelling } from '../../systems/s3/listing/keys.ts'
import { listFolder } from '../../systems/s3/listing/listFolder.ts'

type Options = {
  client: StoreClient
  bucket: string
  /** Prefix of the storage: '' or 'films/'. */
  root: string
  spelling: ReturnType<typeof newSpelling>
  order: FollowOrder
  signal: AbortSignal
}

/** Path of the folder that a path is in. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** A folder has no row of its own in a scan: the server adds one, for which nothing is known. */
const folderEntry = (path: string): EntryRow => ({ ...rootEntry(), ...folderOf(path), linkCount: 0 })

/**
 * Lists folders of a bucket for one flush, with the entries that a scan records. A folder is there if something is in it: with its own entry those of
 * all folders above are sent.
 */
export function newBucketLister({ client, bucket, root, spelling, order, signal }: Options) {
  const { record, rows, batches, end } = newRecorder(order)
  const written = new Set<string>()
  const empty = new Set<string>()
  const recordAbove = (path: string) => {
    for (let above = path; above !== '' && !written.has(above); above = parentOf(above)) {
      written.add(above)
      record(folderEntry(above))
    }
  }
  return {
    /** Lists a folder, and returns those in it. Undefined if nothing is there. Throws as pages of a bucket do. */
    async list(path: string): Promise<string[] | undefined> {
      const prefix = path === '' ? root : `${root}${path.slice(1)}/`
      const below: string[] = []
      let children = 0
      for await (const { objects, prefixes } of listFolder(client, prefix, { bucket, spelling, signal })) {
        // The mark of the scanned folder itself is left out, as by a scan.
        for (const object of objects)
          if (object.key !== root && record(objectEntry({ ...object, key: object.key.slice(root.length) }))) children++
        const folders = prefixes.map((folder) => `/${folder.slice(root.length, -1)}`)
        for (const folder of folders) if (record(folderEntry(folder))) below.push(folder)
      }
      if (children + below.length === 0 && path !== '') return void empty.add(path)
      batches.addListed(folderOf(path), children + below.length)
      recordAbove(path)
      // A folder whose name can't be requested, because it isn't UTF-8, is known without its contents.
      for (const folder of below) if (empty.has(folder)) batches.addListed(folderOf(folder), 0)
      return below
    },
    rows,
    /** Returns the blocks of all that was listed. */
    end,
  }
}
export type BucketLister = ReturnType<typeof newBucketLister>

/** Records entries into blocks, as a scan does. */
function newRecorder(order: FollowOrder) {
  const rules = rulesOf(order)
  const parts: Uint8Array<ArrayBuffer>[] = []
  const batches = newBatches({ nextBatch: () => 0, send: ({ packed }) => parts.push(packed) })
  let rows = 0
  return {
    batches,
    rows: () => rows,
    /** Returns false for an entry that a scan leaves out. */
    record(entry: EntryRow): boolean {
      const { parentPath, name } = entry
      const checked = checkedEntry(entry, false)
      if (typeof checked === 'string' || isInQuarantine(parentPath + name) || rules.leavesOut(parentPath, name))
        return false
      batches.add(checked)
      rows++
      return true
    },
    end() {
      batches.flush()
      return parts
    },
  }
}
