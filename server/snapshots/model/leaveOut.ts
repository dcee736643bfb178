import { type EntryRow, pathOfChildren } from '#events/scans/entryRow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Seen, Sent } from './walkDisk.ts'

/** What an agent remembers of a scan: of folders, the files as they were. */
export type Remembered = { scan: number; folders: Map<string, string> }

type Listed = Extract<Seen, { kind: 'listed' | 'unreadable' }>

/** The folders that were listed whole, with their files, where all of these could be looked up and have one link. */
function fitFolders(seen: Seen[]): { folder: Listed; files: EntryRow[] }[] {
  const files = Map.groupBy(
    seen.flatMap((each) => (each.kind === 'entry' && !each.row.isDirectory ? [each.row] : [])),
    ({ parentPath }) => parentPath,
  )
  return seen.flatMap((each) => {
    const inFolder = each.kind === 'listed' ? (files.get(pathOfChildren(each)) ?? []) : []
    const isFit = inFolder.length > 0 && inFolder.every(({ size, linkCount }) => size !== -1 && linkCount === 1)
    return isFit && each.kind === 'listed' ? [{ folder: each, files: inFolder }] : []
  })
}

const asText = (files: EntryRow[]): string =>
  JSON.stringify(files.map(({ inode: _, device: __, ...row }) => ({ ...row, ...(row.linkTarget && { accessed: 0 }) })))

/** What an agent remembers of what it saw. */
export const remember = (scan: number, seen: Seen[]): Remembered => ({
  scan,
  folders: new Map(fitFolders(seen).map(({ folder, files }) => [pathOfChildren(folder), asText(files)])),
})

/** What an agent sends of what it sees where it may leave out what it remembers; in a scan that checks it leaves out nothing. */
export function leaveOut(seen: Seen[], { scan, folders }: Remembered, isCheck = false): Sent[] {
  const same = fitFolders(seen).filter(({ folder, files }) => folders.get(pathOfChildren(folder)) === asText(files))
  const leftOut = new Set(isCheck ? [] : same.flatMap(({ files }) => files))
  const marks = same.map(({ folder: { parentPath, name }, files }): Sent => ({
    kind: 'unchanged',
    parentPath,
    name,
    scan,
    ...(!isCheck && { totals: totalsOf(files) }),
  }))
  return [...seen.filter((each) => each.kind !== 'entry' || !leftOut.has(each.row)), ...marks]
}

const totalsOf = (files: EntryRow[]) => ({
  files: files.length,
  size: files.reduce((sum, { size }) => sum + Number(size), 0),
  allocatedSize: files.reduce((sum, { allocatedSize }) => sum + Number(allocatedSize), 0),
  accessed: Math.max(...files.map(({ linkTarget, accessed, modified }) => (linkTarget === '' ? accessed : modified))),
  modified: Math.max(...files.map(({ modified }) => modified)),
})

/** What an agent may leave out by what it remembers: nothing unless that is of the volume's committed scan. */
export async function comparable(
  { db }: Pick<Platform, 'db'>,
  volumeId: number,
  remembered: Remembered | undefined,
): Promise<Remembered | undefined> {
  const { committedScan, generation } = await db
    .selectFrom('volumes')
    .select(['committedScan', 'generation'])
    .where('id', '=', volumeId)
    .executeTakeFirstOrThrow()
  return generation !== null && remembered?.scan === committedScan ? remembered : undefined
}
