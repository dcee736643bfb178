import { NativeSelect, TextInput } from '@mantine/core'
import { type ScannerClass, type Schedule, schedules } from '#events/schedules/calls.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { callsOf, saveRow } from '#client/parts/settings-table/calls.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { scanFrequencies } from '#client/parts/cron/timing.ts'
import { TimingInput } from '#client/parts/cron/TimingInput.tsx'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { JobFields } from './JobFields.tsx'
import { jobClassChoices } from './jobClasses.ts'
import { maySave, scheduleForm } from './scheduleForm.ts'

type ScheduleFormProps = {
  edited: Schedule | 'new' | undefined
  onClose: () => void
  onSaved: () => void
}

/** Adds or changes the schedule of a job. */
export function ScheduleForm({ edited, ...props }: ScheduleFormProps) {
  return (
    <FormDialog opened={edited !== undefined} onClose={props.onClose} title="Schedule a Job" size="M">
      {edited && <Fields edited={edited} {...props} />}
    </FormDialog>
  )
}

type FieldsProps = ScheduleFormProps & { edited: Schedule | 'new' }

function Fields({ edited, onClose, onSaved }: FieldsProps) {
  const isLicensed = useLicence()
  const { form, busy, submit } = useSavedForm({
    form: scheduleForm,
    edited,
    save: async (body) => {
      await saveRow(callsOf(schedules), edited, body)
      onSaved()
      onClose()
      const done = edited === 'new' ? 'created' : 'updated'
      toast({ kind: 'success', message: `Schedule ${body.name} was ${done}` })
    },
  })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save" disabled={!maySave(form.values)} onClose={onClose}>
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      <NativeSelect
        label="Job"
        description={edited === 'new' ? undefined : 'The job of a schedule cannot be changed.'}
        data={[{ value: '', label: 'Choose a job', disabled: true }, ...jobClassChoices(isLicensed)]}
        disabled={busy || edited !== 'new'}
        {...form.getInputProps('jobClass')}
        onChange={({ currentTarget }) =>
          // The selected targets were of another kind.
          form.setValues({ jobClass: currentTarget.value as ScannerClass, chosen: [] })
        }
      />
      <JobFields form={form} busy={busy} />
      <TimingInput
        label="Runs"
        frequencies={scanFrequencies}
        value={form.values.timing}
        onChange={(timing) => form.setFieldValue('timing', timing)}
        disabled={busy}
        error={form.errors['timing']}
        data-path="timing"
      />
    </DialogForm>
  )
}
