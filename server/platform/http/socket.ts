import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Platform } from '#server/platform/platform.ts'
import { type Visitor, findVisitor } from './visitor.ts'

/** Maximum size of a message from a browser, in bytes. */
const maxMessageBytes = 4_096

type OnSocket = (socket: WebSocket, visitor: Visitor) => void

/**
 * Returns whether a request is for a WebSocket at `path`. Other upgrades are unknown, such as the `h2c` that some
 * clients offer with every call; those requests are answered as if there were no offer.
 */
export const asksForSocket = ({ url = '/', headers }: IncomingMessage, path: string): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === path

/**
 * Opens WebSockets at `path` for signed-in browsers on our pages: a socket carries the cookies of any page that opens
 * it, so the `Origin` must equal the requested host. Others get 401, also users who haven't yet chosen their own
 * password.
 */
export function acceptSockets(http: Server, path: string, { db, log }: Pick<Platform, 'db' | 'log'>, accept: OnSocket) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMessageBytes })
  const open = async (req: IncomingMessage, duplex: Duplex, head: Buffer) => {
    if (!asksForSocket(req, path)) return refuse(duplex, '404 Not Found')
    const visitor = isOurPage(req) ? await findVisitor(db, req) : undefined
    if (!visitor || visitor.mustChangePassword) return refuse(duplex, '401 Unauthorized')
    sockets.handleUpgrade(req, duplex, head, (socket) => accept(socket, visitor))
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

const isOurPage = ({ headers }: IncomingMessage): boolean =>
  headers.origin !== undefined && URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host

const refuse = (duplex: Duplex, status: string): void =>
  void duplex.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
