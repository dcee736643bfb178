import type { DateInterval, DatePoint, FieldTotals, groupingFields, Totals } from '#events/search.ts'
import type { Known } from './known.ts'

const bytesOf = (entries: Known[]) => entries.reduce((sum, { row }) => sum + Math.max(row.size, 0), 0)
export const addUp = (entries: Known[]): Totals => ({ count: entries.length, size: bytesOf(entries) })

export function addUpByField(entries: Known[], fieldName: (typeof groupingFields)[number]): FieldTotals[] {
  const values = ({ row, dupe, volumeName }: Known) => ({
    storageName: volumeName,
    isDupe: String(dupe),
    extension: row.extension,
    owner: row.owner,
    group: row.group,
  })
  const groups = Map.groupBy(entries, (entry) => values(entry)[fieldName])
  return [...groups].map(([field, of]) => ({ field, ...addUp(of) })).sort((a, b) => (a.field < b.field ? -1 : 1))
}

export const dateFields = {
  creationDate: 'created',
  lastAccess: 'lastAccess',
  lastModified: 'lastModified',
  backupDate: 'backedUp',
} as const

/** What falls into each of the periods that begin on these days; an unknown date is in none. */
export function addUpByPeriod(
  entries: Known[],
  field: keyof typeof dateFields,
  interval: DateInterval,
  starts: string[],
): DatePoint[] {
  const dated = entries.filter(({ row }) => {
    const seconds = row[dateFields[field]]
    return seconds > 0 || (row.size >= 0 && (field === 'lastAccess' || field === 'lastModified'))
  })
  return starts.map((date) => {
    const inside = dated.filter(({ row }) => startOf(interval, row[dateFields[field]]) === date)
    return { date, ...addUp(inside) }
  })
}

/** The first day of the period that a moment is in, in this machine's zone. */
function startOf(interval: DateInterval, seconds: number): string {
  const moment = new Date(seconds * 1000)
  if (interval === 'WEEK') while (moment.getDay() !== 1) moment.setDate(moment.getDate() - 1)
  if (interval === 'MONTH' || interval === 'YEAR') moment.setDate(1)
  if (interval === 'YEAR') moment.setMonth(0)
  return moment.toLocaleDateString('en-CA')
}
