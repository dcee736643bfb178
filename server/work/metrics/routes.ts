import { metricFolders } from '#events/overview/metrics.ts'
import { route } from '#server/platform/http/route.ts'
import { change } from '#server/platform/log/change.ts'
import type { Platform } from '#server/platform/platform.ts'
import { chooseFolders, openFolders } from './folders.ts'

export const metricRoutes = (platform: Platform) => [
  route(metricFolders.list, openFolders(platform)),
  route(metricFolders.choose, ({ body }, by) =>
    change(platform, by, ['metrics'], (change) => chooseFolders(change, body)),
  ),
]
