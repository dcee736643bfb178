import { expect, test } from 'vitest'
import { agentInfos } from '#events/agents.ts'
import { scanVolumes } from '#events/scans/calls.ts'
import { login } from '#events/users/session.ts'
import { volumes } from '#events/snapshots.ts'
import { fileStorages } from '#events/sources/fileStorages.ts'
import { docsPage } from './docs.ts'
import { openApi } from './openapi.ts'

const document = openApi([login, volumes, agentInfos, scanVolumes, ...Object.values(fileStorages)])

test('every call is described with its parameters, body and answer', () => {
  const { get } = document.paths['/v1/volumes']!
  expect(get!.parameters.map(({ name, in: place, required }) => `${place} ${name} ${required}`)).toEqual([
    'query indexingDate false',
    'query page false',
    'query size false',
    'query sort false',
    'query direction false',
  ])
  const { put } = document.paths['/volumeSettings/{id}']!
  expect(put!.parameters).toMatchObject([
    { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
    { name: 'X-XSRF-TOKEN', in: 'header', required: true },
  ])
  expect(put!.requestBody).toMatchObject({
    content: { 'application/json': { schema: { required: ['name', 'path', 'storagePrice'] } } },
  })
  expect(Object.keys(put!.responses)).toEqual(['204', '401', '403', 'default'])
})

test('who may call and what is said when it fails is told', () => {
  expect(document.paths['/v1/scans/volumes/ids']!['post']!.description).toBe(
    "May be called by ROLE_ADMIN. When it fails: 'Unable to start the scan'.",
  )
  expect(document.paths['/login']!['post']).toMatchObject({ security: [] })
  expect(document.paths['/v1/servers/infos']!['get']).toMatchObject({ security: [{ session: [] }, { token: [] }] })
})

test('a download is a file of its media type', () => {
  const file = { method: 'GET', path: '/file', needs: 'nothing', failure: 'Unable', download: 'text/csv' } as const
  expect(openApi([file]).paths['/file']!['get']!.responses['200']!.content).toEqual({
    'text/csv': { schema: { type: 'string', format: 'binary' } },
  })
})

test('names of operations are unique, and nothing refers to what is not there', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const ids = operations.map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
  expect(new Set(references)).toEqual(new Set(['#/components/schemas/Problem']))
  expect(JSON.stringify(document)).not.toContain('$schema')
})

test('the page names every call, carries no script, and shows text as text', () => {
  const page = docsPage(document, 'abc')
  for (const path of Object.keys(document.paths)) expect(page).toContain(`<code>${path}</code>`)
  expect(page).not.toMatch(/<script|style="| on\w+=/)
  const odd = docsPage({ ...document, info: { ...document.info, title: '<b onclick="x">' } }, 'abc')
  expect(odd).toContain('&#60;b onclick=&#34;x&#34;&#62;')
})
