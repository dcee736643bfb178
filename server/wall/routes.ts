import { wallCookie, wallGrowth, wallSignIn, wallTokens } from '#events/wall.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/route.ts'
import { createToken, endToken } from './changeTokens.ts'
import { listTokens } from './listTokens.ts'
import { readGrowth } from './readGrowth.ts'
import { signInWall } from './signInWall.ts'

export const wallRoutes = ({ db, live }: Pick<Platform, 'db' | 'live'>) => {
  const tell = <Result>(result: Result): Result => {
    live({ type: 'changed', topics: ['wallTokens'] })
    return result
  }
  return [
    route(wallTokens.list, ({ query }) => listTokens(db, query)),
    route(wallTokens.create, ({ body }, by) => createToken(db, body, by).then(tell)),
    route(wallTokens.remove, ({ params }, by) => endToken(db, params.id, by).then(tell)),
    route(wallSignIn, async ({ body }, { address }, cookies) => {
      const { sessionId, name } = await signInWall(db, body.token, address, cookies.get(wallCookie))
      cookies.set(wallCookie, sessionId)
      return tell({ name })
    }),
    route(wallGrowth, ({ query }) => readGrowth(db, query.days)),
  ]
}
