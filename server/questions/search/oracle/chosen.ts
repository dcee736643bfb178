import type { SearchFilters } from '#events/search/filters.ts'
import { lastUse } from '#server/content/snapshots/oracle/expectedRows.ts'
import { typeOf } from './addedUp.ts'
import type { KnownEntry } from './known.ts'

/** The entries that match filters, one test after another. */
export function chosen(known: KnownEntry[], filters: SearchFilters, kind: 'files' | 'folders'): KnownEntry[] {
  return known.filter(
    (entry) =>
      entry.row.isDirectory === (kind === 'folders') &&
      entry.deleted === (filters.showOnlyDeletedFiles === true) &&
      tests.every((test) => test(entry, filters)),
  )
}

type Test = (entry: KnownEntry, filters: SearchFilters) => boolean

const tests: Test[] = [
  ({ row }, { search }) => search === undefined || containsTyped(row.name, search),
  ({ row }, { name }) => name === undefined || containsTyped(row.name, name),
  ({ row, path }, { ignorePattern }) =>
    !ignorePattern.some((typed) =>
      typed === '*.*' && !row.isDirectory
        ? row.extension !== ''
        : isWholly(typed.includes('/') ? path : row.name, typed),
    ),
  ({ row }, { extension }) => extension.length === 0 || extension.includes(row.extension),
  ({ row }, { fileType = [] }) =>
    fileType.length === 0 || (!row.isDirectory && fileType.some((type) => type === typeOf(row.extension))),
  ({ volumeId }, { volumeId: a, storageId: b }) => a.length + b.length === 0 || [...a, ...b].includes(volumeId),
  ({ row }, { startingPath }) => startingPath === undefined || liesBelow(row.parentPath, startingPath),
  ({ row, volumeId }, { storageAndPath, volumeAndPath }) => {
    const places = [...storageAndPath, ...volumeAndPath]
    const isIn = (place: string) => {
      const colon = place.indexOf(':')
      return Number(place.slice(0, colon)) === volumeId && liesBelow(row.parentPath, place.slice(colon + 1))
    }
    return places.length === 0 || places.some(isIn)
  },
  ({ row }, { owner }) => owner === undefined || isWholly(row.owner, owner),
  ({ row }, { group }) => group === undefined || isWholly(row.group, group),
  ({ row }, filters) => isBetween(known(row.created), filters.creationAfter, filters.creationBefore),
  ({ row }, filters) => isBetween(known(lastUse(row)), filters.lastAccessAfter, filters.lastAccessBefore),
  ({ row }, filters) => isBetween(known(row.lastModified), filters.lastModifiedAfter, filters.lastModifiedBefore),
  ({ row }, filters) => isBetween(known(row.backedUp), filters.backupAfter, filters.backupBefore),
  ({ row }, { minimumSize: size, minimumSizeUnit: unit, sizeBase }) =>
    size === undefined || row.size >= size * factorOf(unit, sizeBase),
  ({ row }, { maximumSize: size, maximumSizeUnit: unit, sizeBase }) =>
    size === undefined || (row.size >= 0 && row.size <= size * factorOf(unit, sizeBase)),
  ({ row }, { minimumAllocatedSize: size, minimumAllocatedSizeUnit: unit = 'B', sizeBase }) =>
    size === undefined || row.allocatedSize >= size * factorOf(unit, sizeBase),
  ({ row }, { maximumAllocatedSize: size, maximumAllocatedSizeUnit: unit = 'B', sizeBase }) =>
    size === undefined || (row.allocatedSize >= 0 && row.allocatedSize <= size * factorOf(unit, sizeBase)),
  ({ row }, { minimumNumberOfFiles: least }) => least === undefined || (row.isDirectory && row.files >= least),
  ({ row }, { maximumNumberOfFiles: most }) => most === undefined || (row.isDirectory && row.files <= most),
  ({ row }, { minimumNumberOfFolders: least }) => least === undefined || (row.isDirectory && row.folders >= least),
  ({ row }, { maximumNumberOfFolders: most }) => most === undefined || (row.isDirectory && row.folders <= most),
  ({ dupe }, { onlyDuplicates }) => onlyDuplicates === undefined || dupe === onlyDuplicates,
  ({ tags }, { tag, tags: more }) => hasAny(tags, [...tag, ...more]),
  ({ tags }, { report, reports }) => wasFoundBy(tags, [...report, ...reports]),
]

const powers = { B: 0, KB: 1, MB: 2, GB: 3, TB: 4, PB: 5 }
const factorOf = (unit: keyof typeof powers, base: string | undefined) => (base === '10' ? 1000 : 1024) ** powers[unit]

const liesBelow = (parentPath: string, folder: string) =>
  parentPath.startsWith(folder.endsWith('/') ? folder : `${folder}/`)

const hasAny = (tags: string[], requested: string[]) =>
  requested.length === 0 || requested.some((tag) => tags.includes(tag))

/** Zero is an unknown time. */
export const known = (seconds: number): number | undefined => seconds || undefined

/** A report is given by the tag of one run, or by its name: then any run matches, but no tag added by a user. */
function wasFoundBy(tags: string[], requested: string[]): boolean {
  const isRun = (word: string) => /^dataintell\.report\..+\.\d{4}-\d\d-\d\d$/s.test(word)
  const runs = tags.filter(isRun)
  const names = runs.map((run) => run.slice('dataintell.report.'.length, -'.yyyy-mm-dd'.length))
  return requested.length === 0 || requested.some((word) => (isRun(word) ? runs : names).includes(word))
}

function isBetween(seconds: number | undefined, after: string | undefined, before: string | undefined): boolean {
  if (after === undefined && before === undefined) return true
  if (seconds === undefined) return false
  const start = (day: string) => new Date(`${day}T00:00:00`).getTime() / 1000
  return (after === undefined || seconds >= start(after)) && (before === undefined || seconds < start(before))
}

function containsTyped(text: string, typed: string): boolean {
  if (signsOf(typed).some(({ isWildcard }) => isWildcard)) return isWholly(text, typed)
  const words: string[] = ['']
  for (const { sign, isEscaped } of signsOf(typed))
    if (/\s/.test(sign) && !isEscaped) words.push('')
    else words.push((words.pop() ?? '') + sign)
  const asked = words.filter((word) => word !== '')
  return (asked.length > 0 ? asked : [typed]).every((word) => text.toLowerCase().includes(word.toLowerCase()))
}

type Sign = { sign: string; isWildcard: boolean; isEscaped: boolean }

/** The characters of a pattern. A backslash makes a wildcard, a space or a backslash after it literal. */
function signsOf(typed: string): Sign[] {
  const signs: Sign[] = []
  const letters = [...typed]
  for (let at = 0; at < letters.length; at++) {
    const [letter = '', next = ''] = letters.slice(at)
    const isEscaped = letter === '\\' && ['*', '?', '\\', ' '].includes(next)
    if (isEscaped) at++
    signs.push({ sign: isEscaped ? next : letter, isWildcard: !isEscaped && /[*?]/.test(letter), isEscaped })
  }
  return signs
}

/** Compares character by character. */
export function isWholly(text: string, typed: string): boolean {
  const [letters, signs] = [[...text.toLowerCase()], signsOf(typed.toLowerCase())]
  let reached = new Set([0])
  for (const { sign, isWildcard } of signs) {
    const next = new Set<number>()
    for (const at of reached) {
      if (isWildcard && sign === '*') for (let to = at; to <= letters.length; to++) next.add(to)
      else if (at < letters.length && (isWildcard || sign === letters[at])) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(letters.length)
}
