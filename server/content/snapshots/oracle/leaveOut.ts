import { type EntryRow, pathOfChildren } from '#events/scans/entryRow.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { SeenEntry, SentEntry } from './walkDisk.ts'
import { known } from './expectedRows.ts'

/** An agent's memory of a scan: the files of each folder. */
export type Remembered = { scan: number; folders: Map<string, string> }

type ListedFolder = Extract<SeenEntry, { kind: 'listed' | 'unreadable' }>

/** The completely listed folders with their files, if all of these could be read and have one link. */
function fitFolders(seen: SeenEntry[]): { folder: ListedFolder; files: EntryRow[] }[] {
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

/** An agent's memory of the entries it saw. */
export const remember = (scan: number, seen: SeenEntry[]): Remembered => ({
  scan,
  folders: new Map(fitFolders(seen).map(({ folder, files }) => [pathOfChildren(folder), asText(files)])),
})

/** The records an agent sends if it may leave out remembered files; a checking scan leaves out nothing. */
export function leaveOut(seen: SeenEntry[], { scan, folders }: Remembered, isCheck = false): SentEntry[] {
  const same = fitFolders(seen).filter(({ folder, files }) => folders.get(pathOfChildren(folder)) === asText(files))
  const leftOut = new Set(isCheck ? [] : same.flatMap(({ files }) => files))
  const marks = same.map(({ folder: { parentPath, name }, files }): SentEntry => ({
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
  accessed: Math.max(
    ...files.map(({ linkTarget, accessed, modified }) => known(linkTarget === '' ? accessed : modified)),
  ),
  modified: Math.max(...files.map(({ modified }) => known(modified))),
})

/** An agent's memory, if it is of the volume's committed scan; otherwise empty. */
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
