import { growingNow } from '#events/feeds/growingNow.ts'
import { route } from '#server/platform/http/route.ts'
import type { Stores } from '#server/platform/platform.ts'
import { listGrowingNow } from './growingNow.ts'

export const feedRoutes = (stores: Stores) => [
  route(growingNow, ({ query }, { scope }) => listGrowingNow(stores, scope, query)),
]
