import type { FileArchive } from '#events/search/archived.ts'
import { mapPath, type PathMapping } from '#events/sources/pathMapping.ts'
import { fullPath, type Index, type KnownFile, ownMappings, type Storage } from './randomArchive.ts'

type NamedIndex = Index & { name: string }

/** The archive state of a file after a number of scans of each index, by looking at every version of every index. */
export function expectedArchive(
  file: KnownFile,
  storage: Storage,
  archive: { mappings: readonly PathMapping[]; indexes: readonly NamedIndex[]; scans: number },
): FileArchive {
  const full = fullPath(storage, file.path)
  const mapped = mapPath(ownMappings(archive.mappings, storage), full, 'fromDataIntell') ?? full
  const path = `/${mapped}`.replaceAll(/\/{2,}/g, '/')
  // P5 can't have the path of a Windows share.
  const indexes = mapped.startsWith('\\\\') ? [] : archive.indexes
  const versions = indexes.flatMap((index) =>
    versionsAt(index, path, archive.scans).map((version) => ({ ...version, index: index.name })),
  )
  const backups = versions.sort((a, b) => (a.backupDate ?? 0) - (b.backupDate ?? 0) || (a.index < b.index ? -1 : 1))
  const same = backups.find(({ size, modified }) => size === file.size && modified === file.modified)
  const shown = same ?? backups.at(-1)
  return {
    state: same ? 'archived' : shown ? 'changed' : 'notArchived',
    since: shown ? new Date((shown.backupDate ?? 0) * 1000).toISOString() : null,
    index: shown?.index ?? null,
  }
}

/** All versions of a file that an index has: those since it last was missing. */
function versionsAt({ scans }: Index, path: string, count: number): KnownFile[] {
  const seen = scans.slice(0, count).map((files) => files.get(path))
  return seen.slice(seen.lastIndexOf(undefined) + 1).filter((version) => version !== undefined)
}
