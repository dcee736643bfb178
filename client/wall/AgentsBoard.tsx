import { IconCircleCheck, IconAlertOctagon, IconHelpCircle, type Icon } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import type { AgentInfo, AgentState } from '#events/agents.ts'
import { compactCount, counted } from '../ui/text/count.ts'
import { momentText } from '../ui/text/moment.ts'
import { agentWork } from './agentWork.ts'
import { useAgents } from './useWallData.ts'
import { CountFigure, WallFigure, type WallTone } from './WallFigure.tsx'
import { WallList } from './WallList.tsx'
import { WallState } from './WallState.tsx'
import { wall } from './wall.state.ts'
import classes from './Boards.module.css'

const looks: Record<AgentState, { icon: Icon; tone: WallTone; word: string; order: number }> = {
  inactive: { icon: IconAlertOctagon, tone: 'critical', word: 'Inactive', order: 0 },
  unknown: { icon: IconHelpCircle, tone: 'warn', word: 'Unknown', order: 1 },
  active: { icon: IconCircleCheck, tone: 'good', word: 'Active', order: 2 },
}

const none: AgentInfo[] = []

/** Who scans: what is silent first, how fast they are together, and what waits for them. */
export function AgentsBoard() {
  const { data } = useAgents()
  const agents = data ?? none
  const { dashboard, jobs } = useSnapshot(wall) as typeof wall
  const work = agentWork(jobs, dashboard)
  const active = agents.filter(({ isActive }) => isActive).length
  const sorted = agents.toSorted((a, b) => looks[a.state].order - looks[b.state].order || a.name.localeCompare(b.name))
  return (
    <>
      <dl className={classes.figures}>
        <WallFigure
          label="Active agents"
          value={agents.length === 0 ? '-' : `${active} / ${agents.length}`}
          note={data?.length === 0 && 'the built-in one works alone'}
          {...(active < agents.length && { tone: 'critical' })}
        />
        <CountFigure label="Entries a second" of={dashboard && work.rate} />
        <CountFigure label="Jobs in the queue" of={jobs && work.queued} />
      </dl>
      <WallList title="Agents" rows={data && sorted} rowKey={({ id }) => id} empty="No agents beside the built-in one">
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
