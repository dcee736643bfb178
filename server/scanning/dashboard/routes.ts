import { dashboard, storageTrends } from '#events/dashboard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { readDashboard } from './readDashboard.ts'
import { readTrends } from './readTrends.ts'

export const dashboardRoutes = ({ db }: Platform) => [
  route(dashboard, ({ query }) => readDashboard(db, query.indexingDate)),
  route(storageTrends, ({ query }) => readTrends(db, query)),
]
