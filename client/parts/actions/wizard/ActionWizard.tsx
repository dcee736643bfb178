import { type ComponentProps, type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type ActionPlan, planAction, startPlan } from '#events/actions/plans.ts'
import { type Call, failureOf } from '#events/contract/endpoint.ts'
import type { EntrySummary } from '#events/entries.ts'
import { isLimited } from '#events/search/searched.ts'
import { call } from '#client/app/call.ts'
import { linksAt } from '#client/app/links.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import type { ActionTarget } from '#client/parts/actions/actionTarget.ts'
import type { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { areUsable, ItemNotices } from './ItemNotices.tsx'
import { ReviewStep } from './ReviewStep.tsx'
import { useLoaded } from './useLoaded.ts'
import { type ItemRule, useValidItems } from './validItems.ts'
import classes from './ActionWizard.module.css'

/** Type and payload of the job of an action. */
export type PlanRequest = Call<typeof planAction>['body']

/** Messages of an action. `failure` is shown if the server gives no reason. */
type ActionTexts = { started: string; failure: string }

type ActionWizardProps = {
  title: string
  /** Verb of the last button. */
  verb: string
  target: ActionTarget
  /** Items that the action accepts; undefined while they are unknown. */
  rule: ItemRule | undefined
  /** Steps before the review. */
  steps: WizardStep[]
  /** Index of the open step. */
  at: number
  onStep: (at: number) => void
  /** The step has its own buttons, which replace those of the wizard. */
  hasSubForm?: boolean
  /** Returns the job for the accepted entries, or for the search of the target; undefined before the steps are complete. */
  request: (entries: readonly EntrySummary[]) => PlanRequest | undefined
  /** Choices of the steps. */
  review: ComponentProps<typeof ReviewList>['rows']
  /** Inputs of the review, which receive its plan once the server has made it. */
  options?: ((plan: ActionPlan | undefined) => ReactNode) | undefined
  /** Warnings of the review. */
  warnings?: ReactNode
  /** Sentence that the user must confirm before the action starts, such as before files are deleted. */
  confirmation?: string | undefined
  texts: ActionTexts
  onClose: () => void
}

/**
 * Wizard of an action on selected items. After the steps of the action, the server plans it for review, and the last button starts the
 * plan. A plan is reused until the choices change.
 */
export function ActionWizard(props: ActionWizardProps) {
  const { title, verb, target, rule, at, onStep, hasSubForm = false, texts, confirmation, onClose } = props
  const items = useValidItems(target, rule)
  const isReview = at === props.steps.length
  const body = isReview && items.data ? props.request(items.data.entries) : undefined
  const key = body && JSON.stringify(body)
  const { selection, indexingDate } = target
  // The review shows how much an unlimited search takes.
  const query = {
    indexingDate,
    ...(!('entries' in selection || isLimited(selection)) && { everything: 'true' as const }),
  }
  const plan = useLoaded(key, (signal) => call(planAction, { query, body: body as PlanRequest }, signal))
  const [busy, setBusy] = useState(false)
  /** Key of the plan that the user has confirmed. */
  const [confirmed, confirm] = useState<string>()
  const isConfirmed = confirmation === undefined || (key !== undefined && confirmed === key)
  const start = async (id: number) => {
    setBusy(true)
    await startAction(id, texts)
    onClose()
  }
  const steps = props.steps.map((step) => ({
    ...step,
    isValid: step.isValid && areUsable(items.data),
    content: (
      <div className={classes.step}>
        <ItemNotices items={items} rule={rule} />
        {step.content}
      </div>
    ),
  }))
  const review: WizardStep = {
    title: 'Review',
    isValid: plan.data !== undefined && plan.data.files > 0 && isConfirmed,
    content: (
      <ReviewStep
        plan={plan}
        notices={<ItemNotices items={items} rule={rule} bytes={plan.data?.bytes} />}
        rows={props.review}
        options={props.options?.(plan.data)}
        warnings={props.warnings}
        confirmation={confirmation}
        isConfirmed={isConfirmed}
        onConfirm={(isConfirmed) => confirm(isConfirmed ? key : undefined)}
        busy={busy}
      />
    ),
  }
  return (
    <Wizard
      title={title}
      verb={verb}
      steps={[...steps, review]}
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
export async function startAction(planId: number, { started, failure }: ActionTexts): Promise<void> {
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
