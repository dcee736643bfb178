import { useEffect } from 'react'
import { agentInfos } from '#events/agents.ts'
import { dashboard } from '#events/dashboard.ts'
import { jobs } from '#events/job-calls.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { wallGrowth } from '#events/wall.ts'
import { useTopic } from '../app/live/useTopic.ts'
import { live } from '../app/live/live.state.ts'
import { useRemote } from '../app/remote.ts'
import { foldDashboard, foldJobs, noteDashboard, noteJobs, wall } from './wall.state.ts'

/** What runs and what failed lately changed lately. */
const lately = { page: 1, size: 300, sort: 'updatedAt', direction: 'desc' } as const

/** Keeps what the wall needs whichever board it shows: pushed, and read anew where a push may have been missed. */
export function useWallData(): void {
  useTopic('dashboard', foldDashboard)
  useTopic('jobs', foldJobs)
  const { data: read } = useRemote(dashboard, {})
  useEffect(() => {
    if (read && (!live.isOpen || !wall.dashboard)) noteDashboard(read)
  }, [read])
  const { data: page } = useRemote(jobs.list, { query: lately }, 'jobs')
  useEffect(() => {
    if (page) noteJobs(page.elements)
  }, [page])
}

export const useGrowth = () => useRemote(wallGrowth, { query: { days: 30 } }, 'snapshots', 'dashboard')
/** All of them, since the board says how many it does not show. */
export const useMostActive = () =>
  useRemote(mostActiveVolumes, { query: { duration: 30, size: 1_000 } }, 'snapshots', 'dashboard')
export const useAgents = () => useRemote(agentInfos, {}, 'agents', 'jobs')
