import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import type { PriceBookDraft } from '#events/price-books.ts'
import { FormInputs } from '#client/parts/settings-table/FormInputs.tsx'
import { focus } from '#client/ui/form/focus.ts'
import { type PriceBookFields, priceBookForm, wizardErrors } from './priceBookForm.ts'
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
  const form = useForm<PriceBookFields>({
    initialValues: priceBookForm.initial('new'),
    validate: (fields) => wizardErrors(fields, taken),
  })
  const submit = form.onSubmit(
    (fields) => onAdd(priceBookForm.draftOf(fields, 'new')),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  useEffect(() => focus(frame.current?.querySelector('input') ?? null), [])
  return (
    <form ref={frame} className={classes.new} onSubmit={submit} noValidate aria-label="New price book">
      <FormInputs fields={priceBookForm.fields} form={form} busy={false} edited="new" />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel price book creation
        </Button>
        <Button type="submit">Add price book</Button>
      </div>
    </form>
  )
}
