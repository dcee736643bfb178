import { MultiSelect, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { alertClassLabels, type Schedule, schedules } from '#events/schedules.ts'
import type { Storage } from '#events/storages.ts'
import { call } from '../app/call.ts'
import { toast } from '../app/toasts.ts'
import { useSavedForm } from '../app/useSavedForm.ts'
import { CronInput } from '../parts/cron/CronInput.tsx'
import { cronPresets } from '../parts/cron/cronText.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Failure } from '../ui/Failure.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { type AlertFields, alertErrors, draftOf, fieldsOf, newAlert, shownAt } from './alertFields.ts'
import { DialogForm } from '../ui/DialogForm.tsx'
import classes from './Profile.module.css'

type AlertFormProps = {
  edited: Schedule | 'new' | undefined
  volumes: Loadable<Storage[]>
  onClose: () => void
  onSaved: () => void
}

/** Sets up an alert, or changes one. */
export function AlertForm({ edited, ...props }: AlertFormProps) {
  const title = edited === 'new' || !edited ? 'Add alert' : `Edit ${edited.name}`
  return (
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={title} size="M">
      {edited && <Fields edited={edited} {...props} />}
    </Dialog>
  )
}

const choices = (of: Record<string, string>) => Object.entries(of).map(([value, label]) => ({ value, label }))
const presetLabels = Object.fromEntries(Object.entries(cronPresets).map(([preset, { label }]) => [preset, label]))

type FieldsProps = AlertFormProps & { edited: Schedule | 'new' }

function Fields({ edited, volumes, onClose, onSaved }: FieldsProps) {
  const { form, busy, submit } = useAlertForm(edited, () => {
    onSaved()
    onClose()
  })
  return (
    <DialogForm
      onSubmit={submit}
      busy={busy}
      saves="Save alert"
      disabled={form.values.jobClass === 'PROJECT_SPACE_ALERT'}
      onClose={onClose}
    >
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      <NativeSelect
        label="Type"
        description={edited === 'new' ? undefined : 'The type of an alert stays what it is.'}
        data={choices(alertClassLabels)}
        disabled={busy || edited !== 'new'}
        {...form.getInputProps('jobClass')}
      />
      <Resources form={form} volumes={volumes} busy={busy} />
      <NumberInput
        label="Threshold"
        description="Of its capacity, in percent"
        rightSection="%"
        hideControls
        disabled={busy}
        {...form.getInputProps('threshold')}
      />
      <NativeSelect label="Frequency" data={choices(presetLabels)} disabled={busy} {...form.getInputProps('preset')} />
      {form.values.preset === 'CUSTOM' && (
        <CronInput
          disabled={busy}
          value={form.values.custom}
          onChange={(custom) => form.setFieldValue('custom', custom)}
          error={form.errors['custom']}
          data-path="custom"
        />
      )}
    </DialogForm>
  )
}

function useAlertForm(edited: Schedule | 'new', saved: () => void) {
  return useSavedForm<AlertFields>({
    initialValues: edited === 'new' ? newAlert : fieldsOf(edited),
    check: alertErrors,
    shownAt,
    save: async (fields) => {
      const body = draftOf(fields, edited !== 'new' && edited.paused)
      if (edited === 'new') await call(schedules.create, { body })
      else await call(schedules.update, { params: { id: edited.id }, body })
      saved()
      toast({ kind: 'success', message: `Alert ${body.name} was ${edited === 'new' ? 'created' : 'updated'}` })
    },
  })
}

type ResourcesProps = { form: ReturnType<typeof useAlertForm>['form']; volumes: Loadable<Storage[]>; busy: boolean }

/** What the alert watches. */
function Resources({ form, volumes: { data, error, retry }, busy }: ResourcesProps) {
  const { jobClass, resourceIds } = form.values
  if (jobClass === 'PROJECT_SPACE_ALERT')
    return <p className={classes.missing}>There are no projects in this version yet, so no alert can watch one.</p>
  if (error && !data) return <Failure error={error} retry={retry} />
  const known = (data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const gone = resourceIds.filter((id) => known.every(({ value }) => value !== id))
  return (
    <MultiSelect
      label="Storages"
      placeholder={resourceIds.length === 0 ? 'Choose at least one' : undefined}
      data={[...known, ...gone.map((value) => ({ value, label: `Invalid (${value})` }))]}
      searchable
      openOnFocus={false}
      comboboxProps={{ withinPortal: false }}
      nothingFoundMessage="No storage has this name"
      disabled={busy}
      {...form.getInputProps('resourceIds')}
    />
  )
}
