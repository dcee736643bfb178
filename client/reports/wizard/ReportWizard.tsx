import { useState } from 'react'
import { reports } from '#events/reports/calls.ts'
import { sourceText } from '#events/reports/parameterWords.ts'
import { comparesData, type Report, reportTypeLabels } from '#events/reports/templates.ts'
import { useRemote } from '#client/app/remote.ts'
import type { WizardStart } from '#client/reports/useWizardAddress.ts'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { webhookProblem } from '#client/parts/webhook/webhookValues.ts'
import { criteriaError } from '#client/parts/query-builder/criteria.ts'
import { counted } from '#client/ui/text/count.ts'
import { ConfigureStep } from './ConfigureStep.tsx'
import { QueryStep } from './QueryStep.tsx'
import { ReviewStep } from './ReviewStep.tsx'
import { SourcesStep } from './SourcesStep.tsx'
import { TagsStep } from './TagsStep.tsx'
import {
  type ChosenSource,
  emptyReport,
  fieldsOfCriteria,
  fieldsOfReady,
  type ReportFields,
  type ReportForm,
  reportForm,
} from './reportForm.ts'
import { useReportForm } from './useReportForm.ts'

type ReportWizardProps = { onClose: () => void } & ({ start: WizardStart } | { id: number })

/** Creates or edits a report step by step. */
export function ReportWizard(props: ReportWizardProps) {
  const { onClose } = props
  if ('id' in props) return <EditReport id={props.id} onClose={onClose} />
  return <Steps initial={fieldsOfStart(props.start)} edited={undefined} onClose={onClose} />
}

function fieldsOfStart({ ready, criteria }: WizardStart): ReportFields {
  if (criteria !== undefined && criteriaError(criteria) === undefined) return fieldsOfCriteria(criteria)
  return ready === undefined ? emptyReport() : fieldsOfReady(ready)
}

function EditReport({ id, onClose }: { id: number; onClose: () => void }) {
  const { loading, ...report } = useRemote(reports.find, { params: { id } })
  // Cached data may be outdated, so editing waits for the reload.
  if (report.data && !loading)
    return <Steps initial={reportForm.initial(report.data)} edited={report.data} onClose={onClose} />
  return (
    <Dialog opened title={editTitle} size="L" onClose={onClose}>
      <RemoteContent remote={{ ...report, data: undefined, loading }} skeleton={<Skeleton rows={8} />}>
        {() => null}
      </RemoteContent>
    </Dialog>
  )
}

const editTitle = 'Edit Report Template'

type StepsProps = { initial: ReportFields; edited: Report | undefined; onClose: () => void }

function Steps({ initial, edited, onClose }: StepsProps) {
  const [at, goTo] = useState(() => firstStep(initial))
  const { form, busy, save } = useReportForm(initial, edited?.id)
  const startFrom = (ready: string) => {
    const fields = fieldsOfReady(ready)
    form.setValues(fields)
    goTo(firstStep(fields))
  }
  const steps = stepsOf({ form, busy, edited, startFrom })
  const saveAll = async () => {
    const rejected = await save()
    if (rejected === undefined) return onClose()
    const wrong = steps.findIndex(({ fields }) => fields.some((field) => rejected.includes(field)))
    if (wrong >= 0) goTo(wrong)
  }
  return (
    <Wizard
      title={edited ? editTitle : 'Create Report Template'}
      {...{ steps, at, busy, onClose }}
      savesEarly
      onStep={goTo}
      onSave={() => void saveAll()}
    />
  )
}

/** Index of the step that a template opens: the review, or the data to compare, which a template can't know. */
function firstStep({ readyKey, type }: ReportFields): number {
  if (readyKey === '' || type === '') return 0
  return comparesData(type) ? 1 : reviewOfSearch
}
/** Configuration, search and tags come before. */
const reviewOfSearch = 3

type ReportStep = WizardStep & { fields: (keyof ReportFields)[] }

type StepsOptions = {
  form: ReportForm
  busy: boolean
  edited: Report | undefined
  startFrom: (ready: string) => void
}

function stepsOf({ form, busy, edited, startFrom }: StepsOptions): ReportStep[] {
  const { values } = form
  const faults = reportForm.errors(values)
  const step = ({ fields, ...step }: Omit<ReportStep, 'isValid'>): ReportStep => ({
    ...step,
    fields,
    isValid: fields.every((field) => faults[field] === undefined),
  })
  const isCompared = values.type !== '' && comparesData(values.type)
  const isNew = edited === undefined
  return [
    step({
      title: 'Configure Report Template',
      chosen: [values.name, values.type && reportTypeLabels[values.type]].filter(Boolean).join(', '),
      fields: ['name', 'type', 'retention'],
      content: <ConfigureStep form={form} busy={busy} startFrom={isNew ? startFrom : undefined} />,
    }),
    ...(isCompared ? (['references', 'comparison'] as const).map((side) => step(sourcesStep(form, side))) : []),
    step({
      title: 'Add Search Queries',
      chosen: isCompared && !values.isFiltered ? 'None' : 'Conditions',
      fields: ['group'],
      content: <QueryStep form={form} />,
    }),
    step({
      title: 'Add Optional Tags',
      chosen: values.tags.join(', ') || 'None',
      fields: ['tags'],
      content: (
        <TagsStep
          tags={values.tags}
          onChange={(tags) => form.setFieldValue('tags', tags)}
          error={faults['tags'] ?? form.errors['tags']}
        />
      ),
    }),
    step({
      title: 'Review',
      fields: ['runs', 'checks', 'addresses', 'webhook', 'webhookTemplate'],
      content: <ReviewStep form={form} busy={busy} problem={edited && webhookProblem(edited)} />,
    }),
  ]
}

const sides = {
  references: {
    title: 'Select Reference Data',
    explanation: 'Data to compare with: storages, folders or projects.',
  },
  comparison: {
    title: 'Select Comparison Data',
    explanation: 'Data to search. The report tags matching files here.',
  },
}

function sourcesStep(form: ReportForm, side: keyof typeof sides): Omit<ReportStep, 'isValid'> {
  const { title, explanation } = sides[side]
  const sources = form.values[side]
  return {
    title,
    chosen: chosenText(sources),
    fields: [side],
    content: (
      <SourcesStep
        key={side}
        explanation={explanation}
        sources={sources}
        onChange={(sources) => form.setFieldValue(side, sources)}
      />
    ),
  }
}

const chosenText = (sources: readonly ChosenSource[]): string =>
  sources.length === 1 && sources[0] ? sourceText(sources[0].name, sources[0]) : counted(sources.length, 'data source')
