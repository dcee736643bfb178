import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { IdNumber } from '#events/contract/endpoint.ts'
import { longestPath, PathText } from '#events/entries.ts'
import { writtenInt, writtenNumber } from '#events/contract/numbers.ts'

/** Units of a size in a filter, each 1,024 times the one before. */
export const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const
export type SizeUnit = (typeof sizeUnits)[number]

/** A size as it was typed, in whole bytes; at most what a number holds exactly. */
export const bytesOf = (value: number, unit: SizeUnit): number =>
  Math.min(Math.round(value * 1024 ** sizeUnits.indexOf(unit)), Number.MAX_SAFE_INTEGER)

const mostItems = 100
const mostLetters = 1000

/** Text of a filter, not longer than any name that people type. */
const Text = z.string().max(mostLetters)
const Count = writtenInt(0).optional()
const Size = writtenNumber(0).optional()
const Unit = z.preprocess(inUpperCase, z.enum(sizeUnits).default('B'))
const Flag = z
  .preprocess((word) => (word === true ? 'true' : word === false ? 'false' : word), z.enum(['true', 'false']))
  .transform((word) => word === 'true')
  .optional()

/** Given once, several times, or as a list. */
const listOf = <T extends z.ZodType>(item: T) => z.preprocess(asList, z.array(item).max(mostItems)).default([])

/** Letters of a list of texts in all: the engine is told each list at once, and reads no statement of any length. */
const mostLettersOfList = 16_000
const areFew = (texts: string[]) => texts.join('').length <= mostLettersOfList
const Texts = z.array(Text).max(mostItems).refine(areFew, `must have at most ${mostLettersOfList} characters in total`)
const listOfTexts = z.preprocess(asList, Texts).default([])

/** A folder of a volume, written `<volume id>:<path>`. */
const place = /^([1-9]\d{0,8}):(\/.*)$/s
const Place = z
  .string()
  .max('999999999:'.length + longestPath)
  .regex(place, 'must be of the form volume:/path')
export function readPlace(text: string): { volumeId: number; path: string } {
  const [, volume = '0', path = '/'] = place.exec(text) ?? []
  return { volumeId: Number(volume), path }
}

/**
 * The ignore pattern of what has an extension. It leaves out the files of which an extension is known, as charts count them, and not
 * those like `.bashrc` whose only dot is the first letter; of folders, which have none, those with a dot in their name.
 */
export const withExtension = '*.*'

const Filters = z.object({
  search: Text.optional(),
  name: Text.optional(),
  volumeId: listOf(IdNumber),
  storageId: listOf(IdNumber),
  startingPath: PathText.startsWith('/', 'must begin with /').optional(),
  storageAndPath: listOf(Place),
  volumeAndPath: listOf(Place),
  ignorePattern: listOf(Text),
  extension: z.preprocess(asExtensions, Texts).default([]),
  owner: Text.optional(),
  group: Text.optional(),
  creationAfter: Day.optional(),
  creationBefore: Day.optional(),
  lastAccessAfter: Day.optional(),
  lastAccessBefore: Day.optional(),
  lastModifiedAfter: Day.optional(),
  lastModifiedBefore: Day.optional(),
  backupAfter: Day.optional(),
  backupBefore: Day.optional(),
  minimumSize: Size,
  minimumSizeUnit: Unit,
  maximumSize: Size,
  maximumSizeUnit: Unit,
  minimumNumberOfFiles: Count,
  maximumNumberOfFiles: Count,
  minimumNumberOfFolders: Count,
  maximumNumberOfFolders: Count,
  onlyDuplicates: Flag,
  showOnlyDeletedFiles: Flag,
  tag: listOfTexts,
  tags: listOfTexts,
  report: listOfTexts,
  reports: listOfTexts,
})
/**
 * What a search asks for; all of it must hold. The browser's address, the query of a call and the payload of a job are
 * read by this one schema. Empty text is no filter. Days are those of the server's time zone: "after" includes the day,
 * "before" excludes it. Sizes and counts are inclusive; `search` and `name` take `*` and `?`, and mean "contains" without.
 */
export const SearchFilters = z.preprocess(withoutEmpty, Filters) as z.ZodType<
  z.output<typeof Filters>,
  z.input<typeof Filters>
>
export type SearchFilters = z.output<typeof SearchFilters>

/** Filters that leave nothing out. */
export const noFilters: SearchFilters = SearchFilters.parse({})

/** Whether there is a filter among them; the unit of a size, or a switch that is off, is none. */
export const hasFilter = ({ minimumSizeUnit: _, maximumSizeUnit: __, ...filters }: SearchFilters): boolean =>
  Object.values(filters).some((value) =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false,
  )

function withoutEmpty(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || Array.isArray(query)) return query ?? {}
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '' && value !== null))
}

function asList(value: unknown): unknown {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).filter((item) => item !== '')
}

/** Extensions come separated by commas; dots and spaces mean nothing. */
function asExtensions(value: unknown): unknown {
  const items = asList(value) as unknown[]
  if (!items.every((item) => typeof item === 'string')) return items
  const words = items.flatMap((item) => item.split(',')).map((word) => word.replaceAll(/[.\s]/g, '').toLowerCase())
  return words.filter((word) => word !== '')
}

function inUpperCase(word: unknown): unknown {
  return typeof word === 'string' ? word.toUpperCase() : word
}
