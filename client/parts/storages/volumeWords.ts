import type { Volume } from '#events/snapshots.ts'
import { counted } from '#client/ui/text/count.ts'
import { isOfWindows } from '#events/sources/fullPath.ts'
import { groupOfType, sourceOfType, storageGroups } from '#events/sources/kinds.ts'

const bucketPrefix = 'S3-BUCKET-'

/** Display name of a volume; a bucket without its prefix. */
export const volumeName = ({ name, type }: Pick<Volume, 'name' | 'type'>): string =>
  groupOfType(type) !== 'file' && name.startsWith(bucketPrefix) ? name.slice(bucketPrefix.length) : name

/** Group of a storage type, such as cloud. */
export const groupLabel = (type: string): string => storageGroups[groupOfType(type)].label

/** Kind of the volume's source. */
export const volumeKind = ({ type }: Pick<Volume, 'type'>): string => sourceOfType(type)?.label ?? groupLabel(type)

/** The system of a storage: `SMB`, `Amazon S3`. The full path tells SMB from NFS. */
export function systemName(type: string, fullPath?: string): string {
  if (type === 'crawl.files') return 'Folder'
  if (type === 'NetworkVolume') return fullPath === undefined ? 'Network share' : isOfWindows(fullPath) ? 'SMB' : 'NFS'
  const source = sourceOfType(type)
  return source?.kind === 'powerScale' ? source.label : (source?.types[type] ?? type)
}

/** Name of a disk that several storages share. */
export const diskName = (storages: readonly Pick<Volume, 'name' | 'type'>[]): string =>
  storages.length === 1 && storages[0] ? volumeName(storages[0]) : `${counted(storages.length, 'storage')} on one disk`

/** Hint for a storage whose file system has reflinks. */
export const sharedSpaceText =
  'Copies may share their space on disk (reflinks, snapshots), so deleting one may free less than its size'
