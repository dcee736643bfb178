import { type ReactNode, useState } from 'react'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import type { WizardStep } from '#client/ui/form/Wizard.tsx'
import { PriceBookPicker } from '../price-books/PriceBookPicker.tsx'
import { type UnsavedPriceBook, createUnsaved } from '../price-books/unsavedPriceBooks.ts'
import { usePriceBooks } from '../price-books/usePriceBooks.ts'
import { FirstScan, type FirstScanOptions } from './FirstScan.tsx'

/** Of the form of any kind of storage: what its price book is. */
type PricedForm = {
  values: { priceBook: string }
  errors: Record<string, ReactNode>
  setFieldValue(field: 'priceBook', value: string): void
}

type Saving = {
  /** Gives back the fields that were rejected, or nothing when all is done. */
  save: () => Promise<string[] | undefined>
  /** The step that a field is in. */
  stepOf: (field: string) => number
  onClose: () => void
}

/** Where a wizard is that adds a storage, and whether a form within the step is open. What is rejected opens its step. */
export function useAddWizard({ save, stepOf, onClose }: Saving) {
  const [at, onStep] = useState(0)
  const [hasSubForm, onSubForm] = useState(false)
  const saveAll = async () => {
    const rejected = await save()
    if (rejected === undefined) onClose()
    else if (rejected[0] !== undefined) onStep(stepOf(rejected[0]))
  }
  return { wizard: { at, onStep, hasSubForm, onClose, onSave: () => void saveAll() }, onSubForm }
}

/** What a wizard does beside its storage: the price books that were added, which are created first, and the first scan. */
export function useAdditions(form: PricedForm) {
  const [unsaved, setUnsaved] = useState<UnsavedPriceBook[]>([])
  const [firstScan, setFirstScan] = useState<FirstScanOptions>({ scanNow: true, repeatNightly: false })
  const { data: books } = usePriceBooks()
  const known = [...(books?.elements ?? []), ...unsaved]
  return {
    unsaved,
    setUnsaved,
    firstScan,
    setFirstScan,
    /** The name of the price book that is selected, once it is known. */
    priceBookName: known.find(({ id }) => String(id) === form.values.priceBook)?.description,
    /** Creates those that were added, and gives back which one is selected then. */
    createPriceBooks: (selected: string) =>
      createUnsaved(selected, unsaved, (now, rest) => {
        form.setFieldValue('priceBook', now)
        setUnsaved(rest)
      }),
  }
}

type LastSteps = {
  form: PricedForm
  busy: boolean
  additions: ReturnType<typeof useAdditions>
  /** What is wrong with the fields, by name. */
  faults: Partial<Record<string, unknown>>
  /** What the storage will be; its price book comes after. */
  review: readonly [string, string | undefined][]
  /** Why the storage was not created by the last try. */
  refusal?: string | undefined
  onSubForm: (isOpen: boolean) => void
}

/** The steps that end every wizard that adds a storage. */
export function lastSteps({ form, busy, additions, faults, review, refusal, onSubForm }: LastSteps): WizardStep[] {
  const { unsaved, setUnsaved, firstScan, setFirstScan, priceBookName } = additions
  const isValid = Object.keys(faults).length === 0
  return [
    {
      title: 'Select Storage Price',
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
      content: <FirstScan options={firstScan} onChange={setFirstScan} refusal={refusal} busy={busy} />,
    },
  ]
}
