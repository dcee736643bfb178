import { ActionIcon, TextInput } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type Agent, AgentDraft, agents } from '#events/agents.ts'
import { call } from '../app/call.ts'
import { checkedBy } from '../app/form.ts'
import { toast } from '../app/toasts.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { focus } from './focus.ts'
import classes from './Agents.module.css'

type AgentNameProps = { agent: Agent; onSaved: () => void; onClose: () => void }

/** The name of an agent while it is changed: Enter saves it, Escape leaves it as it was. */
export function AgentName({ agent: { id, name }, onSaved, onClose }: AgentNameProps) {
  const [before] = useState(() => document.activeElement)
  const close = () => {
    focus(before)
    onClose()
  }
  const { form, busy, submit } = useSavedForm({
    initialValues: { name },
    check: checkedBy(AgentDraft),
    async save(fields) {
      await call(agents.update, { params: { id }, body: fields })
      onSaved()
      close()
      toast({ kind: 'success', message: `${name} is now called ${fields.name.trim()}` })
    },
  })
  return (
    <form className={classes.inline} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field}
        aria-label={`New name of ${name}`}
        ref={focus}
        onKeyDown={({ key }) => key === 'Escape' && close()}
        // A disabled one would lose the focus.
        readOnly={busy}
        {...form.getInputProps('name')}
      />
      <ActionIcon type="submit" aria-label="Save name" loading={busy}>
        <IconCheck size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon aria-label="Keep the old name" onClick={close} disabled={busy}>
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
    </form>
  )
}
