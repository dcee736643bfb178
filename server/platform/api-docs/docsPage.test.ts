import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { curlOf } from './curlOf.ts'
import { docsPage } from './docsPage.ts'
import type { OpenApi } from './openApi.ts'

const document = JSON.parse(readFileSync(join(import.meta.dirname, 'openapi.json'), 'utf8')) as OpenApi
const place = { origin: 'https://data.example.com', base: '/dataintell' }
const page = docsPage(document, 'abc', place)
const curl = (method: string, path: string) =>
  curlOf(method, path, document.paths[path]![method.toLowerCase()]!, document, 'https://data.example.com/api')

test('the page names every call with its summary, and links to every schema', () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    expect(page).toContain(`<code>${path}</code>`)
    for (const { operationId } of Object.values(methods)) expect(page).toContain(`id="${operationId}"`)
  }
  const linked = [...page.matchAll(/href="#(\w+)"/g)].map(([, name]) => name)
  expect(linked.filter((name) => !page.includes(`id="${name}"`))).toEqual([])
  expect(page).toContain('<span>Lists all storages of every kind, with capacity and type.</span>')
})

test('the page says in plain words how browsers and scripts call', () => {
  expect(page).toContain('<title>DataIntell API</title>')
  expect(page).toContain(
    'Browser requests that change data must send the XSRF-TOKEN cookie as the X-XSRF-TOKEN header.',
  )
  expect(page).toContain('<p>Available to any signed-in user.</p>')
  expect(page).not.toMatch(/May be called by|When it fails/)
})

test('the page has the font of the product, and links back to it and to its help', () => {
  expect(page).toContain('url(/dataintell/api/docs/inter.woff2)')
  expect(page).toContain('<a href="/dataintell/">DataIntell</a><a href="/dataintell/help">Help</a>')
})

test('page and OpenAPI file are small when they are compressed', () => {
  expect(gzipSync(page).length).toBeLessThan(150_000)
  expect(gzipSync(JSON.stringify(document, null, 2)).length).toBeLessThan(150_000)
})

test('scripts come from files, columns have titles, and text is shown as text', () => {
  expect(page).not.toMatch(
    /<script(?! src="\/dataintell\/api\/docs\/search\.js" defer><\/script>)|style="| on\w+=|<th[^>]*><\/th>/,
  )
  const odd = docsPage({ ...document, info: { ...document.info, title: '<b onclick="x">' } }, 'abc', place)
  expect(odd).toContain('&#60;b onclick=&#34;x&#34;&#62;')
})

test('wide commands can be scrolled by keyboard', () => {
  expect(page).toContain('<pre tabindex="0">')
  expect(page).not.toContain('<pre>')
})

test('a curl line has the token, the required parameters and a body', () => {
  expect(curl('GET', '/v1/projects/{id}')).toBe(
    `curl -H "Authorization: Bearer $TOKEN" 'https://data.example.com/api/v1/projects/7'`,
  )
  expect(curl('POST', '/v1/scans/volumes/ids')).toBe(
    `curl -X POST -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '[1]' 'https://data.example.com/api/v1/scans/volumes/ids'`,
  )
  expect(curl('GET', '/directories/details')).toMatch(/api\/directories\/details\?storageId=1'$/)
})

test('a curl line saves downloads, and there is none for calls without tokens', () => {
  expect(curl('GET', '/files/search/csv')).toBe(
    `curl -H "Authorization: Bearer $TOKEN" -OJ 'https://data.example.com/api/files/search/csv'`,
  )
  expect(curl('GET', '/loginInfo')).toBe(`curl 'https://data.example.com/api/loginInfo'`)
  expect(curl('POST', '/v1/apiTokens')).toBeUndefined()
})
