import { apiTokens } from '#events/users/apiTokens.ts'
import { sessionCookie } from '#events/users/session.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { createToken, revokeToken } from './apiTokens.ts'
import { listTokens } from './apiTokens.ts'

const topics = ['apiTokens'] as const

export const apiTokenRoutes = (platform: Pick<Platform, 'db' | 'live'>) => [
  route(apiTokens.list, ({ query }) => listTokens(platform.db, query)),
  route(apiTokens.create, ({ body }, by, cookies) =>
    change(platform, by, topics, (change) => createToken(change, body, cookies.get(sessionCookie))),
  ),
  route(apiTokens.remove, ({ params }, by) => change(platform, by, topics, (change) => revokeToken(change, params.id))),
]
