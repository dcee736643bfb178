import { lookup } from 'node:dns'
import type { z } from 'zod'
import { contentOf } from '../http/answer.ts'
import { newCalls } from '../http/calls.ts'
import type { TransportOptions } from '../http/transport.ts'
import { ScanFailed, StoreBusy } from '../system.ts'
import { whileBusy } from '../whileBusy.ts'
import { failureIn, failureOf, type RequestContext } from './failures.ts'
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
}

/** Bytes of an answer: 1,000 entries with names of 255 bytes take less than 1 MB. */
const maxBytes = 16 * 1024 * 1024
const idleMs = 60_000

/** Calls a cluster in one session. Throws `ScanFailed` for an invalid host. */
export function newClient(cluster: Cluster, options: TransportOptions = {}) {
  const { hostname, port } = addressOf(cluster.host)
  const node = newPinnedNode(options.resolve ?? lookup)
  const { fingerprint } = cluster
  const { transport, call: callServer } = newCalls({ maxBytes, idleMs, ...options, resolve: node.resolve, fingerprint })
  const signIn: SignIn = { hostname, port, username: cluster.username, password: cluster.password }
  const session = newSession(signIn, transport)

  /** Calls once. Throws `StoreBusy` where the same call may succeed later, else `ScanFailed` or `Refused`. */
  const call = <T>(call: Call<T>, signal: AbortSignal): Promise<T> => {
    const { method = 'GET', path, body, read } = call
    const contextOf = (hasAnswered: boolean) => newContext(cluster, call, hasAnswered)
    const send = async (hasAnswered: boolean): Promise<T> => {
      const request = { method, path, body: body === undefined ? undefined : JSON.stringify(body) }
      const context = contextOf(hasAnswered)
      const answer = await session.send(request, context, signal)
      const value = await valueOf(answer)
      const failure = failureIn(answer, value, context)
      if (failure) throw failure
      if (value === undefined && answer.body.length > 0) throw new SyntaxError('No JSON')
      return read ? contentOf(read, value) : (undefined as T)
    }
    const failed = (error: unknown, hasAnswered: boolean): Error => {
      if (error instanceof Error && 'code' in error && unreachable.test(String(error.code))) node.forget()
      return isKnown(error) ? error : failureOf(error, contextOf(hasAnswered))
    }
    return callServer(send, { service: serviceOf(path), signal, failureOf: failed })
  }

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
    server: hostname,
    requests: transport.requests,
    async close(): Promise<void> {
      await session.close()
      transport.destroy()
    },
  }
}
export type Client = ReturnType<typeof newClient>

function newContext(
  { host, username, password }: Cluster,
  { method = 'GET', path, purpose, privilege = '' }: Omit<Call, 'read'>,
  hasAnswered: boolean,
): RequestContext {
  const call = `${method} ${path.split('?')[0]}`
  return { host, username, purpose, privilege, call, hasAnswered, secrets: [password] }
}

const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/
const isKnown = (error: unknown): error is ScanFailed | StoreBusy =>
  error instanceof ScanFailed || error instanceof StoreBusy
const serviceOf = (path: string): string => path.split('/')[1] ?? ''
