import type { Answer, Endpoint, Input } from '#events/contract/endpoint.ts'
import type { Role } from '#events/contract/needs.ts'
import type { Download } from './download.ts'

/**
 * Who calls. Nobody signed in has the id 0 and no roles; only calls that need `nothing` see that. `userAgent` is what the
 * browser or the script says it is. `mustChangePassword`: a browser that came with a one-time password. `gone` is aborted when the caller goes away before the answer is whole: questions on
 * their behalf may end.
 */
export type Caller = {
  id: number
  name: string
  roles: Role[]
  address: string
  userAgent: string | null
  mustChangePassword: boolean
  /** The API token that the call carries; null for browsers. */
  tokenId: number | null
  gone: AbortSignal
}

/** The cookies of a call, for the few handlers that deal in them; what they set no script can read. */
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
) => Promise<Given<E>> | Given<E>

type Given<E extends Endpoint> = E extends { download: string } ? Download : Answer<E>

/** A call with what answers it. */
export type Route = { endpoint: Endpoint; handle: (input: never, caller: Caller, cookies: Cookies) => unknown }

/** Binds a handler to a declared call; parsing, permission, status and errors are not the handler's business. */
export const route = <E extends Endpoint>(endpoint: E, handle: Handle<E>): Route => ({ endpoint, handle })
