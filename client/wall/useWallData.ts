import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { agentInfos } from '#events/agents.ts'
import { dashboard, type Dashboard, type StorageSize } from '#events/dashboard.ts'
import { growingNow } from '#events/feeds/growingNow.ts'
import { jobs } from '#events/jobs/calls.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { wallFiring, wallFolders, wallGrowth, wallOptions } from '#events/wall.ts'
import { useLiveDashboard } from '#client/app/live/dashboard.state.ts'
import type { JobRows } from '#client/app/live/jobRows.ts'
import { liveJobs, noteJobs, subscribeToJobs } from '#client/app/live/jobs.state.ts'
import { useRemote } from '#client/app/remote.ts'
import { session } from '#client/app/session.state.ts'
import { wall } from './wall.state.ts'

/** Running and recently failed jobs have usually changed recently. */
const lately = { page: 1, size: 300, sort: 'updatedAt', direction: 'desc' } as const

/** Keeps the data of all boards up to date: pushed, and fetched again when a push may have been missed. */
export function useWallData(): void {
  const { data: newest } = useLiveDashboard()
  useEffect(() => {
    if (newest) wall.access = 'open'
  }, [newest])
  useEffect(subscribeToJobs, [])
  const { data: page } = useRemote(jobs.list, { query: lately }, 'jobs')
  useEffect(() => {
    if (!page) return
    noteJobs(page.elements)
    wall.hasJobs = true
  }, [page])
}

/** Current dashboard and jobs; undefined while loading. Its storages have their newest known state, between scans, too. */
export function useDashboardAndJobs(): { dashboard: Dashboard | undefined; jobs: JobRows | undefined } {
  const { data: newest } = useLiveDashboard()
  const { data: now } = useRemote(dashboard, { query: { live: 'true' } }, 'dashboard')
  const { rows } = useSnapshot(liveJobs) as typeof liveJobs
  const { hasJobs } = useSnapshot(wall)
  const storages = newest?.storages.map((storage) => now?.storages.find(isNewerThan(storage)) ?? storage)
  return { dashboard: newest && storages && { ...newest, storages }, jobs: hasJobs ? rows : undefined }
}

const isNewerThan =
  ({ volumeId }: StorageSize) =>
  (storage: StorageSize) =>
    storage.volumeId === volumeId && storage.asOf !== undefined

export const useGrowth = () => useRemote(wallGrowth, { query: { days: 30 } }, 'snapshots', 'dashboard')
/** Folders that grow at present. */
export const useGrowingNow = () => useRemote(growingNow, { query: { minutes: 5, size: 100 } }, 'live', 'snapshots')
/** Fetches all, since the board counts the rows that it doesn't show. */
export const useMostActive = () =>
  useRemote(mostActiveVolumes, { query: { duration: 30, size: 1_000 } }, 'snapshots', 'dashboard')
export const useActiveProjects = () =>
  useRemote(mostActiveProjects, { query: { duration: 30, size: 100 } }, 'snapshots', 'projects')
export const useAgents = () => useRemote(agentInfos, {}, 'agents', 'jobs')
/** Largest folders of all storages, for the map. */
export const useFolders = () => useRemote(wallFolders, {}, 'snapshots', 'dashboard')
/** Options of this display, followed when an administrator changes them. The page loads again to see something else. */
export function useOptions() {
  const options = useRemote(wallOptions, {}, 'wallTokens', 'limits')
  const { data } = options
  const before = useRef<string>(undefined)
  useEffect(() => {
    if (!data) return
    const seen = data.limits?.version ?? 'everything'
    if (before.current !== undefined && before.current !== seen) location.reload()
    before.current = seen
    session.wall = data.limits
  }, [data])
  return options
}
/** Number of firing alerts of all users. */
export const useFiringCount = () => useRemote(wallFiring, {}, 'schedules')
export const useReportChecks = () => useRemote(reportChecks, {}, 'reports')
