import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import express, { Router, type RequestHandler } from 'express'
import compressedStatic from 'express-static-gzip'
import { timeZone } from '#server/platform/days.ts'
import { nonceOf } from './headers.ts'
import { placeIn } from './place/placeIn.ts'

/** Folder of the built client. */
export const clientFolder = join(import.meta.dirname, '../../../client/dist')

/** Placeholder for the nonce in the built page; `html.cspNonce` of vite.config.ts. */
const noncePlace = '__CSP_NONCE__'
const aYear = 365 * 24 * 3_600_000

/**
 * Serves the built client: hashed files with permanent caching, compressed if the build did that and the browser
 * accepts it; the page itself without caching, and for every deep link.
 */
export function clientFiles(folder: string): Router {
  const router = Router()
  const assets = { enableBrotli: true, orderPreference: ['br', 'gzip'], index: false }
  const forEver = { immutable: true, maxAge: aYear, index: false } as const
  router.use('/assets', compressedStatic(join(folder, 'assets'), { ...assets, serveStatic: forEver }))
  router.use('/assets', (_, res) => void res.status(404).type('text').send('There is no such file'))
  router.use(express.static(folder, { index: false, cacheControl: false, setHeaders: noCache }))
  router.get(/.*/, page(folder))
  return router
}

const noCache = (res: { setHeader: (name: string, value: string) => void }) =>
  res.setHeader('Cache-Control', 'no-cache')

function page(folder: string): RequestHandler {
  const read = pageReader(folder)
  return (req, res) => {
    const html = read()?.html
    if (html === undefined) return void res.status(503).type('text').send('The client is not built yet: npm run build')
    res
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(withBase(withTimeZone(html), placeIn(req, res).base).replaceAll(noncePlace, nonceOf(res)))
  }
}

/** Writes the time zone of days into the page, so that browsers show the days that filters use. */
const withTimeZone = (html: string): string => html.replace('<meta name="time-zone" content="', `$&${timeZone()}`)

/** Writes the base path into the page, and in front of the addresses of its files. */
const withBase = (html: string, base: string): string =>
  base === ''
    ? html
    : html.replace('<meta name="base-path" content="', `$&${base}`).replace(/(\s(?:href|src)=")\/(?!\/)/g, `$1${base}/`)

/**
 * Returns a reader for the build of the client named by its page, which reads it again when the page's file changes.
 */
export function buildReader(folder: string): () => string {
  const read = pageReader(folder)
  return () => read()?.build ?? 'none'
}

function pageReader(folder: string) {
  const file = join(folder, 'index.html')
  let last: { modified: number; html: string; build: string } | undefined
  return () => {
    // While a new build takes the place of this one.
    if (!existsSync(file)) return last
    const modified = statSync(file).mtimeMs
    if (last?.modified === modified) return last
    const html = readFileSync(file, 'utf8')
    return (last = { modified, html, build: /<meta name="build" content="([^"]+)"/.exec(html)?.[1] ?? 'none' })
  }
}
