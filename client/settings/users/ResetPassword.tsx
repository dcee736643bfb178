import { ActionIcon } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { type OneTimePassword, type User, users } from '#events/users/accounts.ts'
import { call } from '#client/app/call.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { Confirm } from '#client/ui/form/Confirm.tsx'

type ResetPasswordProps = { user: User; onReset: (password: OneTimePassword) => void }

/** Button that resets a user's password to a one-time password, after a confirmation. */
export function ResetPassword({ user: { id, name }, onReset }: ResetPasswordProps) {
  const [isAsking, ask] = useState(false)
  const close = () => ask(false)
  const [busy, reset] = useBusy(async () => {
    const password = await call(users.resetPassword, { params: { id } })
    close()
    onReset(password)
  })
  return (
    <>
      <ActionIcon aria-label={`Reset password of ${name}`} onClick={() => ask(true)}>
        <IconKey size={16} stroke={1.5} />
      </ActionIcon>
      <Confirm
        opened={isAsking}
        title={`Reset the password of ${name}`}
        verb="Reset password"
        busy={busy}
        onCancel={close}
        onConfirm={() => reset()}
      >
        The password of {name} stops working and their sessions end. You get a one-time password to pass on.
      </Confirm>
    </>
  )
}
