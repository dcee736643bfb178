import { AgentDraft, agents, type NewAgent } from '#events/agents.ts'
import { call } from '../app/call.ts'
import { AddByName } from './AddByName.tsx'

const field = 'Name of the new agent'
const words = { open: 'Add new agent', field, hint: field, add: 'Add agent' }

/** The last row of the agents: where a new one gets its name. */
export function AgentAdd({ onAdded }: { onAdded: (agent: NewAgent) => void }) {
  const create = (body: { name: string }) => call(agents.create, { body })
  return <AddByName words={words} schema={AgentDraft} create={create} onAdded={onAdded} />
}
