import { NativeSelect, TextInput } from '@mantine/core'
import { alertClassLabels, type Schedule, schedules } from '#events/schedules/calls.ts'
import { callsOf, saveRow } from '#client/parts/settings-table/calls.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { alertFrequencies } from '#client/parts/cron/timing.ts'
import { TimingInput } from '#client/parts/cron/TimingInput.tsx'
import { webhookProblem } from '#client/parts/webhook/webhookValues.ts'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { type AlertFields, alertForm } from './alertForm.ts'
import type { AlertResources } from './alertResources.ts'
import { alertTexts, choicesOf } from './alertWords.ts'
import { LimitFields, RepetitionFields } from './LimitFields.tsx'
import { RecipientFields } from './RecipientFields.tsx'
import { ResourceFields } from './ResourceFields.tsx'

type AlertFormProps = {
  edited: Schedule | 'new' | undefined
  resources: AlertResources
  onClose: () => void
  onSaved: () => void
}

/** Adds or edits an alert. */
export function AlertForm({ edited, ...props }: AlertFormProps) {
  const title = edited === 'new' || !edited ? 'Add alert' : `Edit ${edited.name}`
  return (
    <FormDialog opened={edited !== undefined} onClose={props.onClose} title={title} size="M">
      {edited && <Fields edited={edited} {...props} />}
    </FormDialog>
  )
}

type FieldsProps = AlertFormProps & { edited: Schedule | 'new' }

function Fields({ edited, resources, onClose, onSaved }: FieldsProps) {
  const { form, busy, submit } = useSavedForm({
    form: alertForm,
    edited,
    save: async (body) => {
      await saveRow(callsOf(schedules), edited, body)
      onSaved()
      onClose()
      toast({ kind: 'success', message: `Alert ${body.name} was ${edited === 'new' ? 'created' : 'updated'}` })
    },
  })
  const { isWebhookLost = false, isOwnerDeleted = false } = (edited !== 'new' && edited.alert) || {}
  const problem = webhookProblem({ isWebhookLost, isWebhookUserDeleted: isWebhookLost && isOwnerDeleted })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save alert" onClose={onClose}>
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      <NativeSelect
        label="Type"
        description={edited === 'new' ? undefined : 'The type of an alert cannot be changed.'}
        data={choicesOf(alertClassLabels)}
        disabled={busy || edited !== 'new'}
        {...form.getInputProps('jobClass')}
        onChange={({ currentTarget }) => {
          form.setFieldValue('jobClass', currentTarget.value as AlertFields['jobClass'])
          // Resources of the other type have different ids.
          form.setFieldValue('resourceIds', [])
        }}
      />
      <ResourceFields form={form} resources={resources} busy={busy} />
      <LimitFields form={form} busy={busy} />
      <RecipientFields form={form} busy={busy} problem={problem} />
      <TimingInput
        label="Frequency"
        description={alertTexts[form.values.jobClass].frequency}
        frequencies={alertFrequencies}
        value={form.values.timing}
        onChange={(timing) => form.setFieldValue('timing', timing)}
        disabled={busy}
        error={form.errors['timing']}
        data-path="timing"
      />
      <RepetitionFields form={form} busy={busy} />
    </DialogForm>
  )
}
