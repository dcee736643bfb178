import { z } from 'zod'
import { Day } from '#events/contract/days.ts'
import { longestPath } from '#events/entries.ts'

/** The kinds of values that fields have; each has operators of its own. */
export const fieldTypes = ['string', 'long', 'integer', 'date', 'boolean', 'list'] as const
export type FieldType = (typeof fieldTypes)[number]

/**
 * What can be searched for. `path` is that within the volume, `indexingDate` the day of the scan that the snapshot shows,
 * `folderDepth` 1 for what lies in the volume itself; a file has no numbers of files and folders. What the mode lets anyone write is
 * `isWorldWritable`: no link, whose mode says nothing, and no folder like /tmp, in which all may remove only what is theirs.
 */
export const searchableFields = {
  volumeId: 'list',
  path: 'string',
  name: 'string',
  extension: 'string',
  owner: 'string',
  group: 'string',
  size: 'long',
  numberOfFiles: 'long',
  numberOfFolders: 'long',
  inode: 'long',
  lastAccessDate: 'date',
  lastModifiedDate: 'date',
  creationDate: 'date',
  indexingDate: 'date',
  isDupe: 'boolean',
  isDirectory: 'boolean',
  isDeleted: 'boolean',
  isWorldWritable: 'boolean',
  folderDepth: 'integer',
  identificationHash: 'string',
  fileId: 'string',
  customTags: 'string',
} as const satisfies Record<string, FieldType>
export type SearchableField = keyof typeof searchableFields

/** The field of a key of the metadata that sources give begins so: `metadata.camera`. */
export const metadataPrefix = 'metadata.'
type MetadataField = `${typeof metadataPrefix}${string}`
export const isMetadataField = (name: string): name is MetadataField =>
  name.startsWith(metadataPrefix) && name.length > metadataPrefix.length && name.length <= longestText

const longestText = 1000
export const mostValues = 1000

/** An operator that is left out, or null, asks nothing. */
const given = <T extends z.ZodType>(value: T) => value.nullish().transform((it) => it ?? undefined)
const listOf = <T extends z.ZodType>(value: T) => given(z.array(value).min(1).max(mostValues))
const Count = z.number().int('must be a whole number').min(0).max(Number.MAX_SAFE_INTEGER)
/**
 * The engine makes an expression of it, which must not be too long. What it contains is as long as a filter may be that contains
 * it: a `*` at either end is not counted.
 */
const Pattern = z
  .string()
  .max(longestText + '**'.length)
  .refine(
    (text) => text.replaceAll(/^\*|\*$/g, '').length <= longestText,
    `must have at most ${longestText} characters`,
  )
const textOf = (longest: number) => {
  const Value = z.string().max(longest)
  return z.strictObject({
    value: given(Value),
    values: listOf(Value),
    startsWith: given(Value),
    wildcard: given(Pattern),
    regex: given(z.string().max(longestText)),
  })
}

/**
 * The operators of each type and their values; several must all hold. Is: `value`, Is one of: `values`, Minimum and
 * Maximum: `min` and `max`, both inclusive.
 *
 * Texts are compared whatever their case, but for paths, ids, hashes and tags. `value` is the whole text, `wildcard` the
 * whole text with `*` and `?`, `regex` an expression of RE2 that is found anywhere and knows its case. Days are those of
 * the server: `after` includes the day, `before` excludes it. What is not known is in no range and on no day.
 */
const operators = {
  string: textOf(longestText),
  long: z.strictObject({ value: given(Count), values: listOf(Count), min: given(Count), max: given(Count) }),
  integer: z.strictObject({ value: given(Count), values: listOf(Count), min: given(Count), max: given(Count) }),
  date: z.strictObject({ after: given(Day), before: given(Day) }),
  boolean: z.strictObject({ value: z.boolean() }),
  list: z.strictObject({ values: z.array(Count).min(1).max(mostValues) }),
}
/** The names of the operators of each type. */
export const operatorsOfType = Object.fromEntries(
  Object.entries(operators).map(([type, { shape }]) => [type, Object.keys(shape)]),
) as Record<FieldType, string[]>
type Operators = { [T in FieldType]: z.output<(typeof operators)[T]> }
export type TextOperators = Operators['string']
export type NumberOperators = Operators['long']
export type DateOperators = Operators['date']

const asked = <T extends z.ZodType>(schema: T) =>
  schema
    .refine((given) => Object.values(given as object).some((value) => value !== undefined), 'has no operator')
    .optional()

const text = asked(operators.string)
const long = asked(operators.long)
const date = asked(operators.date)
const boolean = asked(operators.boolean)
const fields = {
  volumeId: asked(operators.list),
  path: asked(textOf(longestPath)),
  name: text,
  extension: text,
  owner: text,
  group: text,
  size: long,
  numberOfFiles: long,
  numberOfFolders: long,
  inode: long,
  lastAccessDate: date,
  lastModifiedDate: date,
  creationDate: date,
  indexingDate: date,
  isDupe: boolean,
  isDirectory: boolean,
  isDeleted: boolean,
  isWorldWritable: boolean,
  folderDepth: asked(operators.integer),
  identificationHash: text,
  fileId: text,
  customTags: text,
} satisfies Record<SearchableField, z.ZodType>

type FieldOf<T extends FieldType> = {
  [F in SearchableField]: (typeof searchableFields)[F] extends T ? F : never
}[SearchableField]
/** A field with its operators, as it is read; `excludes` means all others. */
export type Criterion = {
  [T in FieldType]: {
    type: T
    field: FieldOf<T> | (T extends 'string' ? MetadataField : never)
    operators: Operators[T]
    excludes: boolean
  }
}[FieldType]

const isField = (name: string): name is SearchableField => Object.hasOwn(searchableFields, name)

/**
 * One field with its operators, `{ "size": { "min": 1024 } }`; `excludeFilter` means all others. The id is the caller's
 * own. Metadata is a text: `{ "metadata.camera": { "value": "A7" } }`. It stays as it is written.
 */
export const SearchQuery = z
  .object({ id: z.union([z.string().max(100), z.number()]).nullish(), excludeFilter: given(z.boolean()), ...fields })
  .catchall(text)
  .superRefine((query, { addIssue }) => {
    const names = namesIn(query)
    for (const key of names)
      if (!isField(key) && !isMetadataField(key))
        addIssue({ code: 'custom', path: [key], message: 'is no field that can be searched' })
    if (names.length !== 1)
      addIssue({ code: 'custom', path: names.slice(1, 2), message: 'must have exactly one field' })
  })
export type SearchQuery = z.output<typeof SearchQuery>

/** The one field of a query, with its type. */
export function criterionOf({ excludeFilter = false, ...query }: SearchQuery): Criterion {
  const [field = ''] = namesIn(query)
  const type = isField(field) ? searchableFields[field] : 'string'
  return { type, field, operators: query[field], excludes: excludeFilter } as Criterion
}

const namesIn = (query: Record<string, unknown>): string[] =>
  Object.keys(query).filter((key) => key !== 'id' && key !== 'excludeFilter' && query[key] !== undefined)
