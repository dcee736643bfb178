import type { Answer } from '#agent/simulator/answers.ts'
import type { SimulatedRequest } from '#agent/simulator/simulate.ts'
import { ApiError, emptyAnswer } from './answers.ts'
import { type Route, routes } from './calls/routes.ts'
import type { Iconik, Token } from './contents/iconik.ts'

export const basePath = '/API'

/** Name of a call in faults and records. Unknown calls have their method and path. */
export const nameOf = ({ method, path }: Pick<SimulatedRequest, 'method' | 'path'>): string =>
  routes.find(method, path)?.route.name ?? `${method} ${path}`

/** Answers a call. A path without its last slash is redirected. */
export async function answerCall(iconik: Iconik, request: SimulatedRequest): Promise<Answer> {
  try {
    return await handled(iconik, request)
  } catch (error) {
    if (error instanceof ApiError) return error.answer(iconik.behavior)
    throw error
  }
}

async function handled(iconik: Iconik, { method, path, query, headers, body }: SimulatedRequest): Promise<Answer> {
  if (!path.endsWith('/') && routes.hasPath(`${path}/`))
    return emptyAnswer(301, { location: `${basePath}/${path}/${query.size === 0 ? '' : `?${query}`}` })
  const token = tokenOf(iconik, headers)
  const found = routes.find(method, path)
  if (!found)
    throw routes.hasPath(path) ? new ApiError(405, `${method} is not allowed`) : new ApiError(404, 'Not found')
  requireRole(token, found.name, found.route)
  const contentType = headers['content-type'] ?? ''
  return found.route.handle(iconik, { path, params: found.params, query, contentType, body, token })
}

function tokenOf({ tokens, clock }: Iconik, headers: SimulatedRequest['headers']): Token {
  const token = tokens.get(String(headers['auth-token']))
  const isValid = token && token.appId === headers['app-id'] && !token.isRevoked && token.expiresAt > clock.now()
  if (!isValid) throw new ApiError(401, 'Invalid or expired token')
  return token
}

function requireRole({ roles }: Token, call: string, { role }: Route): void {
  if (role === undefined || roles.has(role)) return
  throw new ApiError(403, `The role ${role} is required for ${call}`)
}
