import { type Agent, agents } from '#events/agents.ts'
import { call } from '../app/call.ts'
import { ConfirmDeletion } from '../parts/deletion/ConfirmDeletion.tsx'

type AgentDeleteProps = { doomed: Agent | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before an agent goes. */
export function AgentDelete(props: AgentDeleteProps) {
  const { doomed, onClose } = props
  return (
    <ConfirmDeletion
      {...props}
      title={`Delete ${doomed?.name ?? ''}`}
      verb="Delete agent"
      remove={({ id }) => call(agents.remove, { params: { id } }).finally(onClose)}
      gone={({ name }) => `${name} was deleted`}
    >
      Are you sure you want to delete agent {doomed?.name}? It is cut off at once, and what it does right now ends.
    </ConfirmDeletion>
  )
}
