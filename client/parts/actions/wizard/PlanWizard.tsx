import { Checkbox } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type ActionPlan, startPlan } from '#events/actions/plans.ts'
import { failureOf } from '#events/contract/endpoint.ts'
import { call, CallError } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { FetchFailure } from '#client/ui/feedback/FetchFailure.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Warning } from '#client/ui/feedback/Warning.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { LeftOut } from './LeftOut.tsx'
import classes from './ActionWizard.module.css'

/** Messages of an action. `failure` is shown if the server gives no reason. */
type ActionTexts = { started: string; failure: string }

type ReviewProps = {
  plan: Loadable<ActionPlan>
  /** Warnings about the selection. */
  notices?: ReactNode
  /** Choices of the steps. */
  rows: ComponentProps<typeof ReviewList>['rows']
  options?: ReactNode
  warnings?: ReactNode
  /** Sentence that the user must confirm before the action starts, such as before files are deleted. */
  confirmation?: string | undefined
}

export type PlanWizardProps = ReviewProps & {
  title: string
  /** Verb of the last button. */
  verb: string
  /** Steps before the review. */
  steps?: WizardStep[]
  at?: number
  onStep?: (at: number) => void
  hasSubForm?: boolean
  /** Key of the plan, which the user confirms. */
  planKey?: string | undefined
  texts: ActionTexts
  onClose: () => void
}

/** Wizard whose last step reviews a plan, and whose last button starts it. */
export function PlanWizard({ title, verb, steps = [], at = 0, onStep = () => {}, ...props }: PlanWizardProps) {
  const { hasSubForm = false, planKey, texts, onClose, ...review } = props
  const { plan, confirmation } = review
  const [busy, setBusy] = useState(false)
  const [confirmed, confirm] = useState<string>()
  const isConfirmed = confirmation === undefined || (planKey !== undefined && confirmed === planKey)
  const start = async (id: number) => {
    setBusy(true)
    await startAction(id, texts)
    onClose()
  }
  const onConfirm = (isConfirmed: boolean) => confirm(isConfirmed ? planKey : undefined)
  const last: WizardStep = {
    title: 'Review',
    isValid: plan.data !== undefined && plan.data.files > 0 && isConfirmed,
    content: <Review {...review} isConfirmed={isConfirmed} onConfirm={onConfirm} busy={busy} />,
  }
  return (
    <Wizard
      title={title}
      verb={verb}
      steps={[...steps, last]}
      at={at}
      onStep={onStep}
      hasSubForm={hasSubForm}
      busy={busy}
      onSave={() => plan.data && void start(plan.data.id)}
      onClose={onClose}
    />
  )
}

/** Duration of the message that an action has started, in milliseconds. */
const startedMs = 9_000

/** Starts a planned action and shows the outcome as a toast. Never rejects. */
async function startAction(planId: number, { started, failure }: ActionTexts): Promise<void> {
  const input = { params: { id: planId } }
  try {
    await call(startPlan, input)
  } catch (error) {
    const { message } = error as Error
    return toast({ kind: 'danger', message: message === failureOf(startPlan, input) ? failure : message })
  }
  const message = (
    <>
      {started} <Link href={linksAt().jobs()}>See the jobs</Link>
    </>
  )
  return toast({ kind: 'success', message }, startedMs)
}

type ConfirmedReviewProps = ReviewProps & {
  isConfirmed: boolean
  onConfirm: (isConfirmed: boolean) => void
  busy: boolean
}

/** Choices of a wizard, and the plan with its files. Takes the focus, since its buttons are disabled while the server plans. */
function Review({ plan, notices, rows, options, warnings, ...props }: ConfirmedReviewProps) {
  const { confirmation, isConfirmed, onConfirm, busy } = props
  const { data, error, loading, retry } = plan
  return (
    <div className={classes.step} tabIndex={-1} data-autofocus>
      <ReviewList rows={data ? [...rows, ...figuresOf(data)] : rows} />
      {options && (
        <fieldset className="stack shrink gap-16" disabled={busy} data-takes-enter>
          {options}
        </fieldset>
      )}
      {loading && (
        <>
          <output>Listing the files</output>
          <Skeleton rows={3} />
        </>
      )}
      {error && !loading && <FetchFailure error={error} {...sentenceOf(error)} retry={retry} />}
      {data?.files === 0 && <Warning>There are no files to process, so nothing can be started.</Warning>}
      {notices}
      {warnings}
      {confirmation !== undefined && (
        <Checkbox
          label={confirmation}
          checked={isConfirmed}
          disabled={busy || !data}
          onChange={({ currentTarget }) => onConfirm(currentTarget.checked)}
        />
      )}
      {data && <LeftOut key={data.id} plan={data} />}
    </div>
  )
}

/** Errors with a code have a sentence for users. */
const sentenceOf = (error: Error) =>
  error instanceof CallError && error.code !== undefined ? { message: error.message } : {}

const figuresOf = ({ files, bytes, indexingDate }: ActionPlan): [string, ReactNode][] => [
  ['Files', <Count key="files" of={files} />],
  ['Size', <Size key="size" bytes={bytes} />],
  ['Snapshot', indexingDate ?? '-'],
]
