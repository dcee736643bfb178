import type { Answer, Endpoint, Input } from '#events/endpoint.ts'
import type { Role } from '#events/needs.ts'

/** Who calls. Nobody signed in has the id 0 and no roles; only calls that need `nothing` see that. */
export type Caller = { id: number; name: string; roles: Role[]; address: string }

/** What the few handlers that deal in cookies may touch of HTTP itself. */
export type Cookies = {
  get: (name: string) => string | undefined
  /** `life` in milliseconds; 0 removes it, without it the cookie ends with the browser. */
  set: (name: string, value: string, options: { httpOnly: boolean; life?: number }) => void
}

export type Handle<E extends Endpoint> = (
  input: Input<E>,
  caller: Caller,
  cookies: Cookies,
) => Promise<Answer<E>> | Answer<E>

/** A call with what answers it. */
export type Route = { endpoint: Endpoint; handle: (input: never, caller: Caller, cookies: Cookies) => unknown }

/** Binds a handler to a declared call; parsing, permission, status and errors are not the handler's business. */
export const route = <E extends Endpoint>(endpoint: E, handle: Handle<E>): Route => ({ endpoint, handle })
