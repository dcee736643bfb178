import { Anchor, Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { FormDialog } from './FormDialog.tsx'
import classes from './Wizard.module.css'

export type WizardStep = {
  title: string
  /** Summary of a completed step, in a few words. */
  chosen?: string | undefined
  isValid: boolean
  content: ReactNode
  /** Names of the form's fields in this step. */
  fields?: readonly string[]
  /** Runs before the next step opens, which it prevents by resolving to false. */
  check?: () => Promise<boolean>
  /** Ignores the problems that `check` found. Undefined without any. */
  onIgnore?: (() => void) | undefined
}

type WizardProps = {
  title: string
  steps: WizardStep[]
  /** Index of the open step. */
  at: number
  onStep: (at: number) => void
  /** Verb of the last button. */
  verb?: string
  busy: boolean
  /** A form in the step has its own buttons, which replace those of the wizard. */
  hasSubForm?: boolean
  onSave: () => void
  onClose: () => void
}

/** Multi-step dialog. Mounted only while open, so closing it discards all input. */
export function Wizard({ title, onClose, ...props }: WizardProps) {
  return (
    <FormDialog opened onClose={onClose} title={title} size="L">
      <Steps onClose={onClose} {...props} />
    </FormDialog>
  )
}

function Steps(props: Omit<WizardProps, 'title'>) {
  const { steps, at, onStep, verb = 'Save', busy, hasSubForm = false, onSave, onClose } = props
  const content = useRef<HTMLDivElement>(null)
  const forward = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (at > 0 || hasSubForm) (firstField(content.current) ?? forward.current)?.focus()
  }, [at, hasSubForm])
  const step = steps[at]
  const title = useRef(step?.title)
  useEffect(() => {
    // The first step may be left out once it is known that it offers no choice.
    if (at === 0 && title.current !== step?.title) firstField(content.current)?.focus()
    title.current = step?.title
  }, [at, step?.title])
  const isLast = at === steps.length - 1
  const next = () => {
    if (!step?.isValid || busy || hasSubForm) return
    if (isLast) onSave()
    else if (step.check) void step.check().then((isFine) => isFine && onStep(at + 1))
    else onStep(at + 1)
  }
  const ignore = () => {
    step?.onIgnore?.()
    onStep(at + 1)
  }
  const enter = useEffectEvent((event: KeyboardEvent) => isEnterInField(event) && next())
  useEffect(() => {
    const step = content.current
    step?.addEventListener('keydown', enter)
    return () => step?.removeEventListener('keydown', enter)
  }, [])
  return (
    <div className={classes.wizard}>
      <StepList steps={steps} at={at} />
      <section className={classes.content} ref={content} aria-label={step?.title}>
        {step?.content}
      </section>
      {!hasSubForm && (
        <div className={classes.footer}>
          {step?.onIgnore && !busy && (
            <Anchor component="button" type="button" className={classes.ignore} onClick={ignore}>
              Continue anyway
            </Anchor>
          )}
          <Button variant="default" disabled={busy} onClick={() => (at === 0 ? onClose() : onStep(at - 1))}>
            {at === 0 ? 'Cancel' : 'Back'}
          </Button>
          <Button ref={forward} disabled={!step?.isValid} loading={busy} onClick={next}>
            {isLast ? verb : 'Next'}
          </Button>
        </div>
      )}
    </div>
  )
}

function StepList({ steps, at }: { steps: WizardStep[]; at: number }) {
  return (
    <ol className={classes.steps} aria-label="Steps">
      {steps.map(({ title, chosen }, i) => (
        <li key={title} className={classes.step} aria-current={i === at ? 'step' : undefined}>
          <span className={classes.number} aria-hidden>
            {i < at ? <IconCheck size={14} stroke={2} /> : i + 1}
          </span>
          <span className={classes.words}>
            {title}
            {i < at && chosen && <span className={classes.chosen}>{chosen}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** First field of a step. */
const firstField = (content: HTMLElement | null): HTMLElement | null =>
  content?.querySelector<HTMLElement>('[data-autofocus]') ??
  content?.querySelector<HTMLElement>('input:not(:disabled), select:not(:disabled), textarea:not(:disabled)') ??
  null

/** Fields inside `data-takes-enter` handle Enter themselves. */
const isEnterInField = ({ key, target, defaultPrevented }: KeyboardEvent): boolean =>
  key === 'Enter' &&
  !defaultPrevented &&
  target instanceof HTMLInputElement &&
  target.closest('[data-takes-enter]') === null
