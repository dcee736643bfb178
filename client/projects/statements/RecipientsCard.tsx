import { Button, Textarea } from '@mantine/core'
import { statements } from '#events/projects/statements.ts'
import { call } from '#client/app/call.ts'
import { checkedBy, typedAddresses } from '#client/app/form.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { Card } from '#client/ui/Card.tsx'
import classes from './Statements.module.css'

/** Recipients of the monthly statement, which is sent when the month is closed. */
export function RecipientsCard({ id }: { id: number }) {
  const recipients = useRemote(statements.recipients, { params: { id } }, 'projects')
  return (
    <Card title="Recipients" remote={recipients}>
      {({ addresses }) => (
        <Recipients key={addresses.join()} id={id} addresses={addresses} onSaved={recipients.retry} />
      )}
    </Card>
  )
}

const check = checkedBy(statements.updateRecipients.body, { addresses: 'Addresses' })

/** Shows all address errors at the single input. */
const problemsOf = (text: string): Record<string, string> => {
  const [first] = Object.values(check({ addresses: typedAddresses(text) }))
  return first === undefined ? {} : { text: first.replace(/^\d+ /, 'Each address ') }
}

type RecipientsProps = { id: number; addresses: string[]; onSaved: () => void }

function Recipients({ id, addresses, onSaved }: RecipientsProps) {
  const { form, busy, submit } = useSavedForm<{ text: string }>({
    initialValues: { text: addresses.join('\n') },
    check: ({ text }) => problemsOf(text),
    shownAt: () => 'text',
    save: async ({ text }) => {
      await call(statements.updateRecipients, { params: { id }, body: { addresses: typedAddresses(text) } })
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
