import type { Volume } from '#events/snapshots.ts'
import { isFileStorage, storageKind } from './storageKind.ts'

const bucketPrefix = 'S3-BUCKET-'
const fileTypes: Record<string, string> = {
  'crawl.files': 'File storage',
  NetworkVolume: 'Network volume',
  DellPowerScale: 'Dell PowerScale',
}

/** The name of a volume as people know it: a bucket by its own name. */
export const volumeName = ({ name, type }: Pick<Volume, 'name' | 'type'>): string =>
  !isFileStorage(type) && name.startsWith(bucketPrefix) ? name.slice(bucketPrefix.length) : name

/** As `storageKind` has it, and of file storages more exactly. */
export const volumeKind = ({ type }: Pick<Volume, 'type'>): string => fileTypes[type] ?? storageKind(type)

/** How much of a volume is in use, of 1; undefined where it does not tell its capacity. */
export const usedShare = ({ used, total }: Pick<Volume, 'used' | 'total'>): number | undefined =>
  used === null || !total ? undefined : used / total
