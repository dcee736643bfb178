import type { Platform } from '#server/platform/platform.ts'
import { type Running, runEvery } from '#server/platform/runEvery.ts'
import { listAgentInfos } from './agentInfos.ts'

/** Milliseconds between checks. */
const intervalMs = 1_000
const quietMs = 5_000

/** Notifies browsers when an agent becomes active or silent, changes its version, or works on more or fewer tasks. */
export function startAgentWatch({ db, live, log }: Pick<Platform, 'db' | 'live' | 'log'>): Running {
  let seen: string | undefined
  const look = async () => {
    const infos = await listAgentInfos(db, new Date())
    const now = JSON.stringify(infos.map(({ lastActiveDate: _, lastCheckedDate: __, ...shown }) => shown))
    if (seen !== undefined && seen !== now) live({ type: 'changed', topics: ['agents'] })
    seen = now
  }
  return runEvery(intervalMs, look, 'could not read the states of agents', log, quietMs)
}
