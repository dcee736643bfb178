import { z } from 'zod'
import { archiveStates } from '#events/search/archived.ts'
import { maxPathLength } from '#events/entries.ts'
import { entryFields, fieldsWith, type FieldsWith } from '#events/entries/fields.ts'
import { isMediaNumber, type MediaNumberName, mediaNumberNames, metadataPrefix } from '#events/media/names.ts'
import { isMediaRelation, type MediaRelation, mediaRelationNames } from '#events/media/relations.ts'
import { SearchDay } from './relativeDays.ts'

/** Types of field values; each has its own operators. */
export const fieldTypes = ['string', 'long', 'integer', 'double', 'date', 'boolean', 'list', 'choice'] as const
export type FieldType = (typeof fieldTypes)[number]

/** Type of the values of each kind of field that conditions may have. */
const typesOfKinds = {
  archive: 'choice',
  bytes: 'long',
  copy: 'boolean',
  count: 'long',
  day: 'date',
  flag: 'boolean',
  id: 'string',
  level: 'integer',
  longText: 'string',
  moment: 'date',
  storage: 'list',
  tags: 'string',
  text: 'string',
  wideNumber: 'long',
} as const satisfies Record<string, FieldType>
/** Fields of conditions, and of filters that conditions don't have. */
type SearchField = FieldsWith<{ condition: string }> | FieldsWith<{ filter: string }>
type TypeOf<Field extends SearchField> = (typeof typesOfKinds)[(typeof entryFields)[Field]['kind']]
const conditionFields = fieldsWith('condition')
type ConditionField = (typeof conditionFields)[number]

/**
 * Searchable fields by their names on the wire. `path` is the path in the volume, and `indexingDate` the day of the scan in the
 * snapshot; files have no file and folder counts. `archived` is the state of a file in the archive indexes, see
 * `archiveStates`; folders have none.
 */
export const searchableFields = Object.fromEntries(
  conditionFields.map((field) => [entryFields[field].condition, typesOfKinds[entryFields[field].kind]]),
) as { [F in ConditionField as (typeof entryFields)[F]['condition']]: TypeOf<F> }
export type SearchableField = keyof typeof searchableFields

/** Fields by their names in conditions on the wire. */
export const fieldsByCondition = Object.fromEntries(
  conditionFields.map((field) => [entryFields[field].condition, field]),
) as Record<SearchableField, ConditionField>
const isField = (name: string): name is SearchableField => Object.hasOwn(searchableFields, name)

/** The name of a field in conditions on the wire; undefined if conditions don't have it. */
export function conditionName(field: Criterion['field']): string | undefined {
  if (isMetadataField(field)) return field
  const row = entryFields[field]
  return 'condition' in row ? row.condition : undefined
}

/** True for a field of bytes, whose values are written with units. */
export const isSizeField = (name: string): boolean =>
  isField(name) && entryFields[fieldsByCondition[name]].kind === 'bytes'

/** A field for a key of the metadata that sources provide, or that was read from media files. */
type MetadataField = `${typeof metadataPrefix}${string}`
export const isMetadataField = (name: string): name is MetadataField =>
  name.startsWith(metadataPrefix) && name.length > metadataPrefix.length && name.length <= maxTextLength

const maxTextLength = 1000
export const maxValues = 1000

/** A missing or null operator has no effect. */
const optional = <T extends z.ZodType>(value: T) => value.nullish().transform((it) => it ?? undefined)
const listOf = <T extends z.ZodType>(value: T) => optional(z.array(value).min(1).max(maxValues))
/** May be negative: minimums are computed from a size and a tolerance, and -1 is the size of an entry whose size is unknown. */
const Count = z.number().int('must be a whole number').min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
/** With fractions, such as frames a second. */
const Measurement = z.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
/**
 * A pattern becomes a regular expression in the engine, whose length is limited. The part that is searched for may be
 * as long as that of a filter: a `*` at either end is not counted.
 */
const Pattern = z
  .string()
  .max(maxTextLength + '**'.length)
  .refine(
    (text) => text.replaceAll(/^\*|\*$/g, '').length <= maxTextLength,
    `must have at most ${maxTextLength} characters`,
  )
const textOf = (longest: number) => {
  const Value = z.string().max(longest)
  return z.strictObject({
    value: optional(Value),
    values: listOf(Value),
    startsWith: optional(Value),
    wildcard: optional(Pattern),
    regex: optional(z.string().max(maxTextLength)),
  })
}

/**
 * Operators of each type and their values; several operators are combined with AND. Is: `value`, Is one of: `values`,
 * Minimum and Maximum: `min` and `max`, both inclusive.
 *
 * Text comparisons ignore case, except for paths, IDs, hashes and tags. `value` is the whole text, `wildcard` the whole
 * text with `*` and `?`, `regex` a case-sensitive RE2 expression that matches anywhere. Days are those of the server:
 * `after` includes the day, `before` excludes it, and both may be relative to the snapshot, such as `now-6M`. Unknown values are in no range and on no day.
 */
const operators = {
  string: textOf(maxTextLength),
  long: z.strictObject({ value: optional(Count), values: listOf(Count), min: optional(Count), max: optional(Count) }),
  integer: z.strictObject({
    value: optional(Count),
    values: listOf(Count),
    min: optional(Count),
    max: optional(Count),
  }),
  double: z.strictObject({
    value: optional(Measurement),
    values: listOf(Measurement),
    min: optional(Measurement),
    max: optional(Measurement),
  }),
  date: z.strictObject({ after: optional(SearchDay), before: optional(SearchDay) }),
  boolean: z.strictObject({ value: z.boolean() }),
  /** An empty list is no restriction. */
  list: z.strictObject({ values: z.array(Count).max(maxValues) }),
  choice: z.strictObject({ values: z.array(z.enum(archiveStates)).min(1).max(archiveStates.length) }),
}
export const operatorsOfType = Object.fromEntries(
  Object.entries(operators).map(([type, { shape }]) => [type, Object.keys(shape)]),
) as Record<FieldType, string[]>
type Operators = { [T in FieldType]: z.output<(typeof operators)[T]> }
export type TextOperators = Operators['string']
export type NumberOperators = Operators['long']
export type DateOperators = Operators['date']

const withOperators = <T extends z.ZodType>(schema: T) =>
  schema
    .refine((value) => Object.values(value as object).some((operand) => operand !== undefined), 'has no operator')
    .optional()

const schemas = Object.fromEntries(
  Object.entries(operators).map(([type, schema]) => [type, withOperators(schema)]),
) as { [T in FieldType]: z.ZodOptional<(typeof operators)[T]> }
const longText = withOperators(textOf(maxPathLength))
const fields = Object.fromEntries(
  conditionFields.map((field) => {
    const { kind, condition } = entryFields[field]
    return [condition, kind === 'longText' ? longText : schemas[typesOfKinds[kind]]]
  }),
) as { [F in SearchableField]: (typeof schemas)[(typeof searchableFields)[F]] }
const mediaNumbers = Object.fromEntries(mediaNumberNames.map((name) => [name, schemas.double])) as Record<
  MediaNumberName,
  typeof schemas.double
>
const mediaFlags = Object.fromEntries(mediaRelationNames.map((name) => [name, schemas.boolean])) as Record<
  MediaRelation,
  typeof schemas.boolean
>

type FieldOf<T extends FieldType> = { [F in SearchField]: TypeOf<F> extends T ? F : never }[SearchField]
type MetadataFieldOf<T extends FieldType> = T extends 'string'
  ? MetadataField
  : T extends 'double'
    ? MediaNumberName
    : T extends 'boolean'
      ? MediaRelation
      : never
/** A parsed condition on a field with its operators; `excludes` negates it. */
export type Criterion = {
  [T in FieldType]: {
    type: T
    field: FieldOf<T> | MetadataFieldOf<T>
    operators: Operators[T]
    excludes: boolean
  }
}[FieldType]

/**
 * One field with its operators, `{ "size": { "min": 1024 } }`; `excludeFilter` negates it. The ID is chosen by the
 * caller. Metadata values are text: `{ "metadata.camera": { "value": "A7" } }`, except for the numbers and relations of media files. Kept in the
 * written form.
 */
export const SearchQuery = z
  .object({
    id: z.union([z.string().max(100), z.number()]).nullish(),
    excludeFilter: optional(z.boolean()),
    ...fields,
    ...mediaNumbers,
    ...mediaFlags,
  })
  .catchall(schemas.string)
  .superRefine((query, { addIssue }) => {
    const names = namesIn(query)
    for (const key of names)
      if (!isField(key) && !isMetadataField(key))
        addIssue({ code: 'custom', path: [key], message: 'is not a searchable field' })
    if (names.length !== 1)
      addIssue({ code: 'custom', path: names.slice(1, 2), message: 'must have exactly one field' })
  })
export type SearchQuery = z.output<typeof SearchQuery>

/** A condition on a field. The operators are those of its type. */
export const criterion = (field: Criterion['field'], operators: object, excludes = false) =>
  ({
    type: typeOfField(field),
    field,
    operators,
    excludes,
  }) as Criterion

const typeOfField = (field: Criterion['field']): FieldType =>
  isMetadataField(field) ? typeOfMetadata(field) : typesOfKinds[entryFields[field].kind]

/** The type of a field for metadata. */
export const typeOfMetadata = (field: string): 'double' | 'boolean' | 'string' =>
  isMediaNumber(field) ? 'double' : isMediaRelation(field) ? 'boolean' : 'string'

/** Returns the one field of a query, with its type. */
export function criterionOf({ excludeFilter = false, ...query }: SearchQuery): Criterion {
  const [name = ''] = namesIn(query)
  return criterion(isField(name) ? fieldsByCondition[name] : (name as MetadataField), query[name] ?? {}, excludeFilter)
}

const namesIn = (query: Record<string, unknown>): string[] =>
  Object.keys(query).filter((key) => key !== 'id' && key !== 'excludeFilter' && query[key] !== undefined)
