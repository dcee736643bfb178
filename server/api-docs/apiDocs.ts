import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from 'express'
import { nonceOf } from '#server/platform/http/headers.ts'
import { placeIn } from '#server/platform/http/place/placeIn.ts'
import { docsPage } from './docsPage.ts'
import type { OpenApi } from './openApi.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

/** Serves `openapi.json`, which is generated from the declared calls, and a page to read it. */
export function apiDocs(): Router {
  const json = read('openapi.json')
  const script = read('search.js')
  const document = JSON.parse(json) as OpenApi
  const router = Router()
  router.get('/openapi.json', (_, res) => void res.type('json').send(json))
  router.get('/search.js', (_, res) => void res.type('js').send(script))
  router.get('/', (req, res) => void res.type('html').send(docsPage(document, nonceOf(res), placeIn(req, res))))
  return router
}
