import { type FileTotals, projectAges, type ProjectStatistics } from '#events/projects/calls.ts'

const none: FileTotals = { sizeOfFiles: 0, numberOfFiles: 0 }
/** Statistics of no files. */
export const noStatistics: ProjectStatistics = {
  DUPLICATE: { duplicate: none, reclaimable: none },
  MODIFIED_DATE: {},
  ACCESS_DATE: {},
}

/** Sums, also by storage class. Names of classes come from stores and can be any text, such as `constructor`, so they are added in a map. */
export function addTotals(all: FileTotals[]): FileTotals {
  const classes = new Map<string, number>()
  for (const [name, bytes] of all.flatMap((one) => Object.entries(one.classes ?? {})))
    classes.set(name, (classes.get(name) ?? 0) + bytes)
  return {
    sizeOfFiles: all.reduce((sum, { sizeOfFiles }) => sum + sizeOfFiles, 0),
    numberOfFiles: all.reduce((sum, { numberOfFiles }) => sum + numberOfFiles, 0),
    ...(classes.size > 0 && { classes: Object.fromEntries(classes) }),
  }
}

/** Sums of each age and of duplicates; ages without files are left out. */
export const addStatistics = (all: ProjectStatistics[]): ProjectStatistics => combine(all, addTotals)

/**
 * Statistics without the bytes of files that count elsewhere, which have no storage classes. Reclaimable bytes stay: of hard links they
 * count the first one only.
 */
export const withoutRepeated = (statistics: ProjectStatistics, repeated: ProjectStatistics | null): ProjectStatistics =>
  repeated === null ? statistics : combine([statistics, repeated], subtract)

const subtract = ([from = none, ...others]: FileTotals[]): FileTotals => ({
  ...from,
  sizeOfFiles: others.reduce((left, { sizeOfFiles }) => Math.max(0, left - sizeOfFiles), from.sizeOfFiles),
})

type Combine = (totals: FileTotals[]) => FileTotals

function combine(all: ProjectStatistics[], totalsOf: Combine): ProjectStatistics {
  const ages = (of: 'MODIFIED_DATE' | 'ACCESS_DATE') =>
    Object.fromEntries(
      projectAges.flatMap((age) => {
        const found = all.flatMap((statistics) => statistics[of][age] ?? [])
        return found.length === 0 ? [] : [[age, totalsOf(found)]]
      }),
    )
  return {
    DUPLICATE: {
      duplicate: totalsOf(all.map(({ DUPLICATE }) => DUPLICATE.duplicate)),
      reclaimable: totalsOf(all.map(({ DUPLICATE }) => DUPLICATE.reclaimable)),
    },
    MODIFIED_DATE: ages('MODIFIED_DATE'),
    ACCESS_DATE: ages('ACCESS_DATE'),
  }
}
