import type { AgentState } from '#events/agents.ts'
import { agentStates } from '#client/settings/agents/AgentStateChip.tsx'
import { Chip } from '#client/ui/values/Chip.tsx'

/** State of an agent or of the API. */
export function StateChip({ state, title }: { state: AgentState; title?: string }) {
  const { icon, tone, word } = agentStates[state]
  return (
    <Chip icon={icon} tone={tone} {...(title !== undefined && { title })}>
      {word}
    </Chip>
  )
}
