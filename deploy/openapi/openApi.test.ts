import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { readContract } from './contract.ts'
import { exampleOf } from './exampleOf.ts'
import { openApi } from './openApi.ts'
import { parametersOf } from './parameters.ts'
import { namedSchemas } from './schemas.ts'
import { callName, groupOf, summarized, summaryOf } from './summaries.ts'

const { calls, names, descriptions } = await readContract()
const schemas = namedSchemas(names, descriptions)
const document = openApi(calls, schemas)

/** Document of these calls only. */
const documentOf = (...some: Endpoint[]) => openApi(some, namedSchemas(new Map(), {}))
const call = (name: string) => calls.find((call) => callName(call) === name)!

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(structuredClone(document))
  expect([errors, valid, validator.version]).toEqual([undefined, true, '3.1'])
})

test('every call has a summary of one sentence, and no summary is left over', () => {
  expect(calls.map(callName).toSorted()).toEqual(summarized.toSorted())
  for (const call of calls) expect(summaryOf(call)).toMatch(/^[A-Z][^\n]{8,120}\.$/)
})

test('every parameter is explained, with an example that the call accepts', () => {
  for (const call of calls) {
    const parameters = parametersOf(call, schemas)
    for (const { description } of parameters) expect(description).toMatch(/^\S.+\.$/)
    for (const [place, schema] of [
      ['path', call.params],
      ['query', call.query],
    ] as const) {
      const own = parameters.filter((one) => one.in === place && one.required)
      const issues = schema?.safeParse(Object.fromEntries(own.map(({ name, example }) => [name, example]))).error
        ?.issues
      expect([callName(call), issues]).toEqual([callName(call), undefined])
    }
  }
})

test('every example of a body is accepted by its call', () => {
  const refused = calls.flatMap((call) => {
    const issues = call.body?.safeParse(exampleOf(call)).error?.issues
    return issues ? [[callName(call), issues.map(({ path, message }) => `${path.join('.')} ${message}`)]] : []
  })
  expect(refused).toEqual([])
})

test('schemas and their fields have the names and comments of the contract', () => {
  expect(document.components.schemas).toMatchObject({
    ProjectDraft: { description: expect.stringMatching(/^Fields to create or change a project\./) },
    ProjectItem: {
      properties: { isNested: { description: expect.stringMatching(/^The folder is inside another folder/) } },
    },
  })
})

test('a description says who may make the call', () => {
  expect(document.paths).toMatchObject({
    '/v1/storages': { get: { description: 'Available to any signed-in user.' } },
    '/projects': { post: { description: 'Available to users with ROLE_ADMIN or ROLE_PROJECT_MANAGER.' } },
    '/login': { post: { description: 'Available without a sign-in.', security: [] } },
    '/v1/apiTokens': { post: { description: expect.stringMatching("API tokens can't make this call.") } },
  })
  expect(document.info.description).toMatch(
    'Browser requests that change data must send the XSRF-TOKEN cookie as the X-XSRF-TOKEN header.',
  )
})

test('a schema whose input and output differ has two components', () => {
  const Draft = z.object({ name: z.string().default('x') })
  const both = namedSchemas(new Map([[Draft, 'Draft']]), {})
  const twice = { ...call('POST /v1/search'), body: Draft, answer: Draft, query: undefined as never }
  expect(Object.keys(openApi([twice], both).components.schemas)).toEqual(
    expect.arrayContaining(['Draft', 'DraftInput']),
  )
})

test('a download is a file of its media type, and nothing refers to what is missing', () => {
  const file = { 'text/csv': { schema: { type: 'string', format: 'binary' } } }
  expect(documentOf(call('GET /files/search/csv')).paths).toMatchObject({
    '/files/search/csv': { get: { responses: { '200': { content: file } } } },
  })
  const text = JSON.stringify(document)
  for (const [, kind, name] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)) {
    expect(document.components[kind as 'schemas']).toHaveProperty(name!)
  }
  expect(text).not.toMatch(/\$defs|\$schema/)
})

test('a call without a summary is named', () => {
  expect(() => groupOf({ ...call('POST /v1/search'), path: '/v1/nothing' })).toThrow('POST /v1/nothing has no summary')
})
