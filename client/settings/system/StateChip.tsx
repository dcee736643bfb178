import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import type { AgentState } from '#events/agents.ts'
import { Chip } from '#client/ui/values/Chip.tsx'

const states = {
  active: { icon: IconCircleCheck, tone: 'good', word: 'Active' },
  inactive: { icon: IconAlertOctagon, tone: 'critical', word: 'Inactive' },
  unknown: { icon: IconAlertTriangle, tone: 'warn', word: 'Unknown' },
} as const satisfies Record<AgentState, unknown>

/** State of an agent or of the API. */
export function StateChip({ state, title }: { state: AgentState; title?: string }) {
  const { icon, tone, word } = states[state]
  return (
    <Chip icon={icon} tone={tone} {...(title !== undefined && { title })}>
      {word}
    </Chip>
  )
}
