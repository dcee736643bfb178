import type { z } from 'zod'
import type { SodaConnection } from '#events/actions/transfers.ts'
import type { TransportOptions } from '../../http/transport.ts'
import { TokenEnded, TransferAway } from '../failures.ts'
import type { Timing } from '../timing.ts'
import { newExchange } from './exchange.ts'
import { newTokens } from './tokens.ts'

/** Requests for one call that reads, while the service fails. */
const maxTries = 3

export type CallOptions<T> = {
  read: z.ZodType<T>
  /** The call in words that follow 'to'. */
  task: string
  signal: AbortSignal
  query?: Record<string, string>
  body?: object
  headers?: Record<string, string>
}

export type Client = ReturnType<typeof newClient>

/**
 * Calls a transfer service, signed in as a client. Only GET is repeated: another call may have done its work before its answer was lost.
 * Throws `TransferFailed` for a URL without a server.
 */
export function newClient(connection: SodaConnection, timing: Timing, options: TransportOptions = {}) {
  const { host, exchange, close } = newExchange(connection, options)
  const tokens = newTokens(connection, exchange, timing.now)

  async function callOnce<T>(method: 'GET' | 'POST', path: string, options: CallOptions<T>): Promise<T> {
    const { query = {}, body, headers = {}, ...others } = options
    const token = await tokens.get(options.signal)
    const search = new URLSearchParams(query).toString()
    try {
      return await exchange({
        method,
        path: search === '' ? path : `${path}?${search}`,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body && JSON.stringify(body),
        secrets: [connection.clientSecret, token],
        ...others,
      })
    } catch (error) {
      if (error instanceof TokenEnded) tokens.drop(token)
      throw error
    }
  }

  return {
    host,
    async call<T>(method: 'GET' | 'POST', path: string, options: CallOptions<T>): Promise<T> {
      let hasRenewed = false
      for (let tries = 1; ; tries++) {
        try {
          return await callOnce(method, path, options)
        } catch (error) {
          const isOver = method !== 'GET' || tries === maxTries || !(error instanceof TransferAway)
          if (isOver || (error instanceof TokenEnded && hasRenewed)) throw error
          if (error instanceof TokenEnded) hasRenewed = true
          else await timing.wait(error.retryAfterMs ?? timing.retryDelayMs, options.signal)
        }
      }
    },
    close,
  }
}
