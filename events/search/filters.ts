import { z } from 'zod'
import { archiveStates } from '#events/search/archived.ts'
import { extensionsIn } from '#events/search/extensions.ts'
import { IdNumber } from '#events/contract/endpoint.ts'
import { maxPathLength, TypedPath } from '#events/entries.ts'
import { writtenInt, writtenNumber } from '#events/contract/numbers.ts'
import { chosenTypes } from './fileTypes.ts'
import { countNames, dayNames, sizeNames, unitNameOf, unitNames } from './filterRanges.ts'
import { SearchDay } from './relativeDays.ts'

/** Units of a size in a filter, each 1,024 or 1,000 times the previous. */
export const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
export type SizeUnit = (typeof sizeUnits)[number]

/** '2': units of 1,024, also without a base in a filter; '10': units of 1,000. */
export const sizeBases = ['2', '10'] as const
export type SizeBase = (typeof sizeBases)[number]

/** Unit of a size as text: `KiB` for 1,024 bytes, `kB` for 1,000. Names in calls and URLs are those of `sizeUnits`. */
export const unitLabel = (unit: SizeUnit, base: SizeBase = '2'): string =>
  unit === 'B' ? unit : base === '2' ? `${unit[0]}iB` : unit === 'KB' ? 'kB' : unit

/** Bytes in a unit. */
export const unitSize = (unit: SizeUnit, base: SizeBase = '2'): number =>
  (base === '10' ? 1000 : 1024) ** sizeUnits.indexOf(unit)

/** Size in whole bytes, limited to the largest safe integer. */
export const bytesOf = (value: number, unit: SizeUnit = 'B', base?: SizeBase): number =>
  Math.min(Math.round(value * unitSize(unit, base)), Number.MAX_SAFE_INTEGER)

const maxItems = 100
const maxTextLength = 1000

/** Text of a filter, limited to the length of typical names. */
const Text = z.string().max(maxTextLength)
const Count = writtenInt(0).optional()
const Size = writtenNumber(0).optional()
const Unit = z.preprocess(inUpperCase, z.enum(sizeUnits).default('B'))
const OptionalUnit = z.preprocess(inUpperCase, z.enum(sizeUnits).optional())
const Flag = z
  .preprocess((word) => (word === true ? 'true' : word === false ? 'false' : word), z.enum(['true', 'false']))
  .transform((word) => word === 'true')
  .optional()

/** Accepts one value, several, or a list. */
const listOf = <T extends z.ZodType>(item: T) => z.preprocess(asList, z.array(item).max(maxItems)).default([])

/**
 * Maximum total characters of a list of texts. The engine receives the whole list in one statement, whose length is
 * limited.
 */
const maxListLength = 16_000
const areFew = (texts: string[]) => texts.join('').length <= maxListLength
const Texts = z.array(Text).max(maxItems).refine(areFew, `must have at most ${maxListLength} characters in total`)
const listOfTexts = z.preprocess(asList, Texts).default([])

/** A folder of a volume, written `<volume id>:<path>`; the path may be a full one. */
const place = /^([1-9]\d{0,8}):((?:\/|\\\\|[^/\\]+:\/).*)$/s
const Place = z
  .string()
  .max('999999999:'.length + maxPathLength)
  .regex(place, 'must be of the form volume:/path')
export function readPlace(text: string): { volumeId: number; path: string } {
  const [, volume = '0', path = '/'] = place.exec(text) ?? []
  return { volumeId: Number(volume), path }
}
export const writePlace = ({ volumeId, path }: { volumeId: number; path: string }): string => `${volumeId}:${path}`

/**
 * Ignore pattern for entries with an extension. Excludes the files that charts count with an extension, but not files
 * like `.bashrc`, whose only dot is the first character. Folders have no extension; those with a dot in their name are
 * excluded.
 */
export const withExtension = '*.*'

const all = <Name extends string, Schema extends z.ZodType>(names: readonly Name[], schema: Schema) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<Name, Schema>
const Filters = z.object({
  search: Text.optional(),
  name: Text.optional(),
  /** Optional, like all filters that were added later: searches in the event log read as they were written. */
  fileType: z.preprocess(asList, z.array(z.enum(chosenTypes)).max(maxItems)).optional(),
  extension: z.preprocess(asExtensions, Texts).default([]),
  volumeId: listOf(IdNumber),
  storageId: listOf(IdNumber),
  startingPath: TypedPath.optional(),
  storageAndPath: listOf(Place),
  volumeAndPath: listOf(Place),
  ignorePattern: listOf(Text),
  owner: Text.optional(),
  group: Text.optional(),
  tags: listOfTexts,
  tag: listOfTexts,
  reports: listOfTexts,
  report: listOfTexts,
  ...all(dayNames, SearchDay.optional()),
  ...all(sizeNames, Size),
  ...all(sizeNames.map(unitNameOf), OptionalUnit),
  minimumSizeUnit: Unit,
  maximumSizeUnit: Unit,
  /** Base of all units. Optional, because a search from before it had units of 1,024. */
  sizeBase: z.enum(sizeBases).optional(),
  ...all(countNames, Count),
  onlyDuplicates: Flag,
  showOnlyDeletedFiles: Flag,
  /** Optional, so that searches in the event log from before this filter read as they were written. */
  archived: z.preprocess(asList, z.array(z.enum(archiveStates)).max(maxItems)).optional(),
})
/**
 * Filters of a search, combined with AND. The browser's URL, the query of a call and the payload of a job all use this
 * schema. Empty text is no filter. Days are those of the server's time zone: "after" includes the day, "before"
 * excludes it; they may be relative to the snapshot, see `relativeDays.ts`. Sizes and counts are inclusive. `search` and `name` match names that contain all their words, or a whole
 * name if they have `*` or `?`; see `patterns.ts`. An extension may have several parts, such as `tar.gz`.
 */
export const SearchFilters = z.preprocess(withoutEmpty, Filters) as z.ZodType<
  z.output<typeof Filters>,
  z.input<typeof Filters>
>
export type SearchFilters = z.output<typeof SearchFilters>

export type FilterName = keyof SearchFilters
export const filterKeys = Object.keys(Filters.shape) as FilterName[]
const lists = new Set(filterKeys.filter((name) => SearchFilters.safeParse({ [name]: [] }).success))

/** True if a filter can have several values. */
export const isList = (name: FilterName): boolean => lists.has(name)

export const noFilters: SearchFilters = SearchFilters.parse({})

/** True if any filter is set. The unit of a size, or a flag that is off, is no filter. */
export const hasFilter = (filters: SearchFilters): boolean =>
  Object.entries(filters).some(([name, value]) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && !unitNames.includes(name),
  )

function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || Array.isArray(query)) return query ?? {}
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '' && value !== null))
}

function asList(value: unknown): unknown {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== '')
}

/** Extensions are separated by commas; dots and spaces around them are ignored. */
function asExtensions(value: unknown): unknown {
  const items = asList(value) as unknown[]
  if (!items.every((item) => typeof item === 'string')) return items
  return items.flatMap(extensionsIn)
}

function inUpperCase(word: unknown): unknown {
  return typeof word === 'string' ? word.toUpperCase() : word
}
