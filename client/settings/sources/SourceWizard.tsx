import { type ReactNode, useState } from 'react'
import type { SourceKind } from '#events/sources/kinds.ts'
import type { Fields } from '#client/app/defineForm.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { type Connection, useConnectionCheck, withProblems } from '#client/parts/settings-table/connectionCheck.ts'
import type { DescribedForm } from '#client/parts/settings-table/describeForm.ts'
import { pick, withFocusOn } from '#client/parts/settings-table/form.ts'
import { FormInputs } from '#client/parts/settings-table/FormInputs.tsx'
import { SubForm, type SubFormTable } from '#client/parts/settings-table/SubForm.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { Wizard, type WizardStep } from '#client/ui/form/Wizard.tsx'
import { noCosts } from '../price-books/noCosts.ts'
import { PriceBookPicker } from '../price-books/PriceBookPicker.tsx'
import { type UnsavedPriceBook, createUnsaved } from '../price-books/unsavedPriceBooks.ts'
import { usePriceBooks } from '../price-books/usePriceBooks.ts'
import { AgentStep } from './AgentStep.tsx'
import { useLeftover } from './useLeftover.tsx'
import { type KnownCredentials, NewCredentials } from './CredentialsSelect.tsx'
import { FirstScan, type FirstScanOptions, startFirstScan } from './FirstScan.tsx'
import { useAgents } from './useAgents.ts'
import classes from './Sources.module.css'

/** Fields of a new source. Without `agent`, there is no step that selects it. */
type SourceFields = Fields & { agent?: string; credentials: string; priceBook: string }

/** Names of the selected rows; undefined until loaded. */
type SelectedNames = { agent: string | undefined; credentials: string | undefined }

/** A wizard that adds a source with the fields `F`, which sends the draft `D`. */
export type SourceWizard<F extends Fields, T, D> = {
  title: string
  kind: SourceKind
  form: DescribedForm<F, T, D>
  nameOf(fields: F): string
  /** Creates what the source needs before it. Returns the fields that select it, also for another try. */
  prepare?(fields: F): Promise<Partial<F>>
  /** Returns the id of the source, or undefined if it can't be scanned yet. */
  create(draft: D): Promise<number | undefined>
  agentHelp?: string
  credentials: { table: SubFormTable; initial?(fields: F): Fields }
  steps: readonly SourceStep<F>[]
  /** Properties in the summary; the price book is added at the end. */
  review(fields: F, names: SelectedNames): Review
}

export type Review = [label: string, value: string | undefined][]

/** `children` are the inputs of the step, or the form for new credentials. */
export type StepContent = { isChecking: boolean; choices: Loadable<string[]>; children: ReactNode }

export type SourceStep<F extends Fields> = {
  title: string
  /** Inputs in their order, and those that take the focus, if not the first one. */
  inputs: readonly (keyof F & string)[]
  focus?: readonly (keyof F & string)[]
  /** Summary of the completed step. */
  chosen(fields: F, names: SelectedNames): string | undefined
  /** Tried before the next step opens. */
  connection?: Connection<F>
  /** Content around or instead of the inputs. */
  Content?(props: StepContent): ReactNode
  /** A hook that reads choices, without which the step isn't valid. `isOpen` is true from this step on. */
  useChoices?: (fields: F, isOpen: boolean) => Loadable<string[]>
}

type OpenWizard<F extends Fields, T, D> = {
  source: SourceWizard<F, T, D>
  /** Credentials to choose from; undefined until loaded. */
  known: KnownCredentials | undefined
  /** Values that differ from those of the form. */
  initial?: Partial<F>
  onClose: () => void
}

/** Adds a source, step by step. */
export function AddSourceWizard<F extends SourceFields, T, D>(props: OpenWizard<F, T, D>) {
  const { source, known, initial, onClose } = props
  const [at, onStep] = useState(0)
  const [hasSubForm, onSubForm] = useState(false)
  const added = useNewSource(source, initial)
  const leftover = useLeftover(source.credentials.table, onClose)
  const checks = useChecks(source.steps, added.form)
  const busy = added.busy || checks.some(({ isChecking }) => isChecking)
  const form = withProblems(added.form, Object.assign({}, ...checks.map(({ problems }) => problems)))
  const { data: agents } = useAgents(source.agentHelp !== undefined)
  const { agent, credentials } = form.values
  const names = { agent: nameIn(agents, agent), credentials: nameIn(known, credentials) }
  const opened = { at, onStep, hasSubForm, onSubForm, onCreated: leftover.note }
  const steps = useSteps({ source, added: { ...added, form, busy }, names, checks, ...opened })
  /** Rejected fields open their step. */
  const save = async () => {
    const rejected = await added.save()
    if (rejected === undefined) return onClose()
    const step = stepOf(steps, rejected)
    if (step !== undefined) onStep(step)
  }
  const wizard = { title: source.title, at, onStep, hasSubForm, onClose: leftover.leave, steps, busy }
  return (
    <>
      <Wizard {...wizard} savesEarly onSave={() => void save()} />
      {leftover.question}
    </>
  )
}

/** Form state of a source to add. Saving creates new price books, then the source, and starts its first scan. */
function useNewSource<F extends SourceFields, T, D>(
  { kind, form: description, nameOf, prepare, create }: SourceWizard<F, T, D>,
  initial: Partial<F> | undefined,
) {
  const [unsaved, setUnsaved] = useState<UnsavedPriceBook[]>([])
  const [firstScan, setFirstScan] = useState<FirstScanOptions>({ scanNow: true, repeatNightly: false })
  const { form, busy, save } = useSavedForm<F, D, T>({
    form: description,
    checksOnBlur: true,
    ...(initial && { initialValues: { ...description.initial('new'), ...initial } }),
    async save(_, fields) {
      const priceBook = await createUnsaved(fields.priceBook, unsaved, (now, rest) => {
        selectPriceBook(now)
        setUnsaved(rest)
      })
      const made = await prepare?.(fields)
      if (made) form.setValues({ ...form.getValues(), ...made })
      const id = await create(description.toDraft({ ...fields, ...made, priceBook }, 'new'))
      if (id === undefined) return
      const name = nameOf(fields).trim()
      toast({ kind: 'success', message: `${name} was added` })
      await startFirstScan({ kind, id, name }, firstScan)
    },
  })
  const selectPriceBook = (id: string) => form.setValues({ ...form.getValues(), priceBook: id })
  return { form, busy, save, unsaved, setUnsaved, firstScan, setFirstScan, selectPriceBook }
}

type NewSource<F extends SourceFields, T, D> = ReturnType<typeof useNewSource<F, T, D>>

/** Checks of the first two steps. */
function useChecks<F extends SourceFields>(
  steps: readonly SourceStep<F>[],
  form: NewSource<F, unknown, unknown>['form'],
) {
  const checkOf = (connection: Connection<F> = noConnection) => ({
    form,
    keyOf: connection.keyOf,
    check: (fields: F) => connection.check(fields, 'new'),
  })
  return [useConnectionCheck<F>(checkOf(steps[0]?.connection)), useConnectionCheck<F>(checkOf(steps[1]?.connection))]
}

const noConnection: Connection = { keyOf: () => null, check: async () => ({}) }

const nameIn = (list: KnownCredentials | undefined, selected: string | undefined) =>
  list?.elements.find(({ id }) => String(id) === selected)?.name

/** The first step that has one of the fields. */
function stepOf(steps: readonly WizardStep[], fields: readonly string[]): number | undefined {
  const found = steps.findIndex((step) => step.fields?.some((field) => fields.includes(field)))
  return found === -1 ? undefined : found
}

type StepsState<F extends SourceFields, T, D> = {
  source: SourceWizard<F, T, D>
  added: NewSource<F, T, D>
  names: SelectedNames
  checks: ReturnType<typeof useChecks<F>>
  at: number
  onStep: (at: number) => void
  hasSubForm: boolean
  onSubForm: (isOpen: boolean) => void
  onCreated: (id: number) => void
}

/** The step of the agent unless there is only one, the declared steps, and those that all sources share. */
function useSteps<F extends SourceFields, T, D>(state: StepsState<F, T, D>): WizardStep[] {
  const { source, added, names, checks, at, onStep } = state
  const { values } = added.form
  const faults = source.form.errors(values)
  const agents = useAgents(source.agentHelp !== undefined)
  const hasAgents = source.agentHelp !== undefined && (agents.error !== undefined || agents.data?.elements.length !== 1)
  const first = hasAgents ? 1 : 0
  const choices = source.steps.map(({ useChoices = noChoices }, place) => useChoices(values, at >= place + first))
  const agentStep = { isValid: !faults['agent'] && agents.data !== undefined, chosen: names.agent }
  const steps = [
    ...(hasAgents ? [{ ...agentStep, title: 'Select Agent', fields: ['agent'], content: agentContent(state) }] : []),
    ...source.steps.map((step, place): WizardStep => {
      return {
        title: step.title,
        fields: step.inputs,
        chosen: step.chosen(values, names),
        isValid: isRead(choices[place]) && step.inputs.every((field) => faults[field] === undefined),
        onIgnore: checks[place]?.onIgnore,
        content: contentOf(state, step, {
          isChecking: checks[place]?.isChecking === true,
          choices: choices[place] ?? noChoices(),
        }),
      }
    }),
  ]
  return [...steps.map(withCheck), ...lastSteps(state, faults)]

  /** A problem of an earlier step opens that step. */
  function withCheck(step: WizardStep, place: number): WizardStep {
    const check = source.steps[place - first]?.connection && checks[place - first]
    if (!check) return step
    return {
      ...step,
      async check() {
        const problems = await check.run()
        const earlier = stepOf(steps.slice(0, place), Object.keys(problems ?? {}))
        if (earlier !== undefined) onStep(earlier)
        return problems === undefined
      },
    }
  }
}

const isRead = (choices: Loadable<string[]> | undefined) => !!choices?.data && !choices.loading && !choices.error

const noChoices = (): Loadable<string[]> => ({ data: [], error: undefined, loading: false, retry: () => {} })

/** Inputs of a step, or the form for new credentials. */
function contentOf<F extends SourceFields, T, D>(
  { source, added: { form, busy }, hasSubForm, onSubForm, onCreated }: StepsState<F, T, D>,
  { inputs, focus = [], Content }: SourceStep<F>,
  state: Omit<StepContent, 'children'>,
) {
  const { table, initial } = source.credentials
  if (hasSubForm)
    return (
      <SubForm
        table={table}
        what="credentials"
        initial={initial?.(form.values)}
        onCreated={(id) => {
          form.setValues({ ...form.getValues(), credentials: String(id) })
          onCreated(id)
          onSubForm(false)
        }}
        onCancel={() => onSubForm(false)}
      />
    )
  const drawn = { form, busy, edited: 'new' } as const
  const children = (
    <NewCredentials value={() => onSubForm(true)}>
      <div className={classes.form}>
        <FormInputs inputs={withFocusOn(pick(source.form, inputs), focus)} {...drawn} />
      </div>
    </NewCredentials>
  )
  return Content ? <Content {...state}>{children}</Content> : children
}

function agentContent<F extends SourceFields, T, D>({ source, added: { form } }: StepsState<F, T, D>) {
  return (
    <AgentStep
      description={source.agentHelp ?? ''}
      value={form.values.agent ?? ''}
      onChange={(agent) => form.setValues({ ...form.getValues(), agent })}
      error={form.errors['agent']}
    />
  )
}

/** The last steps of every wizard that adds a source. */
function lastSteps<F extends SourceFields, T, D>(
  { source, added, names, onSubForm }: StepsState<F, T, D>,
  faults: Record<string, string>,
): WizardStep[] {
  const { form, busy, unsaved, setUnsaved, firstScan, setFirstScan, selectPriceBook } = added
  const { data: books } = usePriceBooks()
  const { priceBook } = form.values
  const known = [...(books?.elements ?? []), ...unsaved]
  const name = priceBook === '' ? noCosts : known.find(({ id }) => String(id) === priceBook)?.description
  const isValid = Object.keys(faults).length === 0
  return [
    {
      title: 'Select Storage Price',
      fields: ['priceBook'],
      chosen: name,
      isValid: faults['priceBook'] === undefined,
      content: (
        <PriceBookPicker
          value={priceBook}
          onChange={selectPriceBook}
          error={form.errors['priceBook']}
          adding={{ unsaved, onChange: setUnsaved, onOpen: onSubForm }}
        />
      ),
    },
    {
      title: 'Review',
      isValid,
      content: <ReviewList rows={[...source.review(form.values, names), ['Price Book', name]]} />,
    },
    { title: 'First Scan', isValid, content: <FirstScan options={firstScan} onChange={setFirstScan} busy={busy} /> },
  ]
}
