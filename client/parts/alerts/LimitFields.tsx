import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { sizeUnits } from '#events/search/filters.ts'
import { clearThresholdOf } from '#events/schedules/alerts.ts'
import { unitChoices } from '#client/ui/form/typedSize.ts'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { type AlertFormState, hasMeasure } from './alertForm.ts'
import { choicesOf, measureLabels } from './alertWords.ts'
import classes from './Alerts.module.css'

type FieldProps = { form: AlertFormState; busy: boolean }

const daysInput = { rightSection: 'days', rightSectionWidth: 52, hideControls: true }

/** The limit of an alert, if its type has one. */
export function LimitFields({ form, busy }: FieldProps) {
  const { jobClass, measure } = form.values
  if (jobClass === 'SCAN_OVERDUE_ALERT')
    return <NumberInput label="Days without a scan" {...daysInput} disabled={busy} {...form.getInputProps('days')} />
  if (jobClass !== 'VOLUME_SPACE_ALERT' && jobClass !== 'PROJECT_SPACE_ALERT') return null
  return (
    <>
      <NativeSelect
        label="Measure"
        data={choicesOf(measureLabels[jobClass])}
        disabled={busy}
        {...form.getInputProps('measure')}
      />
      {measure === 'GROWTH_BYTES' ? (
        <GrowthSize form={form} busy={busy} />
      ) : (
        <NumberInput
          label="Threshold"
          description={thresholdText(form)}
          rightSection="%"
          hideControls
          disabled={busy}
          {...form.getInputProps('threshold')}
        />
      )}
      {measure !== 'USED' && (
        <NumberInput label="Within" {...daysInput} disabled={busy} {...form.getInputProps('growthDays')} />
      )}
    </>
  )
}

const thresholdText = ({ values: { measure, jobClass } }: AlertFormState): string =>
  measure === 'GROWTH'
    ? 'Percent of the previous size'
    : jobClass === 'PROJECT_SPACE_ALERT'
      ? 'Percent of allocated size'
      : 'Percent of the usable capacity'

function GrowthSize({ form, busy }: FieldProps) {
  const base = useSizeBase()
  return (
    <div className={classes.size}>
      <TextInput label="Growth" autoComplete="off" disabled={busy} {...form.getInputProps('growthSize')} />
      <NativeSelect
        aria-label="Unit of growth"
        data={unitChoices(sizeUnits, base)}
        disabled={busy}
        {...form.getInputProps('growthUnit')}
      />
    </div>
  )
}

/** Clearing threshold and minimum interval between messages. */
export function RepetitionFields({ form, busy }: FieldProps) {
  const { threshold, measure } = form.values
  const clears = clearThresholdOf({ threshold: threshold === '' ? 0 : threshold })
  return (
    <>
      {hasMeasure(form.values) && measure !== 'GROWTH_BYTES' && (
        <NumberInput
          label="Clears below"
          description="Sent again only after the value was below this."
          placeholder={String(clears)}
          rightSection="%"
          hideControls
          disabled={busy}
          {...form.getInputProps('clearThreshold')}
        />
      )}
      <NumberInput
        label="Minimum interval"
        description="Minimum time between messages about the same state. 0 sends one at every run."
        rightSection="hours"
        rightSectionWidth={56}
        hideControls
        disabled={busy}
        {...form.getInputProps('repeatHours')}
      />
    </>
  )
}
