import { NativeSelect, TextInput } from '@mantine/core'
import { type Schedule, schedules } from '#events/schedules.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { CronInput } from '../parts/cron/CronInput.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { JobFields } from './JobFields.tsx'
import { jobClassChoices } from './jobClasses.ts'
import {
  type ScheduleFields,
  draftOf,
  fieldsOf,
  maySave,
  newSchedule,
  scheduleErrors,
  shownAt,
} from './scheduleFields.ts'
import { DialogForm } from '../ui/DialogForm.tsx'
import type { ScanTargets } from './useScanTargets.ts'

type ScheduleFormProps = {
  edited: Schedule | 'new' | undefined
  targets: ScanTargets
  onClose: () => void
  onSaved: () => void
}

/** Schedules a job, or changes when and on what it runs. */
export function ScheduleForm({ edited, ...props }: ScheduleFormProps) {
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title="Schedule a Job" size="M">
      {edited && <Fields edited={edited} {...props} />}
    </Dialog>
  )
}

type FieldsProps = ScheduleFormProps & { edited: Schedule | 'new' }

function Fields({ edited, targets, onClose, onSaved }: FieldsProps) {
  const { form, busy, submit } = useSavedForm<ScheduleFields>({
    initialValues: edited === 'new' ? newSchedule : fieldsOf(edited),
    check: scheduleErrors,
    shownAt,
    save: async (fields) => {
      await save(edited, fields)
      onSaved()
      onClose()
      const done = edited === 'new' ? 'created' : 'updated'
      toast({ kind: 'success', message: `Schedule ${fields.name.trim()} was ${done}` })
    },
  })
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save" disabled={!maySave(form.values)} onClose={onClose}>
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      <CronInput
        disabled={busy}
        value={form.values.cron}
        onChange={(cron) => form.setFieldValue('cron', cron)}
        error={form.errors['cron']}
        data-path="cron"
      />
      <NativeSelect
        label="Job"
        description={edited === 'new' ? undefined : 'The job of a schedule stays what it is.'}
        data={[{ value: '', label: 'Choose a job', disabled: true }, ...jobClassChoices]}
        disabled={busy || edited !== 'new'}
        {...form.getInputProps('jobClass')}
      />
      <JobFields form={form} targets={targets} busy={busy} />
    </DialogForm>
  )
}

async function save(edited: Schedule | 'new', fields: ScheduleFields): Promise<void> {
  const body = draftOf(fields)
  if (edited === 'new') await call(schedules.create, { body })
  else await call(schedules.update, { params: { id: edited.id }, body })
}
