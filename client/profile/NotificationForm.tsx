import { Checkbox, NativeSelect } from '@mantine/core'
import { jobs } from '#events/jobs/calls.ts'
import { type JobType, jobTypeLabels } from '#events/jobs/types.ts'
import {
  type JobNotification,
  JobNotificationDraft,
  notificationStatuses,
  notifications,
} from '#events/notifications/calls.ts'
import { defineForm } from '#client/app/defineForm.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { callsOf, saveRow } from '#client/parts/settings-table/calls.ts'
import { WebhookFields } from '#client/parts/webhook/WebhookFields.tsx'
import { noWebhook, type WebhookValues, webhookDraft, webhookValues } from '#client/parts/webhook/webhookValues.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'

type NotificationFormProps = { edited: JobNotification | 'new' | undefined; onClose: () => void; onSaved: () => void }

/** Adds or edits a job notification. */
export function NotificationForm({ edited, ...props }: NotificationFormProps) {
  const title = edited === 'new' || !edited ? 'Add job notification' : 'Edit job notification'
  return (
    <FormDialog opened={edited !== undefined} onClose={props.onClose} title={title}>
      {edited && <Choosing edited={edited} {...props} />}
    </FormDialog>
  )
}

type ChoosingProps = NotificationFormProps & { edited: JobNotification | 'new' }

/** The server lists the available job types; the first is the default. */
function Choosing(props: ChoosingProps) {
  const { data, error, loading, retry } = useRemote(jobs.notifiable, {})
  if (data) return <Fields {...props} types={data} />
  return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={3} />
}

type Fields = { type: JobType; status: JobNotification['status']; email: boolean } & WebhookValues

const notificationForm = defineForm({
  schema: JobNotificationDraft,
  fields: { type: 'SCAN_ON_PREMISES', status: 'ALWAYS', email: true, ...noWebhook } as Fields,
  fromRow: ({ type, status, email, webhook, webhookFormat, webhookTemplate }: JobNotification) => ({
    type,
    status,
    email,
    ...webhookValues({ webhook, webhookFormat, webhookTemplate }),
  }),
  toDraft: ({ type, status, email, ...webhook }) => ({ type, status, email, ...webhookDraft(webhook) }),
})

function Fields({ edited, types, onClose, onSaved }: ChoosingProps & { types: JobType[] }) {
  const { form, busy, submit } = useSavedForm({
    form: notificationForm,
    initialValues: { ...notificationForm.initial(edited), ...(edited === 'new' && types[0] && { type: types[0] }) },
    save: async (body) => {
      await saveRow(callsOf(notifications), edited, body)
      onSaved()
      onClose()
      const done = edited === 'new' ? 'created' : 'updated'
      toast({ kind: 'success', message: `The job notification has been ${done}` })
    },
  })
  const offered = types.includes(form.values.type) ? types : [...types, form.values.type]
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save job notification" onClose={onClose}>
      <NativeSelect
        label="Type"
        data-autofocus
        data={offered.map((value) => ({ value, label: jobTypeLabels[value] }))}
        disabled={busy}
        {...form.getInputProps('type')}
      />
      <NativeSelect
        label="Status"
        data={Object.entries(notificationStatuses).map(([value, label]) => ({ value, label }))}
        disabled={busy}
        {...form.getInputProps('status')}
      />
      <Checkbox label="Email to my address" disabled={busy} {...form.getInputProps('email', { type: 'checkbox' })} />
      <WebhookFields form={form} description="Receives the job as JSON (POST)." busy={busy} />
    </DialogForm>
  )
}
