import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { maxPathLength } from '#events/entries.ts'
import { livePath } from '#events/live.ts'
import { productName } from './platform/config.ts'
import { answerProbe, livenessPath } from './platform/http/probes.ts'
import { asksForSocket } from './platform/http/socket.ts'

export type HttpListener = {
  http: Server
  /** Address for browsers. */
  address: string
  /** From now on the app answers; before, every request gets 503. */
  ready(app: RequestListener): void
  /**
   * Accepts no more connections, and resolves when the requests under way are answered, at the latest after `limitMs`. Then
   * closes all connections except WebSockets.
   */
  drain(limitMs: number): Promise<void>
}

/**
 * Maximum size of a request's headers, in bytes; Node's default is 16 KiB. A URL contains a path, with up to nine
 * characters for each of its own, in addition to a cursor, or up to fifteen when the sign-in returns to it.
 */
const maxHeaderBytes = 15 * maxPathLength + 32 * 1024

/**
 * Milliseconds until an idle connection is closed: longer than common proxies keep theirs (60 s), so that none sends a
 * request on a connection that is being closed.
 */
const keepAliveMs = 90_000

/** Binds the port before anything else starts, so a port in use is reported at once and nothing has changed. */
export async function listen({ host, port }: { host: string; port: number }): Promise<HttpListener> {
  let answer: RequestListener = starting
  const answers = openAnswers()
  const http: Server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: keepAliveMs,
      // The file of an import may take hours to arrive.
      requestTimeout: 0,
      // A request that is not upgraded is answered like any other.
      shouldUpgradeCallback: (request) => http.listenerCount('upgrade') > 0 && asksForSocket(request, livePath),
    },
    (request, response) => {
      answers.add(response)
      answer(request, response)
    },
  )
  http.listen(port, host)
  await once(http, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new Error(`Port ${port} on ${host} is already in use. Stop the program that uses it, or set PORT.`, {
      cause: error,
    })
  })
  // Of a connection that can't be accepted, such as without a free file descriptor: others still are.
  http.on('error', () => {})
  const { port: taken } = http.address() as AddressInfo
  return {
    http,
    address: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    ready(app) {
      answer = app
    },
    async drain(limitMs) {
      // Also closes connections without a request.
      http.close()
      await answers.end(limitMs)
      http.closeAllConnections()
    },
  }
}

/** Answers under way. Once they are to end, each one is the last of its connection. */
function openAnswers() {
  const open = new Set<ServerResponse>()
  let isEnding = false
  let ended = () => {}
  return {
    add(response: ServerResponse) {
      open.add(response)
      if (isEnding) response.shouldKeepAlive = false
      response.once('close', () => {
        open.delete(response)
        if (open.size === 0) ended()
      })
    },
    /** Resolves when no answer is under way, at the latest after `limitMs`. */
    end(limitMs: number): Promise<void> {
      isEnding = true
      for (const response of open) response.shouldKeepAlive = false
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, limitMs)
        ended = () => {
          clearTimeout(timer)
          resolve()
        }
        if (open.size === 0) ended()
      })
    },
  }
}

/** Browsers that open a page get one that retries, so that unattended displays recover; other callers get JSON. */
const starting: RequestListener = (request, response) => {
  const { method, headers, url } = request
  if (url === livenessPath) return answerProbe(request, response)
  const isPage = (method === 'GET' || method === 'HEAD') && (headers.accept ?? '').includes('text/html')
  response.writeHead(503, {
    'Content-Type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    'Cache-Control': 'no-store',
    'Retry-After': '1',
  })
  response.end(isPage ? startingPage : JSON.stringify({ message: startingMessage }))
}

const startingMessage = `${productName} is starting`

/** Colors as in the theme; the style sheets of the client are not served yet. */
const startingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="3">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${startingMessage}</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; min-height: 100vh; margin: 0; place-content: center; text-align: center; }
  h1 { margin: 0; font-size: 1.5rem; font-weight: 600; }
  p { margin: 8px 0 0; opacity: 0.8; }
</style>
<h1>${startingMessage}</h1>
<p>This page opens automatically when the server is ready.</p>
</html>
`
