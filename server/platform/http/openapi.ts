import { z } from 'zod'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { needs } from '#events/contract/needs.ts'
import { ProblemAnswer } from '#events/contract/problem.ts'
import { csrfHeader, sessionCookie } from '#events/users/session.ts'
import { productName } from '#server/config.ts'

type Schema = Record<string, unknown>

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security: Schema[]
  parameters: Parameter[]
  requestBody?: { required: true; content: Schema }
  responses: Record<string, { description: string; content?: Schema }>
}
type Parameter = { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }
export type OpenApi = ReturnType<typeof openApi>

/** The calls as an OpenAPI 3.1 document. */
export function openApi(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: productName,
      version: '1',
      description: `Calls that change something carry the header ${csrfHeader} with the value of the cookie that GET /api/loginInfo sets. Scripts carry an API token instead, as Authorization: Bearer, and need neither cookie nor header.`,
    },
    servers: [{ url: '/api' }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(ProblemAnswer, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

function operation(endpoint: Endpoint): Operation {
  const { method, path, query, params, body, failure, failureOfFolders, bundle } = endpoint
  const isOpen = endpoint.needs === 'nothing'
  return {
    operationId: `${method.toLowerCase()}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [path.split('/').find((word) => word && !/^v\d+$/.test(word)) ?? ''],
    summary: `${method} ${path}`,
    description: `May be called by ${whoMay(endpoint)}.${bundle ? ` Needs the bundle ${bundle}.` : ''} When it fails: '${failure}'${failureOfFolders ? `, or of folders '${failureOfFolders}'` : ''}.`,
    security: isOpen ? [] : [{ session: [] }, { token: [] }],
    parameters: [...parameters(params, 'path'), ...parameters(query, 'query'), ...tokenParameter(method)],
    ...(body && { requestBody: { required: true, content: content(jsonSchema(body, 'input')) } }),
    responses: {
      ...success(endpoint),
      ...(!isOpen && { '401': problem('Not signed in'), '403': problem('The user may not do this') }),
      default: problem('The error; invalid fields are listed in subErrors'),
    },
  }
}

function success({ answer, download }: Endpoint): Operation['responses'] {
  if (download) {
    const file = { [download]: { schema: { type: 'string', format: 'binary' } } }
    return { '200': { description: 'A file, named by Content-Disposition', content: file } }
  }
  if (!answer) return { '204': { description: 'Done' } }
  return { '200': { description: 'The response', content: content(jsonSchema(answer, 'output')) } }
}

/** Description of the callers allowed to make a call. */
function whoMay(endpoint: Endpoint): string {
  const who: (typeof needs)[keyof typeof needs] | readonly string[] = needs[endpoint.needs]
  if (who === 'anyone') return 'anyone'
  if (who === 'signed in') return 'any signed-in user'
  return ['ROLE_ADMIN', ...who].join(', ')
}

const content = (schema: Schema): Schema => ({ 'application/json': { schema } })
const problem = (description: string) => ({ description, content: content({ $ref: '#/components/schemas/Problem' }) })

const tokenParameter = (method: string): Parameter[] =>
  method === 'GET' ? [] : [{ name: csrfHeader, in: 'header', required: true, schema: { type: 'string' } }]

/** The fields of a schema as parameters; those of an intersection are in its parts. */
function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Parameter[] {
  if (!schema) return []
  const read = (part: Schema): Parameter[] => {
    const {
      allOf = [],
      properties = {},
      required = [],
    } = part as {
      allOf?: Schema[]
      properties?: Record<string, Schema>
      required?: string[]
    }
    const own = Object.entries(properties).map(([name, schema]) => ({
      name,
      in: place,
      required: required.includes(name),
      schema,
    }))
    return [...own, ...allOf.flatMap(read)]
  }
  return read(jsonSchema(schema, 'input'))
}

/** A schema for OpenAPI: JSON Schema 2020-12 without the keyword for the dialect. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
