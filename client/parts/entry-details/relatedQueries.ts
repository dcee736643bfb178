import type { Entry } from '#events/entries.ts'
import type { Volume } from '#events/snapshots.ts'

/** Where an entry that is like another may be found. */
export const relatedPlaces = ['On-Premises', 'cloud', 'archive', 'deleted'] as const
export type RelatedPlace = (typeof relatedPlaces)[number]

const archiveTypes = ['Archives', 'Archiware']
const fileTypes = ['crawl.files', 'NetworkVolume', 'DellPowerScale']

const placeOf = ({ type }: Pick<Volume, 'type'>): RelatedPlace =>
  fileTypes.includes(type) ? 'On-Premises' : archiveTypes.includes(type) ? 'archive' : 'cloud'

/** By how many bytes a related file may differ; a folder by so many for each of its files. */
const tolerance = 1_024

/** The criteria that find what is like an entry: its name and nearly its size. Nothing where no storage is of that place. */
export function relatedQueries(entry: Entry, place: RelatedPlace, volumes: readonly Pick<Volume, 'id' | 'type'>[]) {
  const same = [
    { name: { value: entry.name } },
    { isDirectory: { value: entry.isDirectory } },
    ...(entry.size < 0 ? [] : [{ size: aboutSize(entry) }]),
  ]
  if (place === 'deleted') return [...same, { isDeleted: { value: true } }]
  const values = volumes.filter((volume) => placeOf(volume) === place).map(({ id }) => id)
  if (values.length === 0) return undefined
  return [...same, { fileId: { value: entry.fileId }, excludeFilter: true }, { volumeId: { values } }]
}

function aboutSize({ size, isDirectory, numberOfFiles }: Entry) {
  const most = isDirectory ? tolerance * (numberOfFiles ?? 0) : tolerance
  return { min: Math.max(0, size - most), max: size + most }
}
