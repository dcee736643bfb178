import { chosenTypes } from '#events/search/fileTypes.ts'
import { type DateField, filterRanges } from '#events/search/filterRanges.ts'
import { type FilterName, isList, SearchFilters, sizeUnits } from '#events/search/filters.ts'
import { isSearchDay, relativeDay, type RelativeUnit } from '#events/search/relativeDays.ts'
import type { Volume } from '#events/snapshots.ts'

/** Values of filters as in the URL. A filter without values is not set. */
export type FilterParams = Partial<Record<FilterName, readonly string[]>>

type NamedVolumes = readonly Pick<Volume, 'id' | 'name'>[]

/** A word of the search line that stands for a filter. */
type Term = {
  /** Word with its sign, as completed. */
  sign: string
  hint: string
  /** Values to complete. */
  values: (volumes: NamedVolumes) => readonly string[]
  /** Filters for a value; undefined if the value is not valid. */
  read: (value: string, isUpper: boolean, volumes: NamedVolumes) => FilterParams | undefined
}

const ages = ['7d', '30d', '3m', '6m', '1y', '2y']
const sizes = ['1mb', '100mb', '1gb', '10gb', '100gb', '1tb']
const none = (): string[] => []

/** An age counts backwards: older than a year is before that day. */
const dated = (field: DateField): Pick<Term, 'values' | 'read'> => ({
  values: () => ages,
  read: (value, isUpper) => {
    const [, count, unit = ''] = /^(\d{1,4})\s*(d|w|mo?|y)$/i.exec(value) ?? []
    const day = count ? relativeDay(Number(count), unitOf(unit)) : value
    const name = filterRanges[field][(count === undefined) === isUpper ? 0 : 1]
    return isSearchDay(day) ? { [name]: [day] } : undefined
  },
})
const unitOf = (unit: string): RelativeUnit => (/^m/i.test(unit) ? 'M' : (unit.toLowerCase() as RelativeUnit))

const readSize: Term['read'] = (value, isUpper) => {
  const [, size, letter = ''] = /^(\d+(?:\.\d+)?)\s*([kmgtp]?)i?b?$/i.exec(value) ?? []
  const unit = sizeUnits.find((one) => one === `${letter.toUpperCase()}B`) ?? 'B'
  const bound = isUpper ? 'minimum' : 'maximum'
  return size === undefined ? undefined : { [`${bound}Size`]: [size], [`${bound}SizeUnit`]: [unit] }
}

const text = (
  name: FilterName,
  hint: string,
  values: Term['values'] = none,
): Pick<Term, 'hint' | 'values' | 'read'> => ({
  hint,
  values,
  read: (value) =>
    SearchFilters.safeParse({ [name]: isList(name) ? [value] : value }).success ? { [name]: [value] } : undefined,
})

const flags: Record<string, FilterName> = { duplicate: 'onlyDuplicates', deleted: 'showOnlyDeletedFiles' }

/** Terms in the order of their completions. */
const terms: Record<string, Term> = {
  accessed: { sign: 'accessed>', hint: 'Last access longer ago, such as accessed>1y', ...dated('lastAccess') },
  modified: { sign: 'modified>', hint: 'Last modified longer ago, such as modified>6m', ...dated('lastModified') },
  created: { sign: 'created<', hint: 'Created more recently, such as created<30d', ...dated('creationDate') },
  size: { sign: 'size>', hint: 'At least this size, such as size>1gb', values: () => sizes, read: readSize },
  storage: {
    sign: 'storage:',
    hint: 'Name of a storage',
    values: (volumes) => volumes.map(({ name }) => name),
    read: (value, _, volumes) => {
      const volume = volumes.find(({ name }) => name.toLowerCase() === value.toLowerCase())
      return volume && { volumeId: [String(volume.id)] }
    },
  },
  type: { sign: 'type:', ...text('fileType', 'Kind of file, such as type:video', () => chosenTypes) },
  ext: { sign: 'ext:', ...text('extension', 'Extensions, such as ext:mov,mp4') },
  owner: { sign: 'owner:', ...text('owner', 'Owner of the files') },
  group: { sign: 'group:', ...text('group', 'Group of the files') },
  tag: { sign: 'tag:', ...text('tags', 'A tag') },
  in: { sign: 'in:', ...text('startingPath', 'Starting path, such as in:/projects') },
  is: {
    sign: 'is:',
    hint: 'is:duplicate or is:deleted',
    values: () => Object.keys(flags),
    read: (value) => {
      const name = flags[value.toLowerCase()]
      return name && { [name]: ['true'] }
    },
  },
}

const quoted = (value: string) => (/\s/.test(value) ? `"${value}"` : value)
/** A term within a line: `accessed>1y`, or `storage:"Color grading"`. */
const written = new RegExp(
  String.raw`(?<=^|\s)(${Object.keys(terms).join('|')})(:|=|[<>]=?)(?:"([^"]*)("|$)|(\S*))(?=\s|$)`,
  'gi',
)

/** First term of a line. Terms are applied with Enter rather than while they are typed. */
export const termIn = (line: string): string | undefined => line.match(written)?.[0]

/** Splits a line into filters, which are added to those that are set, and the other words. */
export function readTerms(line: string, params: FilterParams, volumes: NamedVolumes) {
  let found: FilterParams = {}
  const words = line.replace(written, (term: string, word: string, sign: string, inQuotes?: string, _?, bare = '') => {
    const value = (inQuotes ?? bare).trim()
    const read = value === '' ? undefined : terms[word.toLowerCase()]?.read(value, !sign.startsWith('<'), volumes)
    if (!read) return term
    const added = Object.entries(read).map(([name, values]) => {
      const before = isList(name as FilterName) ? { ...params, ...found }[name as FilterName] : undefined
      return [name, [...new Set([...(before ?? []), ...values])]]
    })
    found = { ...found, ...Object.fromEntries(added) }
    return ''
  })
  return { words: words === line ? line : words.replaceAll(/\s+/g, ' ').trim(), found }
}

/** A completion of the last word of a line. */
export type Completion = { label: string; hint: string; line: string; isWhole: boolean }

const maxCompletions = 8
const minLetters = 2

export function completionsOf(line: string, volumes: NamedVolumes): Completion[] {
  const [last = ''] = /(?:[a-z]+[:=<>]+"[^"]*|\S*)$/i.exec(line) ?? []
  const before = line.slice(0, line.length - last.length)
  const [, word = '', sign = '', typed = ''] = /^([a-z]+)(:|=|[<>]=?)"?(.*)$/i.exec(last) ?? []
  const term = terms[word.toLowerCase()]
  if (term)
    return term
      .values(volumes)
      .filter((value) => value.toLowerCase().includes(typed.toLowerCase()) && value !== typed)
      .slice(0, maxCompletions)
      .map((value) => {
        const label = `${word}${sign}${quoted(value)}`
        return { label, hint: '', line: before + label, isWhole: true }
      })
  if (last.length < minLetters) return []
  return Object.entries(terms)
    .filter(([word]) => word.startsWith(last.toLowerCase()))
    .map(([, { sign, hint }]) => ({ label: sign, hint, line: before + sign, isWhole: false }))
}
