import { lookup } from 'node:dns'
import type { z } from 'zod'
import { newTransport, type TransportOptions } from '../http/transport.ts'
import { ScanFailed, StoreBusy } from '../system.ts'
import { whileBusy } from '../whileBusy.ts'
import { type AskedCluster, failureIn, failureOf } from './failures.ts'
import { newLimiter } from './limiter.ts'
import { addressOf, newPinnedNode } from './node.ts'
import { newSession, type SignIn, valueOf } from './session.ts'

/** A call of the API. `purpose` follows 'to' in sentences about its failure. */
export type Call<T = unknown> = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Percent-encoded, with its arguments. */
  path: string
  body?: unknown
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
  threads: number
}

/** Bytes of an answer: 1,000 entries with names of 255 bytes take less than 1 MB. */
const maxBytes = 32 * 1024 * 1024
const idleMs = 60_000

/** Calls a cluster in one session. Throws `ScanFailed` for an invalid host. */
export function newClient(cluster: Cluster, options: TransportOptions = {}) {
  const { hostname, port } = addressOf(cluster.host)
  const node = newPinnedNode(options.resolve ?? lookup)
  const certificate = { fingerprint: cluster.fingerprint, ...options.certificate }
  const transport = newTransport({ maxBytes, idleMs, ...options, resolve: node.resolve, certificate })
  const signIn: SignIn = { hostname, port, username: cluster.username, password: cluster.password }
  const session = newSession(signIn, transport)
  const limiter = newLimiter(cluster.threads)
  const answered = new Set<string>()

  const once = async <T>(call: Call<T>, signal: AbortSignal): Promise<T> => {
    const { method = 'GET', path, body, read } = call
    const asked = askedOf(cluster, call, answered.has(serviceOf(path)))
    try {
      const request = { method, path, body: body === undefined ? undefined : JSON.stringify(body) }
      const answer = await session.send(request, asked, signal)
      const value = valueOf(answer)
      const failure = failureIn(answer, value, asked)
      if (failure) throw failure
      if (value === undefined && answer.body.length > 0) throw new SyntaxError('No JSON')
      answered.add(serviceOf(path))
      return read ? read.parse(value) : (undefined as T)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Error && 'code' in error && unreachable.test(String(error.code))) node.forget()
      throw isKnown(error) ? error : failureOf(error, asked)
    }
  }

  /** Calls once. Throws `StoreBusy` where the same call may succeed later, else `ScanFailed` or `Refused`. */
  const call = <T>(call: Call<T>, signal: AbortSignal): Promise<T> => limiter.run(() => once(call, signal))

  return {
    call,
    /** Calls until the cluster is no longer busy; if it stays busy, throws `ScanFailed`. */
    async patiently<T>(request: Call<T>, signal: AbortSignal): Promise<T> {
      try {
        return await whileBusy(() => call(request, signal), signal)
      } catch (error) {
        throw error instanceof StoreBusy ? new ScanFailed(error.message) : error
      }
    },
    requests: transport.requests,
    async close(): Promise<void> {
      await session.close()
      transport.destroy()
    },
  }
}
export type Client = ReturnType<typeof newClient>

function askedOf(
  { host, username, password }: Cluster,
  { method = 'GET', path, purpose, privilege = '' }: Omit<Call, 'read'>,
  hasAnswered: boolean,
): AskedCluster {
  const call = `${method} ${path.split('?')[0]}`
  return { host, username, purpose, privilege, call, hasAnswered, secrets: [password] }
}

const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/
const isKnown = (error: unknown): boolean => error instanceof ScanFailed || error instanceof StoreBusy
const serviceOf = (path: string): string => path.split('/')[1] ?? ''
