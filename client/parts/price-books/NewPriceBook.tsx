import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import type { PriceBookDraft } from '#events/price-books.ts'
import { focus } from '../../ui/focus.ts'
import { draftOf, noPriceBook, type PriceBookFields, wizardErrors } from './priceBookFields.ts'
import { PriceBookInputs } from './PriceBookInputs.tsx'
import classes from './PriceBooks.module.css'

type NewPriceBookProps = {
  /** The names that it cannot have. */
  taken: readonly string[]
  onMade: (draft: PriceBookDraft) => void
  onCancel: () => void
}

/** Makes a price book within a wizard, which creates it when it saves. */
export function NewPriceBook({ taken, onMade, onCancel }: NewPriceBookProps) {
  const frame = useRef<HTMLFormElement>(null)
  const form = useForm<PriceBookFields>({
    initialValues: noPriceBook,
    validate: (fields) => wizardErrors(fields, taken),
  })
  const submit = form.onSubmit(
    (fields) => onMade(draftOf(fields)),
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus(),
  )
  useEffect(() => focus(frame.current?.querySelector('input') ?? null), [])
  return (
    <form ref={frame} className={classes.new} onSubmit={submit} noValidate aria-label="New price book">
      <PriceBookInputs form={form} busy={false} />
      <div className={classes.buttons}>
        <Button variant="default" onClick={onCancel}>
          Cancel price book creation
        </Button>
        <Button type="submit">Add price book</Button>
      </div>
    </form>
  )
}
