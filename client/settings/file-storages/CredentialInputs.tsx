import { PasswordInput, TextInput } from '@mantine/core'
import type { NetworkCredential } from '#events/network-volumes.ts'
import type { useCredentialForm } from './useCredentialForm.ts'

type CredentialInputsProps = Pick<ReturnType<typeof useCredentialForm>, 'form' | 'busy'> & {
  edited: NetworkCredential | 'new'
}

function aboutPassword(edited: NetworkCredential | 'new'): string | undefined {
  if (edited === 'new') return undefined
  return edited.isPasswordLost
    ? 'It was stored with another key than the server has now: enter it again.'
    : 'Left empty, it stays what it is. It is never shown.'
}

/** Who signs in to shares. */
export function CredentialInputs({ form, busy, edited }: CredentialInputsProps) {
  return (
    <>
      <TextInput label="Name" data-autofocus autoComplete="off" disabled={busy} {...form.getInputProps('name')} />
      <TextInput label="Username" autoComplete="off" disabled={busy} {...form.getInputProps('username')} />
      <PasswordInput
        label="Password"
        description={aboutPassword(edited)}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        disabled={busy}
        {...form.getInputProps('password')}
      />
      <TextInput
        label="Domain"
        description="Optional"
        autoComplete="off"
        disabled={busy}
        {...form.getInputProps('domain')}
      />
      <TextInput
        label="Options"
        description="Optional; what each of its shares is mounted with, such as vers=3.0"
        autoComplete="off"
        disabled={busy}
        {...form.getInputProps('options')}
      />
    </>
  )
}
