import { IconCircleCheck, IconAlertOctagon, IconHelpCircle, type Icon } from '@tabler/icons-react'
import type { AgentInfo, AgentState } from '#events/agents.ts'
import type { Dashboard } from '#events/dashboard.ts'
import { isOpen } from '#events/jobs/events.ts'
import type { JobRows } from '#client/app/live/jobRows.ts'
import { compactCount, counted } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { useAgents, useDashboardAndJobs } from '#client/wall/useWallData.ts'
import { CountFigure, WallFigure, type WallTone, WallState } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import classes from './Boards.module.css'

const looks: Record<AgentState, { icon: Icon; tone: WallTone; word: string; order: number }> = {
  inactive: { icon: IconAlertOctagon, tone: 'critical', word: 'Inactive', order: 0 },
  unknown: { icon: IconHelpCircle, tone: 'warn', word: 'Unknown', order: 1 },
  active: { icon: IconCircleCheck, tone: 'good', word: 'Active', order: 2 },
}

const none: AgentInfo[] = []

/** Agents: disconnected ones first, with speed and waiting jobs. */
export function AgentsBoard() {
  const { data } = useAgents()
  const agents = data ?? none
  const { dashboard, jobs } = useDashboardAndJobs()
  const work = agentWork(jobs, dashboard)
  const active = agents.filter(({ isActive }) => isActive).length
  const sorted = agents.toSorted((a, b) => looks[a.state].order - looks[b.state].order || a.name.localeCompare(b.name))
  return (
    <>
      <dl className={classes.figures}>
        <WallFigure
          label="Active agents"
          value={agents.length === 0 ? '-' : `${active} / ${agents.length}`}
          note={data?.length === 0 && 'only the built-in agent'}
          {...(active < agents.length && { tone: 'critical' })}
        />
        <CountFigure label="Entries a second" of={dashboard && work.rate} />
        <CountFigure label="Jobs in the queue" of={jobs && work.queued} />
      </dl>
      <WallList title="Agents" rows={data && sorted} rowKey={({ id }) => id} empty="Only the built-in agent">
        {(agent) => <AgentLine agent={agent} rate={work.rates.get(agent.id)} queued={work.queues.get(agent.id) ?? 0} />}
      </WallList>
    </>
  )
}

function AgentLine({ agent, rate, queued }: { agent: AgentInfo; rate: number | undefined; queued: number }) {
  const { icon, tone, word } = looks[agent.state]
  const { lastActiveDate, isActive, runningTasks } = agent
  const pace = rate === undefined ? '' : `${Object.values(compactCount(rate)).join(' ')} entries/s, `
  return (
    <>
      <WallState icon={icon} tone={tone}>
        {word}
      </WallState>
      <span className={classes.name}>{agent.name}</span>
      <span className={classes.place}>
        {isActive
          ? `${pace}${counted(runningTasks, 'task')}`
          : lastActiveDate && `last active ${momentText(lastActiveDate)}`}
      </span>
      <span className={classes.detail}>{queued > 0 && `${counted(queued, 'job')} in the queue`}</span>
    </>
  )
}

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
