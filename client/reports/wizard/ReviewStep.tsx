import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { comparesData, reportTypeLabels } from '#events/reports/templates.ts'
import { type NamedStorage, printQuery } from '#events/search/string-format/printQuery.ts'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { sourceText } from '#events/reports/parameterWords.ts'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { dayText } from '#client/ui/text/moment.ts'
import { counted } from '#client/ui/text/count.ts'
import { type ChosenSource, hasQuery, type ReportFields, type ReportForm, withRelativeDates } from './reportForm.ts'
import { RunsStep } from './RunsStep.tsx'

type ReviewStepProps = { form: ReportForm; busy: boolean; problem: string | undefined }

/** Summary of the report, with its schedule and recipients, and the option to launch it after saving. */
export function ReviewStep({ form, busy, problem }: ReviewStepProps) {
  const volumes = useVolumesAt(undefined).data?.elements ?? []
  return (
    <div className="stack gap-16">
      <ReviewList rows={reviewOf(form.values, volumes)} />
      <RunsStep form={form} busy={busy} problem={problem} />
      <Checkbox
        label="Launch the report after saving"
        description="Depending on how much is found, its tags may take a while to appear on files and folders."
        disabled={busy}
        {...form.getInputProps('launches', { type: 'checkbox' })}
      />
    </div>
  )
}

function reviewOf(fields: ReportFields, volumes: readonly NamedStorage[]): [string, ReactNode][] {
  const { type, retention, references, comparison, tags } = fields
  const isCompared = type !== '' && comparesData(type)
  return [
    ['Name', fields.name.trim()],
    ['Type', type !== '' && reportTypeLabels[type]],
    ['Retention', counted(Number(retention), 'day')],
    ...(isCompared
      ? ([
          ['Reference data', <SourceTexts key="references" sources={references} />],
          ['Comparison data', <SourceTexts key="comparison" sources={comparison} />],
        ] satisfies [string, ReactNode][])
      : []),
    ['Search queries', hasQuery(fields) ? queryText(fields, volumes) : 'None'],
    ['Tags', tags.join(', ') || 'None'],
  ]
}

/** With relative dates, days read as their distance to the run. */
function queryText({ group, rollingDates }: ReportFields, volumes: readonly NamedStorage[]): string {
  const relative = withRelativeDates(group, dayText(Date.now()))
  return printQuery(rollingDates ? relative : group, volumes)
}

const SourceTexts = ({ sources }: { sources: ChosenSource[] }) => (
  <ul>
    {sources.map((source) => (
      <li key={`${source.type} ${source.id} ${source.path}`}>{sourceText(source.name, source)}</li>
    ))}
  </ul>
)
