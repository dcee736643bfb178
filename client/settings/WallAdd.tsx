import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type NewWallToken, WallTokenDraft, wallTokens } from '#events/wall.ts'
import { call } from '../app/call.ts'
import { checkedBy } from '../app/form.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { focus } from './focus.ts'
import classes from './Wall.module.css'

type WallAddProps = { onAdded: (wall: NewWallToken) => void }

/** Where a new display gets its name. */
export function WallAdd({ onAdded }: WallAddProps) {
  const [stage, setStage] = useState<'never opened' | 'open' | 'closed'>('never opened')
  if (stage === 'open') return <Fields onAdded={onAdded} onClose={() => setStage('closed')} />
  return (
    <Button
      ref={stage === 'closed' ? focus : null}
      leftSection={<IconPlus size={16} stroke={1.5} />}
      variant="default"
      onClick={() => setStage('open')}
    >
      Add wall display
    </Button>
  )
}

function Fields({ onAdded, onClose }: WallAddProps & { onClose: () => void }) {
  const { form, busy, submit } = useSavedForm({
    initialValues: { name: '' },
    check: checkedBy(WallTokenDraft),
    async save(body) {
      const added = await call(wallTokens.create, { body })
      onClose()
      onAdded(added)
    },
  })
  return (
    <form className={classes.inline} onSubmit={submit} noValidate>
      <TextInput
        className={classes.field}
        aria-label="Name of the new wall display"
        placeholder="Where it hangs, such as Lobby"
        ref={focus}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
        // A disabled one would lose the focus.
        readOnly={busy}
        {...form.getInputProps('name')}
      />
      <Button type="submit" loading={busy}>
        Make address
      </Button>
      <Button variant="default" onClick={onClose} disabled={busy}>
        Cancel
      </Button>
    </form>
  )
}
