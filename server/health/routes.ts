import { healthProblems } from '#events/health.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readProblems } from './watchHealth.ts'

export const healthRoutes = ({ db }: Platform) => [route(healthProblems, () => readProblems(db))]
