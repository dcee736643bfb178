import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { AgentDraft, agents, type NewAgent } from '#events/agents.ts'
import { call } from '../app/call.ts'
import { checkedBy } from '../app/form.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { focus } from './focus.ts'
import classes from './Agents.module.css'

type AgentAddProps = { onAdded: (agent: NewAgent) => void }

/** The last row of the agents: where a new one gets its name. */
export function AgentAdd({ onAdded }: AgentAddProps) {
  const [stage, setStage] = useState<'never opened' | 'open' | 'closed'>('never opened')
  if (stage === 'open') return <Fields onAdded={onAdded} onClose={() => setStage('closed')} />
  return (
    <Button
      ref={stage === 'closed' ? focus : null}
      leftSection={<IconPlus size={16} stroke={1.5} />}
      variant="default"
      onClick={() => setStage('open')}
    >
      Add new agent
    </Button>
  )
}

function Fields({ onAdded, onClose }: AgentAddProps & { onClose: () => void }) {
  const { form, busy, submit } = useSavedForm({
    initialValues: { name: '' },
    check: checkedBy(AgentDraft),
    async save(body) {
      const added = await call(agents.create, { body })
      onClose()
      onAdded(added)
    },
  })
  return (
    <form className={classes.inline} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field}
        aria-label="Name of the new agent"
        placeholder="Name of the new agent"
        ref={focus}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        // A disabled one would lose the focus.
        readOnly={busy}
        {...form.getInputProps('name')}
      />
      <Button type="submit" loading={busy}>
        Add agent
      </Button>
      <Button variant="default" onClick={onClose} disabled={busy}>
        Cancel
      </Button>
    </form>
  )
}
