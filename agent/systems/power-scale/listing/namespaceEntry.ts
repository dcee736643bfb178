import { z } from 'zod'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { allocatedSizeOf } from '../unconfirmed.ts'

/** A number that may be large, or written as text. */
const Whole = z.union([
  z.number(),
  z.bigint(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(BigInt),
])
const Seconds = z.number().transform(Math.floor)

/** An entry as the namespace API lists it. */
export const Child = z.object({
  name: z.string(),
  type: z.string(),
  size: Whole.nullish(),
  owner: z.string().nullish(),
  group: z.string().nullish(),
  uid: z.number().nullish(),
  gid: z.number().nullish(),
  mode: z.string().nullish(),
  id: Whole.nullish(),
  nlink: z.number().nullish(),
  mtime_val: Seconds.nullish(),
  atime_val: Seconds.nullish(),
  btime_val: Seconds.nullish(),
})
export type Child = z.infer<typeof Child>

/** Attributes that a listing requests. */
export const childAttributes = 'name,type,size,owner,group,uid,gid,mode,id,nlink,mtime_val,atime_val,btime_val'

/** Bits of `st_mode` for a type. */
const typeBits: ReadonlyMap<string, number> = new Map([
  ['container', 0o040_000],
  ['object', 0o100_000],
  ['symbolic_link', 0o120_000],
  ['pipe', 0o010_000],
  ['socket', 0o140_000],
  ['character_device', 0o020_000],
  ['block_device', 0o060_000],
  ['whiteout_file', 0o160_000],
])
const permissionBits = 0o7_777

export const isDirectory = ({ type }: Child): boolean => type === 'container'

/** The entry of a child. Sizes of directories are those of their contents, which are summed elsewhere. */
export function entryOf(child: Child, parentPath: string): EntryRow {
  const size = isDirectory(child) ? 0 : (child.size ?? 0)
  return {
    parentPath,
    name: child.name,
    isDirectory: isDirectory(child),
    size,
    allocatedSize: allocatedSizeOf(Number(size)),
    linkCount: child.nlink ?? 1,
    device: 0,
    inode: child.id ?? 0,
    owner: ownerName(child.owner, child.uid),
    group: ownerName(child.group, child.gid),
    mode: (typeBits.get(child.type) ?? 0) | (Number.parseInt(child.mode ?? '0', 8) & permissionBits),
    linkTarget: '',
    created: child.btime_val ?? 0,
    modified: child.mtime_val ?? 0,
    accessed: child.atime_val ?? 0,
  }
}

/** A name, or the number where it does not resolve: then OneFS writes an empty text, or one such as 'UID:1001'. */
export function ownerName(name: string | null | undefined, id: number | null | undefined): string {
  const number = /^[UG]ID:(\d+)$/i.exec(name ?? '')?.[1]
  if (number !== undefined) return number
  return name || String(id ?? '')
}
