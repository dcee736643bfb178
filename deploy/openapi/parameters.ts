import type { z } from 'zod'
import type { Endpoint } from '#events/contract/endpoint.ts'
import type { JsonSchema, Schemas } from './schemas.ts'
import { callName } from './summaries.ts'
import { parameterWords } from './words/parameters.ts'

type Parameter = {
  name: string
  in: 'path' | 'query'
  required: boolean
  description: string
  schema: JsonSchema
  example: unknown
}

/** The path and query parameters of a call with explanations. Throws if one has none. */
export const parametersOf = (endpoint: Endpoint, schemas: Schemas): Parameter[] =>
  (['path', 'query'] as const).flatMap((place) => {
    const schema = place === 'path' ? endpoint.params : endpoint.query
    if (!schema) return []
    const parameters = fieldsOf(schemas.inline(schema)).map(({ name, required, schema }) => ({
      name,
      in: place,
      required: place === 'path' || required,
      ...wordsOf(endpoint, name),
      schema,
    }))
    const missing = missingIn(schema, parameters)
    return parameters.map((parameter) => ({
      ...parameter,
      required: parameter.required || missing.has(parameter.name),
    }))
  })

/** Optional parameters without which the call is refused, such as one of two names for the same thing. */
function missingIn(schema: z.ZodType, parameters: Parameter[]): Set<unknown> {
  const required = parameters.filter(({ required }) => required).map(({ name, example }) => [name, example])
  const issues = schema.safeParse(Object.fromEntries(required)).error?.issues ?? []
  return new Set(issues.map(({ path }) => path[0]))
}

function wordsOf(endpoint: Endpoint, name: string) {
  const words = parameterWords[`${callName(endpoint)} ${name}`] ?? parameterWords[name]
  if (!words) throw new Error(`${name} of ${callName(endpoint)} has no words in deploy/openapi/words/parameters.ts`)
  return words
}

/** The fields of a schema; those of an intersection are in its parts. */
function fieldsOf({ allOf = [], properties = {}, required = [] }: JsonSchema) {
  const own = Object.entries(properties).map(([name, schema]) => ({ name, required: required.includes(name), schema }))
  const all: typeof own = [...own, ...allOf.flatMap(fieldsOf)]
  return all.filter(({ name }, place) => all.findIndex((other) => other.name === name) === place)
}
