import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Dialog } from './Dialog.tsx'
import classes from './Wizard.module.css'

export type WizardStep = {
  title: string
  /** What was chosen there, in a few words, once it is left behind. */
  chosen?: string | undefined
  isValid: boolean
  content: ReactNode
}

type WizardProps = {
  title: string
  steps: WizardStep[]
  /** Which of them is open. */
  at: number
  onStep: (at: number) => void
  /** The verb of the last button. */
  verb?: string
  busy: boolean
  /** A form within the step brings buttons of its own, which stand in place of the wizard's. */
  hasSubForm?: boolean
  onSave: () => void
  onClose: () => void
}

/** Makes something step by step. It is drawn while it is open, so that closing it forgets everything. */
export function Wizard({ title, onClose, ...props }: WizardProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size="L" holds>
      <Steps onClose={onClose} {...props} />
    </Dialog>
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
  const isLast = at === steps.length - 1
  const next = () => {
    if (!step?.isValid || busy || hasSubForm) return
    if (isLast) onSave()
    else onStep(at + 1)
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

/** The field of a step that is written to first. */
const firstField = (content: HTMLElement | null): HTMLElement | null =>
  content?.querySelector<HTMLElement>('[data-autofocus]') ??
  content?.querySelector<HTMLElement>('input:not(:disabled), select:not(:disabled), textarea:not(:disabled)') ??
  null

/** Fields within `data-takes-enter` do something of their own with Enter. */
const isEnterInField = ({ key, target, defaultPrevented }: KeyboardEvent): boolean =>
  key === 'Enter' &&
  !defaultPrevented &&
  target instanceof HTMLInputElement &&
  target.closest('[data-takes-enter]') === null
