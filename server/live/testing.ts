import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { ServerMessage, livePath } from '#events/live.ts'
import type { Progress } from '#events/scans.ts'
import { sessionCookie } from '#events/session.ts'

export const progress = (entries: number): Progress => ({
  entries,
  directories: 1,
  bytes: entries * 10,
  unreadable: 0,
  queued: 0,
  rate: 5,
  currentPath: '/a',
})

/** An HTTP server on a free port. */
export async function listen(): Promise<{ http: Server; host: string; close: () => Promise<void> }> {
  const http = createServer()
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const close = async () => {
    http.closeAllConnections()
    http.close()
    await once(http, 'close')
  }
  return { http, host: `127.0.0.1:${(http.address() as AddressInfo).port}`, close }
}

type From = { session?: string; origin?: string }

/** A browser's socket that keeps what it hears, without the beats. */
export function look(host: string, { session, origin = `http://${host}` }: From) {
  const headers = session ? { cookie: `${sessionCookie}=${session}` } : {}
  const socket = new WebSocket(`ws://${host}${livePath}`, { headers, origin })
  const heard: ServerMessage[] = []
  const waiting = new Set<() => void>()
  socket.on('error', () => {})
  socket.on('message', (data) => {
    heard.push(ServerMessage.parse(JSON.parse(String(data))))
    for (const look of waiting) look()
  })
  return {
    socket,
    heard,
    say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    opened: () => once(socket, 'open'),
    closed: async () => (await once(socket, 'close'))[0] as number,
    /** The status that an attempt to connect was answered with. */
    refused: async () => ((await once(socket, 'unexpected-response'))[1] as { statusCode: number }).statusCode,
    /** The first message, from the `after`th on, that is wanted. */
    until: (wanted: (message: ServerMessage) => boolean, after = 0) =>
      new Promise<ServerMessage>((resolve) => {
        const look = () => {
          const found = heard.slice(after).find(wanted)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
  }
}
