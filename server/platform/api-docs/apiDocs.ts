import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { nonceOf } from '#server/platform/http/headers.ts'
import { placeIn } from '#server/platform/http/place/placeIn.ts'
import { docsPage } from './docsPage.ts'
import type { OpenApi } from './openApi.ts'

/** The font of the client. */
const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))
const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

/**
 * Serves `openapi.json`, which the build generates from the declared calls, and a page to read it. Both are only read when someone
 * opens them.
 */
export function apiDocs(): Router {
  let document: OpenApi | undefined
  const router = Router()
  router.get('/openapi.json', (_, res) => void res.type('json').send(read('openapi.json')))
  router.get('/search.js', (_, res) => void res.type('js').send(read('search.js')))
  router.get('/inter.woff2', (_, res) => res.sendFile(font, { maxAge: '1d' }))
  router.get('/', (req, res) => {
    document ??= JSON.parse(read('openapi.json')) as OpenApi
    res.type('html').send(docsPage(document, nonceOf(res), placeIn(req, res)))
  })
  return router
}
