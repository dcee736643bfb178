import { TextInput } from '@mantine/core'
import { type Agent, AgentDraft, agents } from '#events/agents.ts'
import { call } from '../app/call.ts'
import { checkedBy } from '../app/form.ts'
import { toast } from '../app/toasts.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { InlineForm } from '../ui/InlineForm.tsx'

type AgentNameProps = { agent: Agent; onSaved: () => void; onClose: () => void }

const words = { save: 'Save name', cancel: 'Keep the old name' }

/** The name of an agent while it is changed. */
export function AgentName({ agent: { id, name }, onSaved, onClose }: AgentNameProps) {
  const { form, busy, submit } = useSavedForm({
    initialValues: { name },
    check: checkedBy(AgentDraft),
    async save(fields) {
      await call(agents.update, { params: { id }, body: fields })
      onSaved()
      onClose()
      toast({ kind: 'success', message: `${name} is now called ${fields.name.trim()}` })
    },
  })
  return (
    <InlineForm words={words} busy={busy} onSubmit={submit} onClose={onClose}>
      <TextInput
        aria-label={`New name of ${name}`}
        // A disabled one would lose the focus.
        readOnly={busy}
        {...form.getInputProps('name')}
      />
    </InlineForm>
  )
}
