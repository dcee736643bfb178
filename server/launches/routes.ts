import { scanArchiwares, scanBuckets, scanPowerScales } from '#events/scans/calls.ts'
import type { Platform } from '#server/platform/platform.ts'
import { route } from '#server/platform/http/route.ts'
import { launch } from './launch.ts'

export const launchRoutes = (platform: Platform) => [
  route(scanBuckets, async ({ body: bucketsId, query }, by) => ({
    jobId: await launch(platform, 'SCAN_CLOUD', { bucketsId, ...query }, by),
  })),
  route(scanArchiwares, async ({ body: archiwareIds, query }, by) => ({
    jobId: await launch(platform, 'SCAN_ARCHIWARE', { archiwareIds, ...query }, by),
  })),
  route(scanPowerScales, async ({ body: dellPowerScaleIds, query }, by) => ({
    jobId: await launch(platform, 'SCAN_DELL_POWER_SCALE', { dellPowerScaleIds, ...query }, by),
  })),
]
