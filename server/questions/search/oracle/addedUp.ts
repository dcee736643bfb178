import type { DateInterval, DatePoint, FieldTotals, groupingFields, Totals } from '#events/search/calls.ts'
import { extensionsOf, fileTypeNames } from '#events/search/fileTypes.ts'
import { identity } from '#server/content/snapshots/oracle/groupsBySorting.ts'
import { lastUse, type Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import type { KnownEntry } from './known.ts'

/** Of several hard links of a file only one counts. */
function bytesOf(entries: KnownEntry[]): number {
  const seen = new Set<string>()
  return entries.reduce((sum, { volumeId, row: { isDirectory, linkCount, inode, size } }) => {
    const file = `${volumeId}:${inode}`
    const isSeen = !isDirectory && linkCount > 1 && inode !== 0 && size > 0 && seen.size === seen.add(file).size
    return sum + (isSeen ? 0 : Math.max(size, 0))
  }, 0)
}

/** The bytes freed by keeping one copy of each set; undefined for deleted entries. */
function reclaimableIn(entries: KnownEntry[]): number | undefined {
  if (entries.some(({ deleted }) => deleted)) return undefined
  const copies = Map.groupBy(
    entries.filter(({ dupe }) => dupe),
    ({ row }) => identity(row),
  )
  return [...copies.values()].reduce((sum, set) => {
    const sizes = set.map(({ row }) => Math.max(row.countedSize, 0))
    return sum + sizes.reduce((all, size) => all + size, 0) - Math.max(...sizes)
  }, 0)
}

/** Same for duplicates only, with the reclaimable bytes; deleted files take no space, and need none to be present. */
export function addUpDuplicates(entries: KnownEntry[], areDeleted = false) {
  const reclaimable = areDeleted ? undefined : reclaimableIn(entries)
  return { ...addUp(entries), ...(reclaimable !== undefined && { reclaimable }) }
}

export const addUp = (entries: KnownEntry[]): Totals => ({ count: entries.length, size: bytesOf(entries) })

export function addUpByField(entries: KnownEntry[], fieldName: (typeof groupingFields)[number]): FieldTotals[] {
  const values = ({ row, dupe, volumeName }: KnownEntry) => ({
    storageName: volumeName,
    isDupe: String(dupe),
    extension: row.extension,
    fileType: typeOf(row.extension),
    owner: row.owner,
    group: row.group,
  })
  const groups = Map.groupBy(entries, (entry) => values(entry)[fieldName])
  const isOfCopies = (field: string) => fieldName === 'isDupe' && field === 'true'
  return [...groups]
    .map(([field, of]) => ({ field, ...(isOfCopies(field) ? addUpDuplicates(of) : addUp(of)) }))
    .sort((a, b) => (a.field < b.field ? -1 : 1))
}

export const typeOf = (extension: string): string =>
  fileTypeNames.find((type) => extensionsOf(type).includes(extension.toLowerCase())) ?? 'other'

export const dateFields = {
  creationDate: ({ created }: Row) => created,
  lastAccess: lastUse,
  lastModified: ({ lastModified }: Row) => lastModified,
  backupDate: ({ backedUp }: Row) => backedUp,
}

/** Totals of each period starting on these days; an unknown date belongs to none. */
export function addUpByPeriod(
  entries: KnownEntry[],
  field: keyof typeof dateFields,
  interval: DateInterval,
  starts: string[],
): DatePoint[] {
  const dated = entries.filter(({ row }) => dateFields[field](row) > 0)
  return starts.map((date) => {
    const inside = dated.filter(({ row }) => startOf(interval, dateFields[field](row)) === date)
    return { date, ...addUp(inside) }
  })
}

/** The first day of a moment's period, in this machine's time zone. */
function startOf(interval: DateInterval, seconds: number): string {
  const moment = new Date(seconds * 1000)
  if (interval === 'WEEK') while (moment.getDay() !== 1) moment.setDate(moment.getDate() - 1)
  if (interval === 'MONTH' || interval === 'YEAR') moment.setDate(1)
  if (interval === 'YEAR') moment.setMonth(0)
  return moment.toLocaleDateString('en-CA')
}
