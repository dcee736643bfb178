import { z } from 'zod'

/** Part of JSON Schema 2020-12 that the contract uses. */
export type JsonSchema = {
  $ref?: string
  type?: string
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  allOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  minItems?: number
  additionalProperties?: JsonSchema | boolean
  prefixItems?: JsonSchema[]
}
type Direction = 'input' | 'output'
type Document = { components: { schemas: Record<string, JsonSchema> } }

export type Schemas = ReturnType<typeof namedSchemas>

const place = '#/components/schemas/'

/**
 * Converts schemas of the contract. Those with a name become components: one if input and output are the same, otherwise a
 * second one whose name ends in Input.
 */
export function namedSchemas(names: ReadonlyMap<z.ZodType, string>, descriptions: Descriptions) {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of names) registry.add(schema, { id })
  const components = { input: new Map<string, JsonSchema>(), output: new Map<string, JsonSchema>() }

  /** Wrapped in an object, so that the schema itself can become a reference. */
  const convert = (schema: z.ZodType, io: Direction): JsonSchema => {
    const options = { io, metadata: registry, unrepresentable: 'any', override: simplify } as const
    const { properties, $defs = {} } = z.toJSONSchema(z.object({ root: schema }), options) as JsonSchema & {
      $defs?: Record<string, JsonSchema>
    }
    for (const [name, definition] of Object.entries($defs)) components[io].set(name, described(name, definition))
    return referTo(properties?.['root'] ?? {}, (name) => `${io}:${name}`)
  }
  const described = (name: string, { properties, ...schema }: JsonSchema): JsonSchema => {
    const { own, fields } = descriptions[name] ?? { own: undefined, fields: {} }
    return {
      ...schema,
      ...(own !== undefined && { description: own }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([field, schema]) => [field, withDescription(schema, fields[field])]),
        ),
      }),
    }
  }

  return {
    reference: convert,
    inline: (schema: z.ZodType): JsonSchema =>
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: simplify }) as JsonSchema,
    /** Adds the components that the document refers to. */
    complete<D extends Document>(document: D): D {
      const differing = differingNames(components)
      const nameOf = (io: Direction, name: string) => (io === 'input' && differing.has(name) ? `${name}Input` : name)
      const resolve = (schema: JsonSchema, io: Direction) => referTo(schema, (name) => `${place}${nameOf(io, name)}`)
      const all = (['output', 'input'] as const).flatMap((io) =>
        [...components[io]].map(([name, schema]) => [nameOf(io, name), resolve(schema, io)] as const),
      )
      const text = JSON.stringify(document).replace(
        /"\$ref":"(input|output):(\w+)"/g,
        (_, io: Direction, name: string) => `"$ref":"${place}${nameOf(io, name)}"`,
      )
      const completed = JSON.parse(text) as D
      const sorted = all.toSorted(([one], [other]) => (one < other ? -1 : 1))
      return { ...completed, components: { ...completed.components, schemas: Object.fromEntries(sorted) } }
    },
  }
}

/** Descriptions of components and their fields, by name. */
export type Descriptions = Record<string, { own: string | undefined; fields: Record<string, string> }>

const withDescription = (schema: JsonSchema, description: string | undefined): JsonSchema =>
  description === undefined ? schema : { ...schema, description }

/** Names whose input and output differ, themselves or in a schema that they refer to. */
function differingNames({ input, output }: Record<Direction, Map<string, JsonSchema>>): Set<string> {
  const both = [...input.keys()].filter((name) => output.has(name))
  const textOf = (schemas: Map<string, JsonSchema>, name: string) => JSON.stringify(schemas.get(name))
  const differing = new Set(both.filter((name) => textOf(input, name) !== textOf(output, name)))
  const refers = (name: string) => [...differing].some((other) => textOf(input, name).includes(`"#/$defs/${other}"`))
  for (let more = [''].slice(1).concat(both); more.length > 0;) {
    more = both.filter((name) => !differing.has(name) && refers(name))
    for (const name of more) differing.add(name)
  }
  return differing
}

const referTo = (schema: JsonSchema, addressOf: (name: string) => string): JsonSchema =>
  JSON.parse(
    JSON.stringify(schema).replace(/"\$ref":"#\/\$defs\/(\w+)"/g, (_, name: string) => `"$ref":"${addressOf(name)}"`),
  ) as JsonSchema

/** Patterns of known formats are long, and limits of whole numbers are those of the language. */
function simplify({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  delete jsonSchema['id']
  if (jsonSchema['format'] !== undefined) delete jsonSchema['pattern']
  if (jsonSchema['format'] === 'starts_with') delete jsonSchema['format']
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
}
