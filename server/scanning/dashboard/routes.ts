import { dashboard } from '#events/dashboard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { readLimitedDashboard } from './readDashboard.ts'

export const dashboardRoutes = (stores: Platform) => [
  route(dashboard, ({ query }, { scope }) => readLimitedDashboard(stores, scope, query.indexingDate)),
]
