import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { reportTypes } from '#events/reports/calls.ts'
import type { ReportType } from '#events/reports/templates.ts'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { useRemote } from '#client/app/remote.ts'
import { useFailureToast } from '#client/app/toasts/useFailureToast.ts'
import { findsOf, typeChoices } from '#client/reports/reportWords.ts'
import { readyReports } from './readyReports.ts'
import type { ReportForm } from './reportForm.ts'

type ConfigureStepProps = {
  form: ReportForm
  busy: boolean
  /** Fills the form from a template. A saved report has none. */
  startFrom: ((ready: string) => void) | undefined
}

/** Name, type and retention of a report. */
export function ConfigureStep({ form, busy, startFrom }: ConfigureStepProps) {
  const isNew = startFrom !== undefined
  const types = useRemote(reportTypes, {})
  const isLicensed = useLicence()
  useFailureToast(types.error)
  const { type, readyKey } = form.values
  const ready = readyReports.find(({ key }) => key === readyKey)
  return (
    <div className="stack gap-16 narrow">
      {isNew && (
        <NativeSelect
          label="Start from"
          description={ready?.finds ?? 'An empty report or a template.'}
          data={[
            { value: '', label: 'An empty report' },
            ...readyReports
              .filter(({ bundle }) => isLicensed(bundle))
              .map(({ key, name }) => ({ value: key, label: name })),
          ]}
          value={readyKey}
          disabled={busy}
          onChange={({ currentTarget }) => startFrom(currentTarget.value)}
        />
      )}
      <TextInput
        label="Name"
        required
        autoComplete="off"
        description={isNew ? undefined : "The name can't be changed because it is part of the report's tags."}
        disabled={busy || !isNew}
        data-autofocus={isNew || undefined}
        {...form.getInputProps('name')}
      />
      <NativeSelect
        label="Type"
        required
        description={type === '' ? undefined : findsOf[type]}
        data={[{ value: '', label: 'Choose a type', disabled: true }, ...typeChoices(types.data ?? [])]}
        disabled={busy}
        {...form.getInputProps('type')}
        onChange={({ currentTarget }) => form.setFieldValue('type', currentTarget.value as ReportType)}
      />
      <NumberInput
        label="Retention (days)"
        required
        description="The latest results are always kept. Results of older runs are deleted after this time; their figures stay."
        min={1}
        allowDecimal={false}
        allowNegative={false}
        disabled={busy}
        {...form.getInputProps('retention')}
      />
    </div>
  )
}
