import { dashboard } from '#events/dashboard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { readDashboard } from './readDashboard.ts'

export const dashboardRoutes = ({ db }: Platform) => [
  route(dashboard, ({ query }) => readDashboard(db, query.indexingDate)),
]
