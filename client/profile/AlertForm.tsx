import { MultiSelect, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { type AlertClass, alertClassLabels, type Schedule, schedules } from '#events/schedules/calls.ts'
import { clearThresholdOf } from '#events/schedules/alerts.ts'
import { callsOf, saveRow } from '#client/parts/settings-table/calls.ts'
import { toast } from '#client/app/toasts.ts'
import { type FormState, useSavedForm } from '#client/app/useSavedForm.ts'
import { alertFrequencies } from '#client/parts/cron/timing.ts'
import { TimingInput } from '#client/parts/cron/TimingInput.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { DialogForm } from '#client/ui/form/DialogForm.tsx'
import { type AlertFields, alertForm, watchesGrowth } from './alertForm.ts'
import type { AlertResources } from './alertResources.ts'

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
    <Dialog opened={edited !== undefined} onClose={props.onClose} title={title} size="M">
      {edited && <Fields edited={edited} {...props} />}
    </Dialog>
  )
}

const choices = (of: Record<string, string>) => Object.entries(of).map(([value, label]) => ({ value, label }))

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
  return (
    <DialogForm onSubmit={submit} busy={busy} saves="Save alert" onClose={onClose}>
      <TextInput label="Name" data-autofocus disabled={busy} {...form.getInputProps('name')} />
      <NativeSelect
        label="Type"
        description={edited === 'new' ? undefined : 'The type of an alert cannot be changed.'}
        data={choices(alertClassLabels)}
        disabled={busy || edited !== 'new'}
        {...form.getInputProps('jobClass')}
        onChange={({ currentTarget }) => {
          form.setFieldValue('jobClass', currentTarget.value as AlertFields['jobClass'])
          // Resources of the other type have different ids.
          form.setFieldValue('resourceIds', [])
        }}
      />
      <Resources form={form} resources={resources} busy={busy} />
      <Threshold form={form} busy={busy} />
      <Repetition form={form} busy={busy} />
      <TimingInput
        label="Frequency"
        description={texts[form.values.jobClass].frequency}
        frequencies={alertFrequencies}
        value={form.values.timing}
        onChange={(timing) => form.setFieldValue('timing', timing)}
        disabled={busy}
        error={form.errors['timing']}
        data-path="timing"
      />
    </DialogForm>
  )
}

const measures = { USED: 'Share of the allocated size', GROWTH: 'Growth' }

type ThresholdProps = { form: FormState<AlertFields>; busy: boolean }

/** Threshold in percent with its measure. Hidden for alerts without a threshold. */
function Threshold({ form, busy }: ThresholdProps) {
  const isGrowth = watchesGrowth(form.values)
  const { jobClass } = form.values
  const { threshold } = texts[jobClass]
  if (threshold === undefined) return null
  return (
    <>
      {jobClass === 'PROJECT_SPACE_ALERT' && (
        <NativeSelect label="Watches" data={choices(measures)} disabled={busy} {...form.getInputProps('measure')} />
      )}
      <NumberInput
        label="Threshold"
        description={isGrowth ? 'Of the size before, in percent' : threshold}
        rightSection="%"
        hideControls
        disabled={busy}
        {...form.getInputProps('threshold')}
      />
      {isGrowth && (
        <NumberInput
          label="Within"
          rightSection="days"
          rightSectionWidth={52}
          hideControls
          disabled={busy}
          {...form.getInputProps('growthDays')}
        />
      )}
    </>
  )
}

/** Clearing threshold and minimum interval between emails. */
function Repetition({ form, busy }: ThresholdProps) {
  const { jobClass, threshold } = form.values
  const clears = clearThresholdOf({ threshold: threshold === '' ? 0 : threshold })
  return (
    <>
      {texts[jobClass].threshold !== undefined && (
        <NumberInput
          label="Clears below"
          description="Reported again only after it was below this value."
          placeholder={String(clears)}
          rightSection="%"
          hideControls
          disabled={busy}
          {...form.getInputProps('clearThreshold')}
        />
      )}
      <NumberInput
        label="Minimum interval"
        description="Time between two emails about the same state. 0: at every run."
        rightSection="hours"
        rightSectionWidth={56}
        hideControls
        disabled={busy}
        {...form.getInputProps('repeatHours')}
      />
    </>
  )
}

type AlertTexts = { label: string; none: string; threshold?: string; frequency?: string }

/** Texts of each type of alert; types without a threshold have none for it. */
const texts: Record<AlertClass, AlertTexts> = {
  VOLUME_SPACE_ALERT: {
    label: 'Storages',
    none: 'No storage has this name',
    threshold: 'Percent of the usable capacity',
    frequency: 'Also sent once, after the scan in which a storage reaches the threshold.',
  },
  PROJECT_SPACE_ALERT: {
    label: 'Projects',
    none: 'No project has this name',
    threshold: 'Of the allocated size, in percent',
    frequency: 'Also sent once, after the scan in which a project reaches the threshold.',
  },
  REPORT_CHECK_ALERT: { label: 'Reports', none: 'No report with a check has this name' },
}

type ResourcesProps = { form: FormState<AlertFields>; resources: AlertResources; busy: boolean }

/** Selects the resources to watch. */
function Resources({ form, resources, busy }: ResourcesProps) {
  const { jobClass, resourceIds } = form.values
  const { data, error, retry } = resources[jobClass]
  const { label, none } = texts[jobClass]
  if (error && !data) return <Failure error={error} retry={retry} />
  const known = (data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  const gone = resourceIds.filter((id) => known.every(({ value }) => value !== id))
  return (
    <MultiSelect
      key={jobClass}
      label={label}
      placeholder={resourceIds.length === 0 ? 'Choose at least one' : undefined}
      data={[...known, ...gone.map((value) => ({ value, label: `Invalid (${value})` }))]}
      searchable
      openOnFocus={false}
      comboboxProps={{ withinPortal: false }}
      nothingFoundMessage={none}
      disabled={busy}
      {...form.getInputProps('resourceIds')}
    />
  )
}
