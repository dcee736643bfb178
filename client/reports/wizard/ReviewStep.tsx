import { Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { comparesData, reportTypeLabels } from '#events/reports/templates.ts'
import { typedAddresses } from '#client/app/form.ts'
import { CronWords } from '#client/parts/cron/CronWords.tsx'
import { type NamedStorage, printQuery } from '#events/search/string-format/printQuery.ts'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { checkText, sourceText } from '#events/reports/parameterWords.ts'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { dayText } from '#client/ui/text/moment.ts'
import { counted } from '#client/ui/text/count.ts'
import {
  type ChosenSource,
  cronOf,
  hasQuery,
  type ReportFields,
  type ReportForm,
  withRelativeDates,
} from './reportForm.ts'

type ReviewStepProps = { form: ReportForm; busy: boolean }

/** Summary of the report, with the option to launch it after saving. */
export function ReviewStep({ form, busy }: ReviewStepProps) {
  const volumes = useVolumesAt(undefined).data?.elements ?? []
  return (
    <>
      <ReviewList rows={reviewOf(form.values, volumes)} />
      <Checkbox
        className="top-24"
        label="Launch the report after saving"
        description="Depending on how much is found, its tags may take a while to appear on files and folders."
        disabled={busy}
        data-autofocus
        {...form.getInputProps('launches', { type: 'checkbox' })}
      />
    </>
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
    ...runsOf(fields),
  ]
}

/** With relative dates, days read as their distance to the run. */
function queryText({ group, rollingDates }: ReportFields, volumes: readonly NamedStorage[]): string {
  const relative = withRelativeDates(group, dayText(Date.now()))
  return printQuery(rollingDates ? relative : group, volumes)
}

function runsOf(fields: ReportFields): [string, ReactNode][] {
  const { checks, addresses, webhook, isPaused } = fields
  const cron = cronOf(fields)
  const recipients = [...typedAddresses(addresses), ...(webhook.trim() === '' ? [] : [webhook.trim()])]
  return [
    ['Runs', cron === undefined ? 'Only when launched manually' : <Runs key="runs" cron={cron} isPaused={isPaused} />],
    ...(checks.length > 0
      ? [
          ['Check', checks.map((check) => checkText({ ...check, value: Number(check.value) })).join('; ')] as [
            string,
            string,
          ],
        ]
      : []),
    ...(recipients.length > 0 ? [['Recipients', recipients.join(', ')] as [string, string]] : []),
  ]
}

const Runs = ({ cron, isPaused }: { cron: string; isPaused: boolean }) => (
  <>
    <CronWords cron={cron} />
    {isPaused && ' (paused)'}
  </>
)

const SourceTexts = ({ sources }: { sources: ChosenSource[] }) => (
  <ul>
    {sources.map((source) => (
      <li key={`${source.type} ${source.id} ${source.path}`}>{sourceText(source.name, source)}</li>
    ))}
  </ul>
)
