import type { AgentInfo } from '#events/agents.ts'
import type { Dashboard } from '#events/dashboard.ts'
import type { GrowingNow } from '#events/feeds/growingNow.ts'
import type { CheckedReport } from '#events/reports/runs.ts'
import type { GrowthPoint, WallBoard } from '#events/wall.ts'
import type { JobRows } from '#client/app/live/jobRows.ts'
import { jobLines } from './boards/jobLines.ts'
import { storedIn } from './boards/storageTiles.ts'

/** Data of all boards; undefined while loading. */
type WallData = {
  dashboard: Dashboard | undefined
  jobs: JobRows | undefined
  checks: readonly CheckedReport[] | undefined
  growth: readonly GrowthPoint[] | undefined
  growing: readonly GrowingNow[] | undefined
  agents: readonly AgentInfo[] | undefined
}

/** Boards that have nothing to show at a point in time. Boards whose data is loading are not empty. */
export function emptyBoards(
  { dashboard, jobs, checks, growth, growing, agents }: WallData,
  now: number,
): ReadonlySet<WallBoard> {
  const work = jobs && jobLines(jobs, dashboard, now)
  const isWorking = !work || work.running + work.waiting > 0
  const hasFailedChecks = !checks || checks.some(({ state }) => state === 'FAILED')
  const isEmpty: Record<WallBoard, boolean> = {
    capacity: dashboard?.storages.length === 0,
    jobs: work?.lines.length === 0 && !hasFailedChecks,
    growth: growth !== undefined && growth.length < 2,
    now: growing?.length === 0,
    map: dashboard !== undefined && !dashboard.storages.some((storage) => storedIn([storage]) > 0),
    // The built-in agent alone is of interest only while it works.
    agents: agents?.length === 0 && !isWorking,
  }
  return new Set((Object.keys(isEmpty) as WallBoard[]).filter((board) => isEmpty[board]))
}
