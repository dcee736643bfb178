import type { FileArchive } from '#events/search/archived.ts'
import { chunksOf } from '#server/platform/clickhouse/chunks.ts'
import type { ClickHouse } from '#server/platform/clickhouse/index.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Snapshot } from '#server/content/snapshots/reading/snapshotAt.ts'
import { versionsIn } from './archivedFiles.ts'
import { type ArchiveIndex, archiveIndexes, comparedVolumes, mappedFolderOf, mappedFolders } from './mappedFolders.ts'

type File = { volume: number; parent_path: string; name: string; is_directory: boolean; size: number; modified: string }
type Version = Pick<File, 'parent_path' | 'name' | 'size' | 'modified'> & { backup_date: string }
type ArchiveLookup = { file: File; parentPath: string }

/** The archive state of each file of a page; null for entries that have none. */
export async function archivesAmong(
  clickhouse: ClickHouse,
  files: readonly File[],
  snapshot: Snapshot,
): Promise<(file: File) => FileArchive | null> {
  const compared = new Set(comparedVolumes(snapshot).map(({ volumeId }) => volumeId))
  const isCompared = ({ volume, is_directory }: File) => !is_directory && compared.has(volume)
  const mapped = mappedPlaces(files.filter(isCompared), snapshot)
  const found = await Promise.all(
    archiveIndexes(snapshot).map(async (index) => {
      const wanted = mapped.flatMap((place) => placesIn(index, place))
      const versions = Map.groupBy(await readVersions(clickhouse, snapshot, index, wanted), pathOf)
      return wanted.map(({ file, parentPath }) => {
        const here = versions.get(parentPath + file.name) ?? []
        return { file, versions: here.map((version) => ({ ...version, index: index.index.name })) }
      })
    }),
  )
  const byFile = Map.groupBy(found.flat(), ({ file }) => file)
  const versionsOf = (file: File) => (byFile.get(file) ?? []).flatMap(({ versions }) => versions)
  return (file) => (isCompared(file) ? archiveOf(file, versionsOf(file)) : null)
}

const pathOf = ({ parent_path, name }: Pick<Version, 'parent_path' | 'name'>): string => parent_path + name

function mappedPlaces(files: readonly File[], snapshot: Snapshot): ArchiveLookup[] {
  if (files.length === 0) return []
  const mapped = mappedFolders(snapshot)
  return files.map((file) => {
    const scope = { volumeId: file.volume, folder: file.parent_path }
    return { file, parentPath: mappedFolderOf(mapped, scope) }
  })
}

const placesIn = ({ folder }: ArchiveIndex, { file, parentPath }: ArchiveLookup): ArchiveLookup[] =>
  parentPath.startsWith(folder) ? [{ file, parentPath: parentPath.slice(folder.length - 1) }] : []

/** Includes versions with the folder of one file and the name of another: comparing two lists is faster. */
async function readVersions(
  clickhouse: ClickHouse,
  snapshot: Snapshot,
  index: ArchiveIndex,
  wanted: ArchiveLookup[],
): Promise<Version[]> {
  const pieces = chunksOf(wanted, ({ file, parentPath }) => parentPath + file.name)
  const read = (piece: ArchiveLookup[]) =>
    clickhouse.rows<Version>(
      sql`SELECT parent_path, name, size, modified, backup_date FROM ${versionsIn(snapshot, [index])}
        WHERE parent_path IN ${[...new Set(piece.map(({ parentPath }) => parentPath))]}
          AND name IN ${[...new Set(piece.map(({ file }) => file.name))]}`,
      { quick: true },
    )
  return (await Promise.all(pieces.map(read))).flat()
}

const unknownTime = '1970-01-01 00:00:00'
type IndexVersion = Version & { index: string }

/** The first backup of the same version, else the last one of another version. */
function archiveOf(file: File, versions: readonly IndexVersion[]): FileArchive {
  const isSame = ({ size, modified }: Version) =>
    size >= 0 && size === file.size && modified !== unknownTime && modified === file.modified
  const oldestFirst = versions.toSorted((a, b) => compare(sortKey(a), sortKey(b)))
  const same = oldestFirst.find(isSame)
  if (same) return { state: 'archived', ...backupOf(same) }
  const last = oldestFirst.findLast(({ backup_date }) => backup_date !== unknownTime) ?? oldestFirst[0]
  return last ? { state: 'changed', ...backupOf(last) } : { state: 'notArchived', since: null, index: null }
}

/** Unknown dates are last. */
const sortKey = ({ backup_date, index }: IndexVersion): string =>
  `${backup_date === unknownTime ? '9999' : backup_date} ${index}`
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const backupOf = ({ backup_date, index }: IndexVersion) => ({
  since: backup_date === unknownTime ? null : `${backup_date.replace(' ', 'T')}.000Z`,
  index,
})
