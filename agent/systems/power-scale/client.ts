import { lookup } from 'node:dns'
import type { z } from 'zod'
import { contentOf } from '../http/answer.ts'
import type { TransportOptions } from '../http/transport.ts'
import { pagesFrom, type PagesOptions } from '../kit/pages.ts'
import { newServer } from '../kit/server.ts'
import { ScanFailed, StoreBusy } from '../system.ts'
import { whileBusy } from '../whileBusy.ts'
import { failureIn, failureOf, type RequestFacts, SignInRefused } from './failures.ts'
import { addressOf, newPinnedNode } from './node.ts'
import { newOneFsSession, valueOf } from './session.ts'

/** A call of the API. `purpose` follows 'to' in sentences about its failure. */
export type Call<T = unknown> = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Percent-encoded, with its arguments. */
  path: string
  body?: object
  purpose: string
  privilege?: string
  /** Form of the answer. Without it, the answer is not read. */
  read?: z.ZodType<T>
}

/** User and cluster, as orders name them. `host` may include a port. */
export type Cluster = {
  host: string
  username: string
  password: string
  fingerprint?: string | undefined
}

/** Bytes of an answer: 1,000 entries with names of 255 bytes take less than 1 MB. */
const maxBytes = 16 * 1024 * 1024
const idleMs = 60_000

/** Calls a cluster in one session. Throws `ScanFailed` for an invalid host. */
export function newClient(cluster: Cluster, transport: TransportOptions = {}) {
  const { username, password } = cluster
  const server = openServer(cluster, transport)
  const session = newOneFsSession(cluster, server.send)

  /** Calls once. Throws `StoreBusy` where the same call may succeed later, else `ScanFailed` or `Refused`. */
  const call = <T>({ method = 'GET', path, body, read, ...facts }: Call<T>, signal: AbortSignal): Promise<T> => {
    const { purpose, privilege = '' } = facts
    const request = { host: cluster.host, username, purpose, privilege, call: `${method} ${path.split('?')[0]}` }
    const exchange = async (hasAnswered: boolean): Promise<T> => {
      const context = { ...request, hasAnswered, secrets: [password] }
      const answer = await session.send({ method, path: path.slice(1), body }, { context, signal })
      const value = await valueOf(answer)
      const failure = failureIn(answer, value, context)
      if (failure) throw failure
      if (value === undefined && answer.body.length > 0) throw new SyntaxError('No JSON')
      return read ? contentOf(read, value) : (undefined as T)
    }
    return server.call(exchange, { request, service: path.split('/')[1] ?? '', signal })
  }

  const patiently = async <T>(request: Call<T>, signal: AbortSignal): Promise<T> => {
    try {
      return await whileBusy(() => call(request, signal), signal)
    } catch (error) {
      throw error instanceof StoreBusy ? new ScanFailed(error.message) : error
    }
  }

  return {
    call,
    /** Calls until the cluster is no longer busy; if it stays busy, throws `ScanFailed`. */
    patiently,
    /** Pages of a list of the platform API. Nothing may accompany its `resume`. */
    pages<T extends { resume?: string | null | undefined }, I>(
      request: Call<T>,
      { itemsOf, ...options }: PagesOptions<I> & { itemsOf: (answer: T) => I[] },
      signal: AbortSignal,
    ): AsyncGenerator<I[]> {
      const [address] = request.path.split('?')
      const read = async (path: string) => {
        const answer = await patiently({ ...request, path }, signal)
        const { resume } = answer
        return { items: itemsOf(answer), next: resume ? `${address}?resume=${encodeURIComponent(resume)}` : undefined }
      }
      return pagesFrom(request.path, read, options)
    },
    server: server.host,
    requests: server.requests,
    async close(): Promise<void> {
      await session.close()
      server.close()
    },
  }
}
export type Client = ReturnType<typeof newClient>

function openServer({ host: address, password, fingerprint }: Cluster, transport: TransportOptions) {
  const { hostname, port } = addressOf(address)
  const host = `${hostname}:${port}`
  const node = newPinnedNode(transport.resolve ?? lookup)
  return newServer<RequestFacts>({
    url: `https://${host}`,
    fingerprint,
    headers: { host, referer: `https://${host}` },
    secrets: [password],
    failureOf(error, context) {
      if (error instanceof Error && 'code' in error && unreachable.test(String(error.code))) node.forget()
      return failureOf(error, context)
    },
    final: SignInRefused,
    maxBytes,
    idleMs,
    ...transport,
    resolve: node.resolve,
  })
}

const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/
