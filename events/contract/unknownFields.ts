import { safeParse, z } from 'zod'
import { fieldOf, maxSubErrors, type SubError } from './problem.ts'

/** Message for a field that a call does not declare. Ignoring a misspelled filter would return unfiltered results. */
export const unknownField = 'is not a parameter of this call'

/**
 * Finds the first fields of an input that its schema does not declare, at any depth. Schemas that accept any field
 * (`looseObject`, `catchall`, `record`) have no unknown fields. Without a schema, every field is unknown.
 */
export function unknownFields(schema: z.core.$ZodType | undefined, value: unknown): SubError[] {
  const found: SubError[] = []
  for (const path of undeclared(schema, value, [])) {
    found.push({ field: fieldOf(path), message: unknownField })
    if (found.length === maxSubErrors) break
  }
  return found
}

type Path = (string | number)[]
/** Fields that a schema declares; undefined if it accepts any field. */
type Fields = Map<string, z.core.$ZodType> | undefined

function* undeclared(
  schema: z.core.$ZodType | undefined,
  value: unknown,
  path: Path,
): Generator<Path, void, undefined> {
  if (typeof value !== 'object' || value === null) return
  const known = schema ? bare(schema) : undefined
  if (Array.isArray(value)) {
    if (known?._zod.def.type !== 'array') return
    const { element } = known._zod.def
    for (const [i, item] of value.entries())
      if (typeof item === 'object') yield* undeclared(element, item, [...path, i])
    return
  }
  const fields: Fields = known ? fieldsOf(known, value) : new Map()
  if (!fields) return
  for (const name of Object.keys(value)) {
    const declared = fields.get(name)
    if (declared) yield* undeclared(declared, (value as Record<string, unknown>)[name], [...path, name])
    else yield [...path, name]
  }
}

/** Unwraps defaults, transforms and preprocessing, which don't change the fields. */
function bare(schema: z.core.$ZodType): z.core.$ZodTypes {
  const known = schema as z.core.$ZodTypes
  const { def } = known._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return bare(def.innerType)
    case 'lazy':
      return bare(def.getter())
    case 'pipe':
      return bare(def.in._zod.def.type === 'transform' ? def.out : def.in)
    default:
      return known
  }
}

function fieldsOf(schema: z.core.$ZodType, value: object): Fields {
  const { def } = bare(schema)._zod
  switch (def.type) {
    case 'object':
      return def.catchall && def.catchall._zod.def.type !== 'never' ? undefined : new Map(Object.entries(def.shape))
    case 'intersection':
      return together([fieldsOf(def.left, value), fieldsOf(def.right, value)])
    case 'union': {
      const read = def.options.filter((option) => safeParse(option, value).success)
      // If no option fits, the value is refused for that reason; its expected fields are not known.
      return read.length > 0
        ? together(read.map((option) => fieldsOf(option, value)))
        : namesAlone(together(def.options.map((option) => fieldsOf(option, value))))
    }
    default:
      return undefined
  }
}

const namesAlone = (fields: Fields): Fields => fields && new Map([...fields.keys()].map((name) => [name, z.unknown()]))

/** The fields of several schemas. An object that more than one declares may have the fields of each. */
function together(all: Fields[]): Fields {
  const merged = new Map<string, z.core.$ZodType>()
  for (const fields of all) {
    if (!fields) return undefined
    for (const [name, field] of fields) {
      const known = merged.get(name)
      merged.set(name, known && [known, field].every(hasFields) ? z.intersection(known, field) : field)
    }
  }
  return merged
}

const hasFields = (schema: z.core.$ZodType): boolean => ['object', 'intersection'].includes(bare(schema)._zod.def.type)
