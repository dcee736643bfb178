import { confirmClock, healthProblems } from '#events/health.ts'
import { streamNames } from '#events/streams.ts'
import { trustClock } from '#server/platform/clock.ts'
import { change } from '#server/platform/log/change.ts'
import type { Actor } from '#server/platform/log/eventLog.ts'
import { route } from '#server/platform/http/route.ts'
import type { Platform } from '#server/platform/platform.ts'
import { readProblems, watchHealth } from './watchHealth.ts'

export const healthRoutes = (platform: Platform) => [
  route(healthProblems, () => readProblems(platform.db)),
  route(confirmClock, (_, by) => confirm(platform, by)),
]

/** Trusts the current clock, and checks at once which problems are left. */
async function confirm(platform: Platform, by: Actor): Promise<void> {
  await change(platform, by, ['health'], async ({ trx, recordFact }) => {
    await trustClock(trx)
    await recordFact(streamNames.api, { type: 'ClockConfirmed' })
  })
  await watchHealth(platform)
}
