import { Router } from 'express'
import type { Endpoint } from '#events/endpoint.ts'
import { docsPage } from './docsPage.ts'
import { nonceOf } from './headers.ts'
import { openApi } from './openapi.ts'

/** `/openapi.json` and a page to read it on, made from the declarations of the calls. */
export function docs(endpoints: readonly Endpoint[]): Router {
  const document = openApi(endpoints)
  const router = Router()
  router.get('/openapi.json', (_, res) => void res.json(document))
  router.get('/', (_, res) => void res.type('html').send(docsPage(document, nonceOf(res))))
  return router
}
