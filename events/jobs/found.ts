import type { FoundFiles, FoundInStorage } from './taskResults.ts'

type Counts = Omit<FoundInStorage, 'volumeId'>

const add = (a: Counts, b: Counts): Counts => ({
  there: a.there + b.there,
  changed: a.changed + b.changed,
  gone: a.gone + b.gone,
  goneBytes: a.goneBytes + b.goneBytes,
})

/** Counts of all storages; undefined without any. */
export const sumOfStorages = ([first, ...others]: readonly FoundInStorage[]): Counts | undefined =>
  first && others.reduce<Counts>(add, first)

/** Findings of scans for all parts of an action, with each storage once; undefined before the first scan. */
export const sumOfFound = ([first, ...others]: readonly FoundFiles[]): FoundFiles | undefined =>
  first && others.reduce(addFound, first)

function addFound(a: FoundFiles, b: FoundFiles): FoundFiles {
  const target =
    a.target && b.target
      ? {
          arrived: a.target.arrived + b.target.arrived,
          changed: a.target.changed + b.target.changed,
          missing: a.target.missing + b.target.missing,
        }
      : (a.target ?? b.target)
  const storages = Map.groupBy([...a.storages, ...b.storages], ({ volumeId }) => volumeId)
  return {
    at: a.at > b.at ? a.at : b.at,
    target,
    storages: [...storages].flatMap(([volumeId, parts]) => {
      const sum = sumOfStorages(parts)
      return sum ? [{ ...sum, volumeId }] : []
    }),
  }
}
