import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import express, { Router, type RequestHandler } from 'express'
import compressedStatic from 'express-static-gzip'
import { wallPath } from '#events/wall.ts'
import type { Config } from '#server/platform/config.ts'
import { timeZone } from '#server/platform/days.ts'
import { escapeHtml } from '#server/platform/mail/mailHtml.ts'
import { nonceOf } from './headers.ts'
import { placeIn } from './place/placeIn.ts'

/** Folder of the built client. */
export const clientFolder = join(import.meta.dirname, '../../../client/dist')

/** Placeholder for the nonce in the built page; `html.cspNonce` of vite.config.ts. */
const noncePlace = '__CSP_NONCE__'
const aYear = 365 * 24 * 3_600_000

/**
 * Serves the built client: hashed files with permanent caching, compressed if the build did that and the browser
 * accepts it; the pages themselves without caching: one for wall displays, one for every other link. Those of a demo say
 * so.
 */
export function clientFiles(
  folder: string,
  { isDemo, adminPassword }: Pick<Config, 'isDemo' | 'adminPassword'>,
): Router {
  const demo = isDemo ? (adminPassword ?? '') : ''
  const router = Router()
  const assets = { enableBrotli: true, orderPreference: ['br', 'gzip'], index: false }
  const forEver = { immutable: true, maxAge: aYear, index: false } as const
  router.use('/assets', compressedStatic(join(folder, 'assets'), { ...assets, serveStatic: forEver }))
  router.use('/assets', (_, res) => void res.status(404).type('text').send('There is no such file'))
  router.use(express.static(folder, { index: false, cacheControl: false, setHeaders: noCache }))
  router.get(wallPath, page(folder, 'wall.html', demo))
  router.get(/.*/, page(folder, 'index.html', demo))
  return router
}

const noCache = (res: { setHeader: (name: string, value: string) => void }) =>
  res.setHeader('Cache-Control', 'no-cache')

type PageName = 'index.html' | 'wall.html'

function page(folder: string, name: PageName, demo: string): RequestHandler {
  const read = pageReader(folder, name)
  const build = buildReader(folder)
  return (req, res) => {
    const html = read()
    if (html === undefined) return void res.status(503).type('text').send('The client is not built yet: npm run build')
    res
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(
        withBase(withDemo(withBuild(withTimeZone(html), build()), demo), placeIn(req, res).base).replaceAll(
          noncePlace,
          nonceOf(res),
        ),
      )
  }
}

/** Writes the time zone of days into the page, so that browsers show the days that filters use. */
const withTimeZone = (html: string): string => html.replace('<meta name="time-zone" content="', `$&${timeZone()}`)

/** Writes the ID of the build into the page, to be compared with that of the server's beats. */
const withBuild = (html: string, build: string): string => html.replace('<meta name="build" content="', `$&${build}`)

/** Writes the password of a demo into the page, which shows that its data is made up; '' elsewhere. */
const withDemo = (html: string, demo: string): string =>
  html.replace('<meta name="demo" content="', (place) => place + escapeHtml(demo))

/** Writes the base path into the page, and in front of the addresses of its files. */
const withBase = (html: string, base: string): string =>
  base === ''
    ? html
    : html.replace('<meta name="base-path" content="', `$&${base}`).replace(/(\s(?:href|src)=")\/(?!\/)/g, `$1${base}/`)

/**
 * Returns a reader for the ID of the client's build, which changes with any file: the pages name files that have the hash
 * of their content in their names. `none` if there is no build.
 */
export function buildReader(folder: string): () => string {
  const pages = (['index.html', 'wall.html'] as const).map((name) => pageReader(folder, name))
  return () => {
    const html = pages.map((read) => read() ?? '').join('')
    return html === '' ? 'none' : createHash('sha256').update(html).digest('hex').slice(0, 12)
  }
}

/** Returns a reader for a page, which reads it again when its file changes; undefined without one. */
function pageReader(folder: string, name: PageName): () => string | undefined {
  const file = join(folder, name)
  let last: { modified: number; html: string } | undefined
  return () => {
    // While a new build takes the place of this one.
    if (!existsSync(file)) return last?.html
    const modified = statSync(file).mtimeMs
    if (last?.modified !== modified) last = { modified, html: readFileSync(file, 'utf8') }
    return last.html
  }
}
