import { IconCircleCheck, IconAlertOctagon, IconHelpCircle, type Icon } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { compareNames } from '#events/contract/names.ts'
import { type AgentInfo, type AgentState, builtInAgent } from '#events/agents.ts'
import { type Dashboard, isRunning } from '#events/dashboard.ts'
import { isOpen } from '#events/jobs/events.ts'
import type { JobRows } from '#client/app/live/jobRows.ts'
import { live } from '#client/app/live/live.state.ts'
import { jobSubject } from '#client/parts/job-words/jobWords.ts'
import { useNow } from '#client/ui/values/clock.ts'
import { compactCount, counted } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { useAgents, useDashboardAndJobs } from '#client/wall/useWallData.ts'
import { JobCells } from './JobCells.tsx'
import { endedJobs } from './jobLines.ts'
import { CountFigure, WallFigure, type WallTone, WallState } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import classes from './Boards.module.css'

const looks: Record<AgentState, { icon: Icon; tone: WallTone; word: string; order: number }> = {
  inactive: { icon: IconAlertOctagon, tone: 'critical', word: 'Inactive', order: 0 },
  unknown: { icon: IconHelpCircle, tone: 'warn', word: 'Unknown', order: 1 },
  active: { icon: IconCircleCheck, tone: 'good', word: 'Active', order: 2 },
}

/** Rows of both lists together. With more agents, they have the board to themselves. */
const rowsWithJobs = 6

/**
 * Agents, including the built-in one: disconnected ones first, with what they do, speed and waiting jobs. The latest jobs fill the
 * room that a few agents leave.
 */
export function AgentsBoard() {
  const { data } = useAgents()
  const { dashboard, jobs } = useDashboardAndJobs()
  const now = useNow()
  const builtIn = useBuiltIn(jobs)
  const work = agentWork(jobs, dashboard)
  const agents = [builtIn, ...(data ?? [])]
  const active = agents.filter(({ state }) => state === 'active').length
  const sorted = agents.toSorted((a, b) => looks[a.state].order - looks[b.state].order || compareNames(a.name, b.name))
  return (
    <>
      <dl className={classes.figures}>
        <WallFigure
          label="Active agents"
          value={data ? `${active} / ${agents.length}` : '-'}
          note={data?.length === 0 && 'only the built-in agent'}
          {...(data && active < agents.length && { tone: 'critical' })}
        />
        <CountFigure label="Entries per second" of={dashboard && work.rate} />
        <CountFigure label="Jobs in the queue" of={jobs && work.queued} />
        <CountFigure label="Jobs done in 24 h" of={jobs && doneInADay(jobs, now)} />
      </dl>
      <div className={classes.lists}>
        <WallList title="Agents" rows={data && sorted} rowKey={({ id }) => id} empty="No agents">
          {(agent) => (
            <AgentLine
              agent={agent}
              doing={doingText(agent, jobs, dashboard)}
              rate={work.rates.get(agent.id)}
              queued={work.queues.get(agent.id) ?? 0}
            />
          )}
        </WallList>
        {data && jobs && <LatestJobs jobs={jobs} max={rowsWithJobs - agents.length} />}
      </div>
    </>
  )
}

/** Jobs that ended last, without the rest of the list. Nothing without room for two. */
function LatestJobs({ jobs, max }: { jobs: JobRows; max: number }) {
  const latest = endedJobs(jobs.values()).slice(0, Math.max(0, max))
  if (max < 2 || latest.length === 0) return null
  return (
    <WallList title="Latest jobs" rows={latest} rowKey={({ id }) => id} empty="">
      {(job) => <JobCells job={job} />}
    </WallList>
  )
}

type ShownAgent = Pick<AgentInfo, 'id' | 'name' | 'state' | 'lastActiveDate'>

/** The built-in agent, which is not in the list of agent states: it runs while the server does. */
function useBuiltIn(jobs: JobRows | undefined): ShownAgent {
  const { phase } = useSnapshot(live)
  const known = [...(jobs?.values() ?? [])].find(({ serverId }) => serverId === builtInAgent)
  const name = known?.agentName ?? 'Built-in agent'
  return { id: builtInAgent, name, state: phase === 'live' ? 'active' : 'unknown', lastActiveDate: null }
}

type LineProps = { agent: ShownAgent; doing: string; rate: number | undefined; queued: number }

function AgentLine({ agent: { state, name }, doing, rate, queued }: LineProps) {
  const { icon, tone, word } = looks[state]
  return (
    <>
      <WallState icon={icon} tone={tone}>
        {word}
      </WallState>
      <span className={classes.name}>{name}</span>
      <span className={classes.place}>{doing}</span>
      <span className={classes.detail}>
        {queued > 0
          ? `${counted(queued, 'job')} in the queue`
          : rate !== undefined && `${Object.values(compactCount(rate)).join(' ')} entries/s`}
      </span>
    </>
  )
}

/** Current work of an agent, or its last job. */
function doingText(agent: ShownAgent, jobs: JobRows | undefined, dashboard: Dashboard | undefined): string {
  const { id, state, lastActiveDate } = agent
  if (state === 'inactive') return lastActiveDate ? `last active ${momentText(lastActiveDate)}` : 'never connected'
  const own = [...(jobs?.values() ?? [])].filter(({ serverId }) => serverId === id)
  const running = own.filter(({ status }) => status === 'RUNNING')
  const scans = (dashboard?.scans ?? []).filter(
    (scan) => isRunning(scan) && running.some((job) => job.id === scan.jobId),
  )
  const [scan] = scans
  if (scan) return `Scanning ${scan.volumeName}${scans.length > 1 ? ` and ${counted(scans.length - 1, 'other')}` : ''}`
  if (running[0]) return jobSubject(running[0])
  const [last] = endedJobs(own)
  return last ? `Idle, last job ended ${momentText(last.updatedAt)}` : 'Idle'
}

const dayMs = 24 * 60 * 60_000

const doneInADay = (jobs: JobRows, now: number): number =>
  [...jobs.values()].filter(
    (job) => ['SUCCESS', 'WARNING'].includes(job.status) && now - Date.parse(job.updatedAt) < dayMs,
  ).length

/** Scan speed in entries per second and number of waiting jobs: total and per agent. */
function agentWork(jobs: JobRows | undefined, dashboard: Dashboard | undefined) {
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
