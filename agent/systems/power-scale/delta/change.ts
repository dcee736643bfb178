import { z } from 'zod'
import { entriesOfPage, isRemoved } from '../unconfirmed.ts'
import { newSortedRecords, type SpillFile } from '../../sortedRecords.ts'

const Whole = z.union([z.number(), z.bigint()])
const Moment = z.union([z.number(), z.object({ sec: z.number() })]).nullish()

const Entry = z.object({
  lin: Whole,
  parent_lin: Whole.nullish(),
  path: z.string().nullish(),
  file_type: z.string().nullish(),
  change_types: z.array(z.string()).max(100),
  size: Whole.nullish(),
  uid: z.number().nullish(),
  gid: z.number().nullish(),
  atime: Moment,
  btime: Moment,
  mtime: Moment,
})

export const EntriesPage = z.object({ entries: z.array(Entry).max(10 * entriesOfPage), resume: z.string().nullish() })

/** An entry of a changelist. Of a removed one the path is in the old tree, of others in the new one. Times are seconds UTC. */
export type Change = {
  lin: number | bigint
  parentLin: number | bigint
  /** Relative to the root of the changelist; '' is the root itself, undefined a path that the cluster did not resolve. */
  path: string | undefined
  fileType: string
  types: readonly string[]
  size: number | bigint
  uid: number
  gid: number
  accessed: number
  created: number
  modified: number
}

/** A change with its path. */
export type PlacedChange = Omit<Change, 'path' | 'parentLin'> & { path: string }

type Kind = Pick<Change, 'types' | 'fileType'>
export const isGone = ({ types, fileType }: Kind): boolean => isRemoved(types, fileType)
export const isAdded = ({ types }: Kind): boolean => types.includes('ENTRY_ADDED')
export const isFolder = ({ fileType }: Kind): boolean => fileType === 'directory'

const seconds = (moment: z.infer<typeof Moment>): number =>
  Math.floor((typeof moment === 'object' ? moment?.sec : moment) ?? 0)

/** The root has an empty path; old releases also leave out paths of other entries, with or without saying so. */
const mayBeRoot = ({ path, file_type: fileType, change_types: types }: z.infer<typeof Entry>): boolean =>
  path === '' &&
  fileType === 'directory' &&
  !types.some((type) => ['ENTRY_ADDED', 'ENTRY_REMOVED', 'ENTRY_PATH_LOOKUP_REQ'].includes(type))

export function changeOf(entry: z.infer<typeof Entry>): Change {
  const { path, change_types: types } = entry
  return {
    lin: entry.lin,
    parentLin: entry.parent_lin ?? 0,
    path: path || (mayBeRoot(entry) ? '' : undefined),
    fileType: entry.file_type ?? '',
    types,
    size: entry.size ?? 0,
    uid: entry.uid ?? 0,
    gid: entry.gid ?? 0,
    accessed: seconds(entry.atime),
    created: seconds(entry.btime),
    modified: seconds(entry.mtime),
  }
}

/** A change as it is kept in a file. */
export type StoredChange = ReturnType<typeof storedChange>

export function storedChange(change: PlacedChange) {
  const { lin, path, fileType, types, size, uid, gid, accessed, created, modified } = change
  return [String(lin), path, fileType, types, String(size), uid, gid, accessed, created, modified] as const
}

export function readStored([lin, path, fileType, types, size, ...others]: StoredChange): PlacedChange {
  const [uid, gid, accessed, created, modified] = others
  return { lin: wholeOf(lin), path, fileType, types, size: wholeOf(size), uid, gid, accessed, created, modified }
}

const wholeOf = (text: string): number | bigint => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text))

/** Changes in any number, which are read by their inodes. Those of one inode follow each other. */
export function newChangeRecords(spill: SpillFile) {
  const records = newSortedRecords<StoredChange>(spill)
  return {
    add: (change: PlacedChange): void => records.add(String(change.lin).padStart(20, '0'), storedChange(change)),
    *read(): Generator<PlacedChange> {
      for (const record of records.read()) yield readStored(record)
    },
  }
}
export type ChangeRecords = ReturnType<typeof newChangeRecords>
