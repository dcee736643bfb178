import { Button, Checkbox } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { channelKinds, channels } from '#events/notifications/channels.ts'
import { session } from '#client/app/session.state.ts'
import { useRemote } from '#client/app/remote.ts'
import type { InputProps } from '#client/parts/settings-table/form.ts'
import { RowDialog } from '#client/parts/settings-table/TableDialogs.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { channelDialog } from './channelForm.tsx'
import classes from './Alerts.module.css'

/** Recipients of a rule: the user's address and channels. */
export type Recipients = { email: boolean; channelIds: number[] }

/** Selects the recipients of a rule. A channel can be added on the way. */
export function ChannelsInput({ label, description, value, onChange, error, disabled }: InputProps<Recipients>) {
  const { user } = useSnapshot(session)
  const { data, error: failure, retry } = useRemote(channels.list, { query: { size: 1_000 } }, 'channels')
  const [isAdding, add] = useState(false)
  const { email, channelIds } = value
  const select = (id: number, isSelected: boolean) =>
    onChange({ email, channelIds: isSelected ? [...channelIds, id] : channelIds.filter((one) => one !== id) })
  return (
    <fieldset className={classes.group}>
      <legend>{label}</legend>
      <Checkbox
        label="Email to my address"
        description={user?.email ?? "You have no email address, so you won't get this email. Add one in your profile."}
        disabled={disabled}
        checked={email}
        onChange={({ currentTarget }) => onChange({ email: currentTarget.checked, channelIds })}
        error={error}
      />
      {failure && !data && <Failure error={failure} retry={retry} />}
      {data?.elements.map(({ id, name, kind }) => (
        <Checkbox
          key={id}
          label={name}
          {...(name !== channelKinds[kind] && { description: channelKinds[kind] })}
          disabled={disabled}
          checked={channelIds.includes(id)}
          onChange={({ currentTarget }) => select(id, currentTarget.checked)}
        />
      ))}
      <div>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.5} />}
          disabled={disabled}
          onClick={() => add(true)}
        >
          Add channel
        </Button>
      </div>
      {description && <p className="muted small">{description}</p>}
      {/* Submits only itself, not the form around it. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        <RowDialog
          {...channelDialog}
          edited={isAdding ? 'new' : undefined}
          onClose={() => add(false)}
          onSaved={(created: { id: number } | undefined) => created && select(created.id, true)}
        />
      </div>
    </fieldset>
  )
}
