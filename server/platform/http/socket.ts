import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Platform } from '#server/platform/platform.ts'
import { type Visitor, findVisitor } from './visitor.ts'

/** The largest message that a browser may send, in bytes. */
const largestMessage = 4_096

type Welcome = (socket: WebSocket, visitor: Visitor) => void

/**
 * Whether a request asks for a WebSocket at `path`. Any other upgrade is nothing that we know, such as the `h2c` that some
 * clients offer with every call; the request is then answered as if none had been offered.
 */
export const asksForSocket = ({ url = '/', headers }: IncomingMessage, path: string): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === path

/**
 * Opens WebSockets at `path` for browsers that are signed in and whose page is ours: a socket carries the cookies of
 * whichever page opens it, so the `Origin` must be the host that is asked. All others are answered 401, also those who
 * have not yet chosen a password of their own.
 */
export function acceptSockets(http: Server, path: string, { db, log }: Pick<Platform, 'db' | 'log'>, welcome: Welcome) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  const open = async (req: IncomingMessage, duplex: Duplex, head: Buffer) => {
    if (!asksForSocket(req, path)) return refuse(duplex, '404 Not Found')
    const visitor = isOurPage(req) ? await findVisitor(db, req) : undefined
    if (!visitor || visitor.mustChangePassword) return refuse(duplex, '401 Unauthorized')
    sockets.handleUpgrade(req, duplex, head, (socket) => welcome(socket, visitor))
  }
  // Nobody waits for what a listener returns, so a rejection would end the process.
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
