import { Button, Textarea } from '@mantine/core'
import { statements } from '#events/projects/statements.ts'
import { call } from '#client/app/call.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { typedAddresses } from '#client/app/form.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { UnconfirmedAddresses } from '#client/parts/addresses/UnconfirmedAddresses.tsx'
import { Card } from '#client/ui/Card.tsx'
import classes from './Statements.module.css'

/** Recipients of the monthly statement, which is sent when the month is closed. */
export function RecipientsCard({ id }: { id: number }) {
  const recipients = useRemote(statements.recipients, { params: { id } }, 'projects')
  return (
    <Card title="Recipients" remote={recipients}>
      {({ addresses }) => (
        <>
          <Recipients key={addresses.join()} id={id} addresses={addresses} onSaved={recipients.retry} />
          <UnconfirmedAddresses addresses={addresses} />
        </>
      )}
    </Card>
  )
}

const recipientsForm = defineForm({
  schema: statements.updateRecipients.body,
  fields: { text: '' },
  fromRow: (addresses: string[]) => ({ text: addresses.join('\n') }),
  toDraft: ({ text }) => ({ addresses: typedAddresses(text) }),
  inputFor: { addresses: 'text' },
  labels: { 'addresses.*': 'Each address' },
})

type RecipientsProps = { id: number; addresses: string[]; onSaved: () => void }

function Recipients({ id, addresses, onSaved }: RecipientsProps) {
  const { form, busy, submit } = useSavedForm({
    form: recipientsForm,
    edited: addresses,
    save: async (body) => {
      await call(statements.updateRecipients, { params: { id }, body })
      toast({ kind: 'success', message: 'The recipients of the statements were updated' })
      onSaved()
    },
  })
  return (
    <form className={classes.recipients} onSubmit={submit} noValidate>
      <Textarea
        label="Email addresses"
        description="One address per line. On the first of each month, recipients get the statement of the previous month by email."
        autosize
        minRows={2}
        disabled={busy}
        {...form.getInputProps('text')}
      />
      <Button type="submit" variant="default" loading={busy} disabled={!form.isDirty()}>
        Save recipients
      </Button>
    </form>
  )
}
