import type { Answer } from '#agent/actions/simulator/faults.ts'
import { emptyAnswer, Refused } from './answers.ts'
import { isKnownPath, type Route, routeOf } from './calls/routes.ts'
import type { Iconik, Token } from './contents/iconik.ts'

export const basePath = '/API/'

/** A request of the API, with its whole body. */
export type ApiRequest = {
  method: string
  url: string
  header: (name: string) => string | undefined
  body: string
}

/** Name of a call in faults and records. Unknown calls have their method and path. */
export function nameOf(method: string, url: string): string {
  const { path } = splitUrl(url)
  return routeOf(method, path)?.route.name ?? `${method} ${path}`
}

/** Answers a call. A path without its last slash is redirected. */
export async function answerCall(iconik: Iconik, request: ApiRequest): Promise<Answer> {
  const { method, url, header, body } = request
  const { path, query } = splitUrl(url)
  try {
    if (!path.endsWith('/') && isKnownPath(`${path}/`))
      return emptyAnswer(301, { location: `${basePath}${path}/${query === '' ? '' : `?${query}`}` })
    const token = tokenOf(iconik, request)
    const found = routeOf(method, path)
    if (!found) throw isKnownPath(path) ? new Refused(405, `${method} is not allowed`) : new Refused(404, 'Not found')
    requireRole(token, found.route)
    const contentType = header('content-type') ?? ''
    const call = { path, params: found.params, query: new URLSearchParams(query), contentType, body, token }
    return await found.route.handler(iconik, call)
  } catch (error) {
    if (error instanceof Refused) return error.answer(iconik.behavior)
    throw error
  }
}

function splitUrl(url: string): { path: string; query: string } {
  const [path = '', query = ''] = url.split(/\?(.*)/s)
  return { path: path.startsWith(basePath) ? path.slice(basePath.length) : path, query }
}

function tokenOf({ tokens, clock }: Iconik, { header }: ApiRequest): Token {
  const token = tokens.get(header('auth-token') ?? '')
  const isValid = token && token.appId === header('app-id') && !token.isRevoked && token.expiresAt > clock.now()
  if (!isValid) throw new Refused(401, 'Invalid or expired token')
  return token
}

function requireRole({ roles }: Token, { role, method, path }: Route): void {
  if (role === undefined || roles.has(role)) return
  throw new Refused(403, `The role ${role} is required for ${method} ${path}`)
}
