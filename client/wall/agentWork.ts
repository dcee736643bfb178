import type { Dashboard } from '#events/dashboard.ts'
import { isOpen } from '#events/jobs.ts'
import type { Jobs } from './jobsOfWall.ts'

/** How fast agents scan, in entries a second, and how many jobs wait for them: together, and by agent. */
export function agentWork(jobs: Jobs | undefined, dashboard: Dashboard | undefined) {
  const rates = new Map<number, number>()
  const queues = new Map<number, number>()
  const running = (dashboard?.scans ?? []).filter(({ state }) => state === 'running')
  for (const { jobId, progress } of running) add(rates, jobs?.get(jobId)?.serverId, progress?.rate ?? 0)
  const waiting = [...(jobs?.values() ?? [])].filter((job) => isOpen(job) && job.status !== 'RUNNING')
  for (const { serverId } of waiting) add(queues, serverId, 1)
  return { rates, queues, rate: sum(rates), queued: sum(queues) }
}

function add(to: Map<number, number>, agent: number | undefined, count: number) {
  if (agent !== undefined) to.set(agent, (to.get(agent) ?? 0) + count)
}

const sum = (of: ReadonlyMap<number, number>): number => [...of.values()].reduce((total, one) => total + one, 0)
