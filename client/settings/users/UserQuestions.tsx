import { type OneTimePassword, type User, users } from '#events/users.ts'
import { call } from '../../app/call.ts'
import { useBusy } from '../../app/useBusy.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'
import { Confirm } from '../../ui/Confirm.tsx'

type UserQuestionsProps = {
  asked: { about: User; to: 'reset' | 'remove' } | undefined
  onClose: () => void
  onDone: () => void
  onReset: (given: OneTimePassword) => void
}

/** Asks before a user is given another password, and before an account goes. */
export function UserQuestions({ asked, onClose, onDone, onReset }: UserQuestionsProps) {
  const doomed = asked?.to === 'remove' ? asked.about : undefined
  const [busy, reset] = useBusy(async ({ id }: User) => {
    onReset(await call(users.resetPassword, { params: { id } }))
    onClose()
    onDone()
  })
  const name = asked?.about.name ?? ''
  return (
    <>
      <Confirm
        opened={asked?.to === 'reset'}
        title={`Reset the password of ${name}`}
        verb="Reset password"
        busy={busy}
        onCancel={onClose}
        onConfirm={() => asked && reset(asked.about)}
      >
        The password of {name} stops working and their browsers are signed out. You are shown a one-time password for
        them.
      </Confirm>
      <ConfirmDeletion
        doomed={doomed}
        onClose={onClose}
        onDeleted={onDone}
        title={`Delete ${name}`}
        verb="Delete user"
        remove={({ id }) => call(users.remove, { params: { id } }).finally(onClose)}
        gone={({ name }) => `${name} was deleted`}
      >
        Are you sure you want to delete user {name}? Their saved searches, alerts, notifications and API tokens go too.
        The event log keeps what they did.
      </ConfirmDeletion>
    </>
  )
}
