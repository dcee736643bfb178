import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Role } from '#events/needs.ts'
import { sessionCookie } from '#events/session.ts'
import { readCookies } from './cookies.ts'
import type { Platform } from './platform.ts'
import { findSession } from './session.ts'

/** The largest message that a browser may send, in bytes. */
const largestMessage = 4_096

/** Whose socket it is, and what that user may do now. */
export type Visitor = { sessionId: string; roles: Role[] }

type Welcome = (socket: WebSocket, visitor: Visitor) => void

/**
 * Opens WebSockets at `path` for browsers that are signed in and whose page is ours: a socket carries the cookies of
 * whichever page opens it, so the `Origin` must be the host that is asked. All others are answered 401.
 */
export function acceptSockets(http: Server, path: string, { db, log }: Pick<Platform, 'db' | 'log'>, welcome: Welcome) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  const upgrade = async (req: IncomingMessage, duplex: Duplex, head: Buffer) => {
    duplex.on('error', () => duplex.destroy())
    if (new URL(req.url ?? '/', 'http://here').pathname !== path) return refuse(duplex, '404 Not Found')
    try {
      const sessionId = isOurPage(req) ? readCookies(req)[sessionCookie] : undefined
      const user = sessionId && (await findSession(db, sessionId))
      if (!sessionId || !user) return refuse(duplex, '401 Unauthorized')
      sockets.handleUpgrade(req, duplex, head, (socket) => welcome(socket, { sessionId, roles: user.roles }))
    } catch (error) {
      log.error({ err: error }, 'a socket could not be opened')
      refuse(duplex, '503 Service Unavailable')
    }
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
