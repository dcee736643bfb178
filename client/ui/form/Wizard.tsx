import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { FormDialog } from './FormDialog.tsx'
import { IgnoreLink } from './IgnoreLink.tsx'
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
  /** Offers the last button in each step, once all are valid. Actions on files don't: their review comes first. */
  savesEarly?: boolean
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

type StepsProps = Omit<WizardProps, 'title'>

function Steps(props: StepsProps) {
  const { steps, at, onStep, verb = 'Save', busy, hasSubForm = false, onClose } = props
  const content = useRef<HTMLDivElement>(null)
  const forward = useRef<HTMLButtonElement>(null)
  useFocusOfStep(content, forward, props)
  const step = steps[at]
  const isLast = at === steps.length - 1
  const { mayOpen, open, maySaveEarly, save } = useMoves(props)
  const next = () => {
    if (!step?.isValid || busy || hasSubForm) return
    if (isLast) save()
    else open(at + 1)
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
      <StepList steps={steps} at={at} mayOpen={mayOpen} onOpen={open} />
      <section className={classes.content} ref={content} aria-label={step?.title}>
        {step?.content}
      </section>
      {!hasSubForm && (
        <div className={classes.footer}>
          {step?.onIgnore && !busy && <IgnoreLink onClick={ignore}>Continue anyway</IgnoreLink>}
          <Button variant="default" disabled={busy} onClick={() => (at === 0 ? onClose() : onStep(at - 1))}>
            {at === 0 ? 'Cancel' : 'Back'}
          </Button>
          {maySaveEarly && (
            <Button variant="default" disabled={busy} onClick={save}>
              {verb}
            </Button>
          )}
          <Button ref={forward} disabled={!step?.isValid} loading={busy} onClick={next}>
            {isLast ? verb : 'Next'}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Focuses the first field of a step that opens; the dialog does that for the first one. */
function useFocusOfStep(
  content: RefObject<HTMLElement | null>,
  forward: RefObject<HTMLElement | null>,
  { steps, at, hasSubForm = false }: StepsProps,
): void {
  const title = steps[at]?.title
  const last = useRef({ at, title })
  useEffect(() => {
    if (at > 0 || last.current.at !== at || hasSubForm) (firstField(content.current) ?? forward.current)?.focus()
    last.current.at = at
  }, [content, forward, at, hasSubForm])
  useEffect(() => {
    // The first step may be left out once it is known that it offers no choice.
    if (at === 0 && last.current.title !== title) firstField(content.current)?.focus()
    last.current.title = title
  }, [content, at, title])
}

/**
 * Moves among the steps. Going forward needs valid steps up to there, and runs their checks; a step with a problem opens
 * instead.
 */
function useMoves({ steps, at, onStep, savesEarly = false, busy, hasSubForm = false, onSave }: StepsProps) {
  const areValid = (from: number, to: number) => steps.slice(from, to).every(({ isValid }) => isValid)
  const passChecked = async (places: number[], done: () => void) => {
    for (const place of places) {
      if (place !== at) onStep(place)
      if (!(await steps[place]?.check?.())) return
    }
    done()
  }
  const pass = (to: number, done: () => void) => {
    const places = steps.flatMap((step, i) => (step.check && i >= at && i < to ? [i] : []))
    if (places.length === 0) done()
    else void passChecked(places, done)
  }
  return {
    mayOpen: (to: number) => to !== at && !busy && !hasSubForm && (to < at || areValid(at, to)),
    open: (to: number) => pass(to, () => onStep(to)),
    maySaveEarly: savesEarly && at < steps.length - 1 && areValid(0, steps.length),
    save: () => pass(steps.length - 1, onSave),
  }
}

type StepListProps = {
  steps: WizardStep[]
  at: number
  mayOpen: (at: number) => boolean
  onOpen: (at: number) => void
}

/** The steps, with buttons that lead to those that may open. */
function StepList({ steps, at, mayOpen, onOpen }: StepListProps) {
  const [reached, reach] = useState(at)
  if (at > reached) reach(at)
  return (
    <ol className={classes.steps} aria-label="Steps">
      {steps.map(({ title, chosen, isValid }, i) => {
        const isDone = i < at || (i !== at && i < reached && isValid)
        const content = (
          <>
            <span className={classes.number} aria-hidden>
              {isDone ? <IconCheck size={14} stroke={2} /> : i + 1}
            </span>
            <span className={`shrink break ${classes.words}`}>
              {title}
              {isDone && chosen && <span className={classes.chosen}>{chosen}</span>}
            </span>
          </>
        )
        return (
          <li key={title} className={classes.step} aria-current={i === at ? 'step' : undefined}>
            {mayOpen(i) ? (
              <button type="button" className={classes.open} onClick={() => onOpen(i)}>
                {content}
              </button>
            ) : (
              content
            )}
          </li>
        )
      })}
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
