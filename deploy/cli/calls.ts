import type { z } from 'zod'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { readContract } from '#deploy/openapi/contract.ts'
import { availability } from '#deploy/openapi/openApi.ts'
import { parametersOf } from '#deploy/openapi/parameters.ts'
import { type JsonSchema, namedSchemas, type Schemas } from '#deploy/openapi/schemas.ts'
import { callName, operationId, summaryOf } from '#deploy/openapi/summaries.ts'
import { type CallCommand, callOptions, globalOptions, type Option } from './options.ts'

/** Derives one command from each declared call. */
export function commandsOf({ calls, names, descriptions }: Awaited<ReturnType<typeof readContract>>): CallCommand[] {
  const schemas = namedSchemas(new Map(), {})
  return calls
    .map((endpoint) => {
      const words = descriptions[names.get(endpoint.body as z.ZodType) ?? '']?.fields ?? {}
      return {
        name: operationId(endpoint),
        call: callName(endpoint),
        summary: summaryOf(endpoint),
        availability: availability(endpoint),
        options: optionsOf(endpoint, schemas, words),
        hasBody: endpoint.body !== undefined,
        ...(endpoint.download !== undefined && { download: endpoint.download }),
      }
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** Options with the names of the parameters. Those of a body whose name is taken begin with `body`. */
function optionsOf(endpoint: Endpoint, schemas: Schemas, words: Record<string, string>): Option[] {
  const parameters = parametersOf(endpoint, schemas).map(({ name, in: place, required, description, schema }) => ({
    name,
    field: name,
    place,
    isRequired: required,
    description,
    ...valueOf(schema, place === 'query' && isFlag(endpoint.query, name)),
  }))
  const taken = new Set([...globalOptions, ...callOptions, ...parameters].map(({ name }) => name))
  const fields = endpoint.body ? bodyFields(schemas.inline(endpoint.body)) : new Map<string, JsonSchema>()
  const ofBody = [...fields].map(([field, schema]) => ({
    name: taken.has(field) ? `body${field.slice(0, 1).toUpperCase()}${field.slice(1)}` : field,
    field,
    place: 'body' as const,
    isRequired: false,
    description: words[field] ?? schema.description ?? '',
    ...valueOf(schema, false),
  }))
  return [...parameters, ...ofBody]
}

/** Fields of a body, also of its alternatives. The server names those that are missing. */
function bodyFields({ properties = {}, allOf = [], anyOf = [], oneOf = [] }: JsonSchema): Map<string, JsonSchema> {
  const parts = [...allOf, ...anyOf, ...oneOf].flatMap((part) => [...bodyFields(part)])
  const fields = Map.groupBy([...parts, ...Object.entries(properties)], ([field]) => field)
  return new Map([...fields].map(([field, same]) => [field, { anyOf: same.map(([, schema]) => schema) }]))
}

/** True for parameters that take only `true` and `false`. */
function isFlag(query: z.ZodType | undefined, name: string): boolean {
  const accepts = (word: string) =>
    query?.safeParse({ [name]: word }).error?.issues.every(({ path }) => path[0] !== name) ?? true
  return accepts('true') && accepts('false') && !accepts('neither')
}

const kinds: Record<string, Option['kind']> = { integer: 'number', number: 'number', string: 'text' }
type Value = Pick<Option, 'kind' | 'isList' | 'choices'>

function valueOf(schema: JsonSchema, flag: boolean): Value {
  const { items, enum: choices, oneOf = [], anyOf: alternatives = oneOf } = schema
  const type = typeOf(schema)
  const [first, ...others] = alternatives.filter((one) => one.type !== 'null').map((one) => valueOf(one, flag))
  if (first && others.every(({ kind, isList }) => kind === first.kind && isList === first.isList)) return first
  if (type === 'array' && items && isScalar(items)) return { ...valueOf(items, false), isList: true }
  if (flag || type === 'boolean') return { kind: 'flag', isList: false }
  const kind = isScalar(schema) ? (kinds[type ?? (choices ? 'string' : '')] ?? 'json') : 'json'
  return { kind, isList: false, ...(choices && { choices: choices.map(String) }) }
}

/** Type of a value that isn't null. */
const typeOf = ({ type }: JsonSchema): string | undefined => [type ?? []].flat().find((one) => one !== 'null')

const isScalar = ({ type, anyOf, oneOf }: JsonSchema): boolean =>
  type !== 'object' && type !== 'array' && [...(anyOf ?? []), ...(oneOf ?? [])].every(isScalar)
