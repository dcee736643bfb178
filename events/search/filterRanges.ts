import { entryFields, type FieldsOf, fieldsWith, type FieldsWith } from '#events/entries/fields.ts'

type RangeKind = 'moment' | 'bytes' | 'count'
type Filtered = FieldsWith<{ filter: string }>
/** Fields of a kind that are filtered by a range. */
export type RangeField<Kind extends RangeKind = RangeKind> = Extract<Filtered, FieldsOf<Kind>>
export type DateField = RangeField<'moment'>
type Stem<Field extends Filtered> = (typeof entryFields)[Field]['filter']
type RangeOf<Field extends RangeField> =
  Field extends RangeField<'moment'>
    ? readonly [`${Stem<Field>}After`, `${Stem<Field>}Before`]
    : readonly [`minimum${Stem<Field>}`, `maximum${Stem<Field>}`]

export const rangeFields = <Kind extends RangeKind>(...kinds: Kind[]) =>
  fieldsWith('filter').filter((field) => kinds.some((kind) => kind === entryFields[field].kind)) as RangeField<Kind>[]

/** Filters of each field that is filtered by a range: the lower bound, then the upper one. */
export const filterRanges = Object.fromEntries(
  rangeFields('moment', 'bytes', 'count').map((field): [RangeField, readonly [string, string]] => {
    const { kind, filter } = entryFields[field]
    return [field, kind === 'moment' ? [`${filter}After`, `${filter}Before`] : [`minimum${filter}`, `maximum${filter}`]]
  }),
) as { [Field in RangeField]: RangeOf<Field> }

const namesOf = <Field extends RangeField>(fields: Field[]) =>
  fields.flatMap((field) => [...filterRanges[field]]) as RangeOf<Field>[number][]
/** Filters whose values are days, sizes or counts. */
export const dayNames = namesOf(rangeFields('moment'))
export const sizeNames = namesOf(rangeFields('bytes'))
export const countNames = namesOf(rangeFields('count'))
export type SizeName = (typeof sizeNames)[number]

/** The filter with the unit of a size. */
export const unitNameOf = <Name extends SizeName>(name: Name): `${Name}Unit` => `${name}Unit`
/** Filters with the units of sizes. They limit nothing on their own. */
export const unitNames: readonly string[] = [...sizeNames.map(unitNameOf), 'sizeBase']
