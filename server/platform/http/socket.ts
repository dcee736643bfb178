import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#server/platform/config.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type PublicPlace, publicPlace, withoutBase } from './place/publicPlace.ts'
import { recordOrigin } from './place/seenOrigins.ts'
import { countPage, openPagesOf } from './openPages.ts'
import { shareKey } from './shareOfUser.ts'
import { cachedUserLimits } from '#server/platform/limits/userLimits.ts'
import { type Visitor, findVisitor } from '#server/platform/callers/visitor.ts'

/** Maximum size of a message from a browser, in bytes. */
const maxMessageBytes = 4_096

type Deps = Pick<Platform, 'db' | 'log'> & { config: Pick<Config, 'trustedProxies' | 'basePath'> }
type OnSocket = (socket: WebSocket, visitor: Visitor) => void

/**
 * Returns whether a request is for a WebSocket at `path`. Other upgrades are unknown, such as the `h2c` that some
 * clients offer with every call; those requests are answered as if there were no offer. The path may have a base path.
 */
export const asksForSocket = ({ url = '/', headers }: IncomingMessage, path: string): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && pathOf(url).endsWith(path)

/**
 * Opens WebSockets at `path` for signed-in browsers on our pages: a socket carries the cookies of any page that opens
 * it, so the `Origin` must be the product's or the requested one. Others get 401, also users who have to choose
 * a password or set up a second factor first. Users with the maximum of open pages get 429; their pages work without live updates.
 */
export function acceptSockets(http: Server, path: string, deps: Deps, accept: OnSocket) {
  const { db, log } = deps
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes })
  sockets.on('error', (error) => log.error({ err: error }, 'the server of sockets failed'))
  const open = async (req: IncomingMessage, duplex: Duplex, head: Buffer) => {
    if (!asksForSocket(req, path)) return refuse(duplex, '404 Not Found')
    const place = await publicPlace(req, deps)
    if (pathOf(withoutBase(req.url ?? '', place.base)) !== path) return refuse(duplex, '404 Not Found')
    const visitor = await findVisitor(db, req)
    if (!visitor || visitor.mustFirst || !(await isOurPage(req, place, db))) return refuse(duplex, '401 Unauthorized')
    const { openPagesPerUser } = await cachedUserLimits(db)
    const key = shareKey(visitor) ?? ''
    if (openPagesOf(key) >= openPagesPerUser)
      return refuse(duplex, '429 Too Many Requests', `Retry-After: ${fullSeconds}\r\n`)
    sockets.handleUpgrade(req, duplex, head, (socket) => {
      countPage(key, socket)
      // The socket closes after an error, such as a message that is too long.
      socket.on('error', () => {})
      accept(socket, visitor)
    })
  }
  // Nothing awaits a listener, so a rejection would end the process.
  const upgrade = (req: IncomingMessage, duplex: Duplex, head: Buffer) => {
    duplex.on('error', () => duplex.destroy())
    open(req, duplex, head).catch((error: unknown) => {
      log.error({ err: error }, 'a socket could not be opened')
      refuse(duplex, '503 Service Unavailable')
    })
  }
  http.on('upgrade', upgrade)
  return {
    stop() {
      http.off('upgrade', upgrade)
      sockets.close()
    },
  }
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/**
 * Compares the page's origin with the product's, and with the one that this request was sent to: users may have several
 * addresses of the product. The scheme is left out, because a proxy that isn't trusted can't forward it.
 */
async function isOurPage({ headers }: IncomingMessage, place: PublicPlace, db: Db): Promise<boolean> {
  const page = URL.parse(headers.origin ?? '')
  // Pages of other schemes, such as those of browser extensions, have no origin.
  if (!page || !/^https?:$/.test(page.protocol)) return false
  const isRefused = ![place.origin, place.requested].some((origin) => hostOf(origin, page.protocol) === page.host)
  if (page.host !== hostOf(place.origin, page.protocol))
    await recordOrigin(db, { origin: page.origin, expected: place.origin, isRefused })
  return !isRefused
}

/** Host and port in the form for a scheme: `x:443` is `x` over https. */
const hostOf = (origin: string, scheme: string): string | undefined =>
  URL.parse(origin.replace(/^https?:/, scheme))?.host

/** Seconds until a user with too many open pages may try again. */
const fullSeconds = 15

const refuse = (duplex: Duplex, status: string, header = ''): void =>
  void duplex.end(`HTTP/1.1 ${status}\r\n${header}Connection: close\r\nContent-Length: 0\r\n\r\n`)
