import { apiTokens } from '#events/api-tokens.ts'
import { wakeFollowers } from '#server/platform/follow.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { createToken, revokeToken } from './changeTokens.ts'
import { listTokens } from './listTokens.ts'

export const apiTokenRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>) => {
  const tell = <Result>(result: Result): Result => {
    wakeFollowers()
    live({ type: 'changed', topics: ['apiTokens'] })
    return result
  }
  return [
    route(apiTokens.list, ({ query }) => listTokens(db, query)),
    route(apiTokens.create, ({ body }, by) => createToken(db, body, by).then(tell)),
    route(apiTokens.remove, ({ params }, by) => revokeToken(db, params.id, by).then(tell)),
  ]
}
