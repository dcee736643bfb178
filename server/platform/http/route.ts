import type { Readable } from 'node:stream'
import type { Answer, Endpoint, Input } from '#events/contract/endpoint.ts'
import type { Role } from '#events/contract/needs.ts'
import type { Scope } from '#server/platform/callers/scope.ts'
import type { Download } from './download.ts'
import type { Duty } from '#server/platform/callers/session.ts'

/**
 * The caller. Without a sign-in the id is 0 and there are no roles; only calls that need `nothing` see that.
 * `userAgent` is sent by the browser or script. `mustFirst`: a browser's user who may do nothing
 * else before. `signal` is aborted when the caller disconnects before the response is complete, so queries can end.
 */
export type Caller = {
  id: number
  name: string
  roles: Role[]
  address: string
  userAgent: string | null
  mustFirst: Duty | null
  /** The user proved who they are within the last `confirmedMinutes`. */
  isConfirmed: boolean
  /** The API token of the call; null for browsers. */
  tokenId: number | null
  /** Part of the data that the caller sees. */
  scope: Scope
  /** Name of the administrator who sees the product as this user; null otherwise. */
  viewedBy: string | null
  signal: AbortSignal
  /** The body of a call with `isUpload`. */
  upload?: Readable
}

/** The cookies of a call, for the few handlers that use them. Scripts can't read the ones they set. */
export type Cookies = {
  get: (name: string) => string | undefined
  /** Until the browser is closed, or for `maxAgeMs`. */
  set: (name: string, value: string, maxAgeMs?: number) => void
  remove: (name: string) => void
}

export type Handle<E extends Endpoint> = (
  input: Input<E>,
  caller: Caller,
  cookies: Cookies,
) => Promise<HandlerResult<E>> | HandlerResult<E>

type HandlerResult<E extends Endpoint> = E extends { download: string } ? Download : Answer<E>

/** A call and its handler. */
export type Route = { endpoint: Endpoint; handle: (input: never, caller: Caller, cookies: Cookies) => unknown }

/** Binds a handler to a declared call. Parsing, permissions, status codes and errors are handled elsewhere. */
export const route = <E extends Endpoint>(endpoint: E, handle: Handle<E>): Route => ({ endpoint, handle })
