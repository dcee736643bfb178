import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import express from 'express'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { readForwarded } from './forwarded.ts'

/**
 * Address under which a browser reaches this product: its origin, and the path in front of ours, such as `/dataintell`,
 * or ''. `requested` is the origin of this request, without regard to the configured one.
 */
export type PublicPlace = { origin: string; base: string; requested: string; isSecure: boolean }

type Deps = { db: Db; config: Pick<Config, 'trustedProxies' | 'basePath'> }

/**
 * The one function that determines it. The origin is that of the Application URL, else the one that a trusted proxy
 * forwards, else the requested host. The path is BASE_PATH, else that of the Application URL, else the one that a trusted
 * proxy forwards.
 */
export async function publicPlace(req: IncomingMessage, { db, config }: Deps): Promise<PublicPlace> {
  const configured = readUrl(await applicationUrl(db))
  const trusts = trustOf(config.trustedProxies)
  const forwarded = trusts(req.socket.remoteAddress ?? '') ? readForwarded(req.headers) : {}
  const scheme = forwarded.scheme ?? ((req.socket as TLSSocket).encrypted ? 'https' : 'http')
  const host = forwarded.host ?? req.headers.host ?? ''
  const requested = originOf(`${scheme}://${host}`) ?? ''
  return {
    origin: configured?.origin ?? requested,
    base: config.basePath ?? configured?.base ?? forwarded.prefix ?? '',
    requested,
    isSecure: scheme === 'https',
  }
}

/** The path of a URL without the base path, for proxies that keep it; unchanged for those that strip it. */
export function withoutBase(url: string, base: string): string {
  if (base === '' || !url.startsWith(base)) return url
  const rest = url.slice(base.length)
  if (rest === '' || rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : url
}

/** Origin and path of the Application URL; undefined if it isn't set. */
export function readUrl(url: string): { origin: string; base: string } | undefined {
  const parsed = URL.parse(url)
  return parsed ? { origin: parsed.origin, base: parsed.pathname.replace(/\/+$/, '') } : undefined
}

const originOf = (url: string): string | undefined => URL.parse(url)?.origin

/** Compiled once for each list. */
const compiled = new WeakMap<readonly string[], (address: string) => boolean>()

function trustOf(proxies: string[]): (address: string) => boolean {
  const known = compiled.get(proxies)
  if (known) return known
  const trust = express().set('trust proxy', proxies).get('trust proxy fn') as (address: string, hop: number) => boolean
  const trusts = (address: string) => trust(address, 0)
  compiled.set(proxies, trusts)
  return trusts
}

/** The Application URL as last read, and the time it was read at. It is read again after `freshMs`. */
type CachedUrl = { url: string; readAtMs: number; first: Promise<unknown> }
const known = new WeakMap<Db, CachedUrl>()
const freshMs = 1_000
/** A request waits no longer for the first read. */
const timeoutMs = 500

/** The Application URL of the settings. Keeps the last one while Postgres doesn't answer. */
async function applicationUrl(db: Db): Promise<string> {
  const now = performance.now()
  const last = known.get(db)
  if (last && now - last.readAtMs < freshMs) return await last.first.then(() => last.url)
  const next: CachedUrl = { url: last?.url ?? '', readAtMs: now, first: Promise.resolve() }
  const reading = read(db).then(
    (url) => void (next.url = url),
    () => {},
  )
  if (!last) next.first = Promise.race([reading, new Promise((resolve) => setTimeout(resolve, timeoutMs).unref())])
  known.set(db, next)
  await next.first
  return next.url
}

const read = async (db: Db): Promise<string> =>
  (await db.selectFrom('configurations').select('value').where('name', '=', 'app.url').executeTakeFirst())?.value ?? ''

/** Reads the Application URL again at the next request, because it was changed. */
export const forgetApplicationUrl = (db: Db): void => void known.delete(db)
