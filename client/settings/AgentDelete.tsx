import { type Agent, agents } from '#events/agents.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { Confirm } from '../ui/Confirm.tsx'

type AgentDeleteProps = { doomed: Agent | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before an agent goes. */
export function AgentDelete({ doomed, onClose, onDeleted }: AgentDeleteProps) {
  const [busy, remove] = useBusy(async ({ id, name }: Agent) => {
    await call(agents.remove, { params: { id } }).finally(onClose)
    onDeleted()
    toast({ kind: 'success', message: `${name} was deleted` })
  })
  return (
    <Confirm
      opened={doomed !== undefined}
      title={`Delete ${doomed?.name ?? ''}`}
      verb="Delete agent"
      busy={busy}
      onCancel={onClose}
      onConfirm={() => doomed && remove(doomed)}
    >
      Are you sure you want to delete agent {doomed?.name}?
    </Confirm>
  )
}
