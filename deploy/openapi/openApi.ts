import type { Endpoint } from '#events/contract/endpoint.ts'
import { lockedMessages, needs } from '#events/contract/needs.ts'
import { ProblemAnswer } from '#events/contract/problem.ts'
import { confirmCode, confirmedMinutes, confirmIdentity, csrfHeader, sessionCookie } from '#events/users/session.ts'
import { productName } from '#server/platform/config.ts'
import { exampleOf } from './exampleOf.ts'
import { parametersOf } from './parameters.ts'
import { type JsonSchema, type Schemas } from './schemas.ts'
import { groupOf, operationId, summaryOf } from './summaries.ts'

const description = `Scripts send an API token as \`Authorization: Bearer\`. Browser requests that change data must send the XSRF-TOKEN cookie as the ${csrfHeader} header. Sizes are bytes, and -1 is unknown. Days are in the time zone of the server.`

/** The calls as an OpenAPI 3.1 document. */
export function openApi(endpoints: readonly Endpoint[], schemas: Schemas) {
  const failures = failureResponses(schemas)
  const shared = sharedParameters(endpoints, schemas)
  const paths: Record<string, Record<string, object>> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, schemas, shared) }
  }
  const groups = [...new Set(endpoints.map(groupOf))].sort()
  return schemas.complete({
    openapi: '3.1.0',
    info: { title: `${productName} API`, version: '1', description },
    servers: [{ url: '/api' }],
    tags: groups.map((name) => ({ name })),
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      schemas: {},
      parameters: Object.fromEntries([...shared.values()].map(({ key, parameter }) => [key, parameter])),
      responses: failures,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        token: { type: 'http', scheme: 'bearer' },
      },
    },
  })
}

function operation(endpoint: Endpoint, schemas: Schemas, shared: SharedParameters) {
  const { body } = endpoint
  const isOfBrowsers = endpoint.browserOnly || endpoint.confirm === true
  const isOpen = endpoint.needs === 'nothing'
  return {
    operationId: operationId(endpoint),
    tags: [groupOf(endpoint)],
    summary: summaryOf(endpoint),
    description: availability(endpoint),
    security: isOpen ? [] : [{ session: [] }, ...(isOfBrowsers ? [] : [{ token: [] }])],
    parameters: allParameters(endpoint, schemas).map((parameter) => referTo(parameter, shared)),
    ...(endpoint.isUpload && {
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemas.reference(body, 'input'), example: exampleOf(endpoint) } },
      },
    }),
    responses: {
      ...success(endpoint, schemas),
      ...(!isOpen && { '401': response('NotSignedIn'), '403': response('NotAllowed') }),
      default: response('Failure'),
    },
  }
}

const response = (name: string) => ({ $ref: `#/components/responses/${name}` })

function failureResponses(schemas: Schemas) {
  const content = json(schemas.reference(ProblemAnswer, 'output'))
  return {
    Failure: { description: 'The error. Invalid fields are listed in subErrors.', content },
    NotSignedIn: { description: 'Not signed in.', content },
    NotAllowed: { description: 'A role is missing.', content },
  }
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

function success({ answer, download }: Endpoint, schemas: Schemas) {
  if (download) {
    const file = { [download]: { schema: { type: 'string', format: 'binary' } } }
    return { '200': { description: 'A file, named by Content-Disposition.', content: file } }
  }
  if (!answer) return { '204': { description: 'Done.' } }
  return { '200': { description: 'Done.', content: json(schemas.reference(answer, 'output')) } }
}

/** Sentences about who may make a call. */
export function availability({ needs: what, bundle, browserOnly, confirm }: Endpoint): string {
  return [
    `Available ${audience(needs[what])}.`,
    ...(bundle ? [`Requires a license: ${lockedMessages[bundle]}.`] : []),
    ...(browserOnly || confirm === true ? ["API tokens can't make this call."] : []),
    ...(confirm === undefined ? [] : [confirmation(confirm)]),
  ].join(' ')
}

/** When a call has to be confirmed, and how. */
function confirmation(confirm: NonNullable<Endpoint['confirm']>): string {
  const subject = confirm === true ? 'The call needs' : 'Some bodies need a browser with'
  const how = `a sign-in or a confirmation (POST ${confirmIdentity.path}) within the last ${confirmedMinutes} minutes`
  return `${subject} ${how}. Otherwise the answer is 403 with the code ${confirmCode}.`
}

function audience(who: 'anyone' | 'signed in' | readonly string[]): string {
  if (who === 'anyone') return 'without a sign-in'
  if (who === 'signed in') return 'to any signed-in user'
  return `to users with ${['ROLE_ADMIN', ...who].join(', ').replace(/, ([^,]+)$/, ' or $1')}`
}

type SharedParameters = Map<string, { key: string; parameter: object }>

/** Parameters that several calls have, by their text. Those with the same name get a number. */
function sharedParameters(endpoints: readonly Endpoint[], schemas: Schemas): SharedParameters {
  const all = endpoints.flatMap((endpoint) => allParameters(endpoint, schemas))
  const counts = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  const shared: SharedParameters = new Map()
  const names = new Map<string, number>()
  for (const [text, same] of counts) {
    const [parameter] = same
    if (!parameter || same.length < 2) continue
    const count = (names.get(parameter.name) ?? 0) + 1
    names.set(parameter.name, count)
    shared.set(text, { key: count === 1 ? parameter.name : `${parameter.name}${count}`, parameter })
  }
  return shared
}

function referTo(parameter: object, shared: SharedParameters): object {
  const found = shared.get(JSON.stringify(parameter))
  return found ? { $ref: `#/components/parameters/${found.key}` } : parameter
}

const allParameters = (endpoint: Endpoint, schemas: Schemas) => [
  ...parametersOf(endpoint, schemas),
  ...(endpoint.method === 'GET' ? [] : [crossSiteToken]),
]

const crossSiteToken = {
  name: csrfHeader,
  in: 'header',
  required: false,
  description: 'Value of the XSRF-TOKEN cookie. Only for browsers: calls with an API token need no header.',
  schema: { type: 'string' },
}
