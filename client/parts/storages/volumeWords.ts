import type { Volume } from '#events/snapshots.ts'
import { counted } from '#client/ui/text/count.ts'
import { groupOfType, sourceOfType, storageGroups } from '#events/sources/kinds.ts'

const bucketPrefix = 'S3-BUCKET-'

/** The name of a volume as people know it: a bucket by its own name. */
export const volumeName = ({ name, type }: Pick<Volume, 'name' | 'type'>): string =>
  groupOfType(type) !== 'file' && name.startsWith(bucketPrefix) ? name.slice(bucketPrefix.length) : name

/** In which group of storages a type is, in the words of users. */
export const groupLabel = (type: string): string => storageGroups[groupOfType(type)].label

/** What a volume is: its kind of source. */
export const volumeKind = ({ type }: Pick<Volume, 'type'>): string => sourceOfType(type)?.label ?? groupLabel(type)

/** What a disk is called whose storages share it. */
export const diskName = (storages: readonly Pick<Volume, 'name' | 'type'>[]): string =>
  storages.length === 1 && storages[0] ? volumeName(storages[0]) : `One disk, ${counted(storages.length, 'storage')}`
