import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { PriceBookDraft } from '#events/price-books.ts'
import { useSavedForm } from '#client/app/useSavedForm.ts'
import { FormInputs } from '#client/parts/settings-table/FormInputs.tsx'
import { focus } from '#client/ui/form/focus.ts'
import { newPriceBookForm, priceBookForm } from './priceBookForm.ts'
import classes from './PriceBooks.module.css'

type NewPriceBookProps = {
  /** Names already in use. */
  taken: readonly string[]
  onAdd: (draft: PriceBookDraft) => void
  onCancel: () => void
}

/** Adds a price book within a wizard, which creates it on save. */
export function NewPriceBook({ taken, onAdd, onCancel }: NewPriceBookProps) {
  const frame = useRef<HTMLFormElement>(null)
  const { form, submit } = useSavedForm({ form: newPriceBookForm(taken), save: async (draft) => onAdd(draft) })
  useEffect(() => focus(frame.current?.querySelector('input') ?? null), [])
  return (
    <form ref={frame} className={classes.new} onSubmit={submit} noValidate aria-label="New price book">
      <FormInputs inputs={priceBookForm.inputs} form={form} busy={false} edited="new" />
      <div className="flex wrap end gap-8">
        <Button variant="default" onClick={onCancel}>
          Cancel price book creation
        </Button>
        <Button type="submit">Add price book</Button>
      </div>
    </form>
  )
}
