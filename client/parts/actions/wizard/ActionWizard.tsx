import { type ReactNode, useState } from 'react'
import { type Action, type ActionRequest, actions, jobOf, type OptionsOf } from '#events/actions/actions.ts'
import { type ActionPlan, planAction } from '#events/actions/plans.ts'
import { isLimited } from '#events/search/searched.ts'
import { call } from '#client/app/call.ts'
import type { ActionTarget } from '#client/parts/selection/action.ts'
import type { WizardStep } from '#client/ui/form/Wizard.tsx'
import { areUsable, ItemNotices } from './ItemNotices.tsx'
import { PlanWizard, type PlanWizardProps } from './PlanWizard.tsx'
import { useLoaded } from './useLoaded.ts'
import { type ItemRule, useValidItems } from './validItems.ts'
import classes from './ActionWizard.module.css'

/** An action with its options. */
type ActionJob = { [A in Action]: { action: A; options: OptionsOf<A> } }[Action]

type ActionWizardProps = Pick<PlanWizardProps, 'title' | 'verb' | 'texts' | 'confirmation' | 'onClose'> & {
  target: ActionTarget
  /** Items that the action accepts; undefined while they are unknown. */
  rule: ItemRule | undefined
  /** Steps before the review. */
  steps: WizardStep[]
  /** Index of the open step and the function that opens another, for steps that do so themselves. */
  opened?: [at: number, onStep: (at: number) => void]
  /** The step has its own buttons, which replace those of the wizard. */
  hasSubForm?: boolean
  /** The action with the choices of the steps; undefined before they are complete. */
  job: ActionJob | undefined
  /** Choices of the steps. */
  review: PlanWizardProps['rows']
  /** Inputs of the review, which receive its plan once the server has made it. */
  options?: ((plan: ActionPlan | undefined) => ReactNode) | undefined
  /** Warnings of the review. */
  warnings?: ReactNode
}

/**
 * Wizard of an action on selected items. After the steps of the action, the server plans it for review, and the last button starts the
 * plan. A plan is reused until the choices change.
 */
export function ActionWizard({ target, rule, steps, opened, job, review, options, ...props }: ActionWizardProps) {
  const own = useState(0)
  const [at, onStep] = opened ?? own
  const items = useValidItems(target, rule)
  const { selection, indexingDate } = target
  const isListed = 'entries' in selection
  const entries = at === steps.length ? items.data?.entries : undefined
  const body =
    entries && job && jobOf(job.action, job.options, isListed ? actions[job.action].listing.of(entries) : selection)
  const key = body && JSON.stringify(body)
  // The review shows how much an unlimited search takes.
  const query = { indexingDate, ...(!(isListed || isLimited(selection)) && { everything: 'true' as const }) }
  const plan = useLoaded(key, (signal) => call(planAction, { query, body: body as ActionRequest }, signal))
  const shownSteps = steps.map((step) => ({
    ...step,
    isValid: step.isValid && areUsable(items.data),
    content: (
      <div className={classes.step}>
        <ItemNotices items={items} rule={rule} />
        {step.content}
      </div>
    ),
  }))
  return (
    <PlanWizard
      {...props}
      steps={shownSteps}
      at={at}
      onStep={onStep}
      plan={plan}
      planKey={key}
      notices={<ItemNotices items={items} rule={rule} bytes={plan.data?.bytes} />}
      rows={review}
      options={options?.(plan.data)}
    />
  )
}
