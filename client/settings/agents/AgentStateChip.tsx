import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck, IconServer } from '@tabler/icons-react'
import { type AgentInfo, type AgentState, builtInAgent } from '#events/agents.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { countText } from '#client/ui/text/count.ts'
import { agoText, momentText } from '#client/ui/text/moment.ts'

/** Icon and word of each state. */
export const agentStates = {
  active: { icon: IconCircleCheck, tone: 'good', word: 'Active' },
  inactive: { icon: IconAlertOctagon, tone: 'critical', word: 'Inactive' },
  unknown: { icon: IconAlertTriangle, tone: 'warn', word: 'Unknown' },
} as const satisfies Record<AgentState, unknown>

/** State and version of an agent; warns if a second machine was rejected. Details are in the tooltip. */
export function AgentStateChip({ id, info }: { id: number; info: AgentInfo | undefined }) {
  if (id === builtInAgent)
    return (
      <Chip icon={IconServer} title="The server starts this agent itself">
        Built in
      </Chip>
    )
  if (!info) return null
  const { icon, tone, word } = agentStates[info.state]
  const parts = [word, info.version, info.runningTasks > 0 && tasksText(info.runningTasks)]
  return (
    <>
      <Chip icon={icon} tone={tone} title={lastHeard(info)}>
        {parts.filter(Boolean).join(' · ')}
      </Chip>
      {info.refused && <RefusedChip {...info} refused={info.refused} />}
    </>
  )
}

function RefusedChip({
  machine,
  refused,
}: Pick<AgentInfo, 'machine'> & { refused: NonNullable<AgentInfo['refused']> }) {
  const title = refused.isOutdated
    ? `The agent on ${refused.machine} is too old and gets no tasks. Update it to the version of this server.`
    : `${machine ?? 'Another machine'} uses the key of this agent. ${refused.machine} also uses it and gets no tasks.`
  return (
    <Chip icon={IconAlertTriangle} tone="warn" title={title}>
      {refused.isOutdated ? 'Too old' : 'Second machine refused'}
    </Chip>
  )
}

const tasksText = (count: number): string => `${countText(count)} ${count === 1 ? 'task' : 'tasks'}`

function lastHeard({ state, lastActiveDate }: AgentInfo): string {
  if (!lastActiveDate) return 'Never connected. Start it on its machine.'
  if (state === 'active') return 'Connected in the last 15 seconds'
  return `Last active ${momentText(lastActiveDate)}, ${agoText(lastActiveDate)}`
}
