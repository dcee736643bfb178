import { type ReactNode, useState } from 'react'
import type { SourceKind } from '#events/sources/kinds.ts'
import type { Form } from '#client/app/defineForm.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import type { WizardStep } from '#client/ui/form/Wizard.tsx'
import { noCosts } from '../price-books/noCosts.ts'
import { PriceBookPicker } from '../price-books/PriceBookPicker.tsx'
import { type UnsavedPriceBook, createUnsaved } from '../price-books/unsavedPriceBooks.ts'
import { usePriceBooks } from '../price-books/usePriceBooks.ts'
import type { useAgents } from './useAgents.ts'
import { FirstScan, type FirstScanOptions, startFirstScan } from './FirstScan.tsx'

/** The part of any storage form that holds its price book. */
type PricedForm = {
  values: { priceBook: string }
  errors: Record<string, ReactNode>
  setFieldValue(field: 'priceBook', value: string): void
}

/** State of a wizard that adds a storage: the current step, and if a form within the step is open. */
export function useAddWizard(onClose: () => void) {
  const [at, onStep] = useState(0)
  const [hasSubForm, onSubForm] = useState(false)
  return { wizard: { at, onStep, hasSubForm, onClose }, onSubForm }
}

type Saving = Pick<ReturnType<typeof useAddWizard>, 'wizard'> & {
  steps: readonly WizardStep[]
  /** Returns the rejected fields, or undefined on success. */
  save: () => Promise<string[] | undefined>
}

/** Saves a storage and closes the wizard. Rejected fields open their step. */
export async function saveAll({ wizard, steps, save }: Saving): Promise<void> {
  const rejected = await save()
  if (rejected === undefined) return wizard.onClose()
  const step = stepOf(steps, rejected)
  if (step !== undefined) wizard.onStep(step)
}

/** The first step that has one of the fields. */
export function stepOf(steps: readonly WizardStep[], fields: readonly string[]): number | undefined {
  const found = steps.findIndex((step) => step.fields?.some((field) => fields.includes(field)))
  return found === -1 ? undefined : found
}

type Agents = ReturnType<typeof useAgents>

/** True if users have to choose an agent. With the built-in one alone, wizards leave out the step. */
export const isAgentChoice = ({ data, error }: Pick<Agents, 'data' | 'error'>): boolean =>
  error !== undefined || data?.elements.length !== 1

/** Extras of a wizard besides its storage: new price books, which are created first, and the first scan. */
function useAdditions(form: PricedForm) {
  const [unsaved, setUnsaved] = useState<UnsavedPriceBook[]>([])
  const [firstScan, setFirstScan] = useState<FirstScanOptions>({ scanNow: true, repeatNightly: false })
  const { data: books } = usePriceBooks()
  const known = [...(books?.elements ?? []), ...unsaved]
  return {
    unsaved,
    setUnsaved,
    firstScan,
    setFirstScan,
    /** Name of the selected price book, once loaded. */
    priceBookName:
      form.values.priceBook === ''
        ? noCosts
        : known.find(({ id }) => String(id) === form.values.priceBook)?.description,
    /** Creates new price books, and returns the selection with its final id. */
    createPriceBooks: (selected: string) =>
      createUnsaved(selected, unsaved, (now, rest) => {
        form.setFieldValue('priceBook', now)
        setUnsaved(rest)
      }),
  }
}

type NewSource<F, D, T> = {
  kind: SourceKind
  form: Form<F, D, T>
  nameOf: (fields: F) => string
  /** Returns the id of the source, or undefined if it can't be scanned yet. */
  create: (draft: D, fields: F) => Promise<number | undefined>
}

/** Form state of a source to add. Saving creates new price books, then the source, and starts its first scan. */
export function useNewSource<F extends Record<string, unknown> & { priceBook: string }, D, T>(
  source: NewSource<F, D, T>,
) {
  const { kind, form: definition, nameOf, create } = source
  const save = async (_: D, fields: F) => {
    const priced = { ...fields, priceBook: await additions.createPriceBooks(fields.priceBook) }
    const id = await create(definition.toDraft(priced, 'new'), priced)
    if (id === undefined) return
    const name = nameOf(fields).trim()
    toast({ kind: 'success', message: `${name} was added` })
    await startFirstScan({ kind, id, name }, additions.firstScan)
  }
  const state = useSavedForm<F, D, T>({ form: definition, save, checksOnBlur: true })
  const additions = useAdditions(state.form as unknown as PricedForm)
  return { form: state.form, busy: state.busy, save: state.save, additions }
}

type LastSteps = {
  form: PricedForm
  busy: boolean
  additions: ReturnType<typeof useAdditions>
  /** Errors by field. */
  faults: Partial<Record<string, unknown>>
  /** Properties of the new storage; its price book is added at the end. */
  review: readonly [string, string | undefined][]
  onSubForm: (isOpen: boolean) => void
}

/** The last steps of every wizard that adds a storage. */
export function lastSteps({ form, busy, additions, faults, review, onSubForm }: LastSteps): WizardStep[] {
  const { unsaved, setUnsaved, firstScan, setFirstScan, priceBookName } = additions
  const isValid = Object.keys(faults).length === 0
  return [
    {
      title: 'Select Storage Price',
      fields: ['priceBook'],
      chosen: priceBookName,
      isValid: faults['priceBook'] === undefined,
      content: (
        <PriceBookPicker
          value={form.values.priceBook}
          onChange={(value) => form.setFieldValue('priceBook', value)}
          error={form.errors['priceBook']}
          adding={{ unsaved, onChange: setUnsaved, onOpen: onSubForm }}
        />
      ),
    },
    { title: 'Review', isValid, content: <ReviewList rows={[...review, ['Price Book', priceBookName]]} /> },
    {
      title: 'First Scan',
      isValid,
      content: <FirstScan options={firstScan} onChange={setFirstScan} busy={busy} />,
    },
  ]
}
