import { ActionIcon } from '@mantine/core'
import { IconShieldOff } from '@tabler/icons-react'
import { useState } from 'react'
import type { User } from '#events/users/accounts.ts'
import { secondFactor } from '#events/users/secondFactor.ts'
import { call } from '#client/app/call.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

/** Button that removes the second factor of a user who lost it, after a confirmation. */
export function RemoveSecondFactor({ user: { id, name }, onDone }: { user: User; onDone: () => void }) {
  const [isAsking, ask] = useState(false)
  const close = () => ask(false)
  const [busy, remove] = useBusy(async () => {
    await call(secondFactor.remove, { params: { id } })
    close()
    onDone()
    toast({ kind: 'success', message: `${name} signs in without a second factor now` })
  })
  return (
    <>
      <ActionIcon aria-label={`Remove second factor of ${name}`} onClick={() => ask(true)}>
        <IconShieldOff size={16} stroke={1.5} />
      </ActionIcon>
      <Confirm
        opened={isAsking}
        title={`Remove the second factor of ${name}`}
        verb="Remove second factor"
        busy={busy}
        onCancel={close}
        onConfirm={() => remove()}
      >
        {name} signs in with the password alone until a new second factor is set up. Their sessions end. Make sure that
        it is {name} who asks.
      </Confirm>
    </>
  )
}
