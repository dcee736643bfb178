import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { maxPathLength } from '#events/entries.ts'
import { livePath } from '#events/live.ts'
import { productName } from './config.ts'
import { asksForSocket } from './platform/http/socket.ts'

export type Listening = {
  http: Server
  /** Where browsers find it. */
  address: string
  /** From now on the app answers; before, everybody is told to come again. */
  ready(app: RequestListener): void
}

/**
 * How long the headers of a request may be together, in bytes. Node takes 16 KiB. An address names a path, each of whose
 * characters is up to nine letters in it, beside a cursor, or up to fifteen where the sign-in comes back to it.
 */
const longestHeaders = 15 * maxPathLength + 32 * 1024

/** Takes the port before anything else begins, so that a taken one is told at once and changes nothing. */
export async function listen({ host, port }: { host: string; port: number }): Promise<Listening> {
  let answer: RequestListener = starting
  const http: Server = createServer(
    {
      maxHeaderSize: longestHeaders,
      // One that is not taken as an upgrade is answered like any other request.
      shouldUpgradeCallback: (request) => http.listenerCount('upgrade') > 0 && asksForSocket(request, livePath),
    },
    (request, response) => answer(request, response),
  )
  http.listen(port, host)
  await once(http, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`Another program has port ${port} of ${host} already. Stop it, or set PORT.`, { cause: error })
  })
  const { port: taken } = http.address() as AddressInfo
  return {
    http,
    address: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    ready(app) {
      answer = app
    },
  }
}

const starting: RequestListener = (_, response) => {
  response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1' })
  response.end(JSON.stringify({ message: `${productName} is starting` }))
}
