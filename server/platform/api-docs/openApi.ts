/** Parts of the OpenAPI document that the page shows. */
export type OpenApi = {
  info: { title: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Record<string, unknown>[]
  parameters: (Parameter | Reference)[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema: Schema }> }>
}

type Reference = { $ref: string }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: unknown
}

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  additionalProperties?: Schema | boolean
}

/** The shared part that an object refers to, or the object itself. */
export function resolveParameter(parameter: Parameter | Reference, { components }: OpenApi): Parameter {
  if (!('$ref' in parameter)) return parameter
  const found = components.parameters[nameOf(parameter.$ref)]
  if (!found) throw new Error(`The OpenAPI document has no ${parameter.$ref}`)
  return found
}

/** Last part of a reference. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)
