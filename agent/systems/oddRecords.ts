import { counted } from '#events/contract/counted.ts'
import type { EntryRow } from '#events/scans/entryRow.ts'
import { type ListedObject, objectEntry } from './objectEntry.ts'

/** Records that a store sent and that could not be read in full, by the fault; and those that it sent again. */
const faults = {
  noKey: (count: number) => `${count} without a key ${count === 1 ? 'was' : 'were'} left out`,
  noSize: (count: number) => `${count} without a size`,
  noDate: (count: number) => `${count} without a date`,
}
type Fault = keyof typeof faults

/**
 * Counts odd records of a store, which never end a scan. A record with several faults counts once, as the first of them. `note` is a
 * sentence for users; undefined if there is nothing odd.
 */
export function newOddRecords() {
  const counts: Record<Fault, number> = { noKey: 0, noSize: 0, noDate: 0 }
  let repeated = 0
  const total = () => counts.noKey + counts.noSize + counts.noDate
  return {
    total,
    add(fault: Fault, count = 1) {
      counts[fault] += count
    },
    addRepeated(count = 1) {
      repeated += count
    },
    /** Entries of objects, counting the odd ones as they are read. */
    *entriesOf(objects: Iterable<ListedObject>): Generator<EntryRow> {
      for (const object of objects) {
        if (object.size === undefined) counts.noSize++
        else if (object.modified === undefined) counts.noDate++
        yield objectEntry(object)
      }
    },
    note(): string | undefined {
      const found = (Object.keys(faults) as Fault[]).filter((fault) => counts[fault] > 0)
      const named = found.map((fault) => faults[fault](counts[fault])).join(', ')
      const odd = total() === 0 ? [] : [`${records(total())} could not be read in full: ${named}.`]
      const again = repeated === 0 ? [] : [`${records(repeated)} that the store sent again ${verb(repeated)} skipped.`]
      return [...odd, ...again].join(' ') || undefined
    },
  }
}
export type OddRecords = ReturnType<typeof newOddRecords>

const records = (count: number): string => counted(count, 'record')
const verb = (count: number): string => (count === 1 ? 'was' : 'were')
