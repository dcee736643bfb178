import { Button } from '@mantine/core'
import { CredentialInputs } from './CredentialInputs.tsx'
import { useCredentialForm } from './useCredentialForm.ts'
import classes from './FileStorages.module.css'

type CredentialSubFormProps = { onCreated: (id: number) => void; onCancel: () => void }

/** Credentials that are made in the middle of setting up a share. */
export function CredentialSubForm({ onCreated, onCancel }: CredentialSubFormProps) {
  const { form, busy, submit } = useCredentialForm('new', onCreated)
  return (
    <form className={classes.subForm} onSubmit={submit} aria-label="New credentials" noValidate>
      <CredentialInputs form={form} busy={busy} edited="new" />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel} disabled={busy}>
          Cancel credentials creation
        </Button>
        <Button type="submit" loading={busy}>
          Create credentials
        </Button>
      </div>
    </form>
  )
}
