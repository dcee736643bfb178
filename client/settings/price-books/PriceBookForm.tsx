import { type PriceBook, priceBooks } from '#events/price-books.ts'
import { call } from '../../app/call.ts'
import { toast } from '../../app/toasts.ts'
import { useSavedForm } from '../../app/useSavedForm.ts'
import { priceBookCreated } from '../../parts/price-books/madePriceBooks.ts'
import {
  draftOf,
  fieldsOf,
  noPriceBook,
  type PriceBookFields,
  rowErrors,
} from '../../parts/price-books/priceBookFields.ts'
import { PriceBookInputs } from '../../parts/price-books/PriceBookInputs.tsx'
import { InlineForm } from '../../ui/InlineForm.tsx'

type PriceBookFormProps = { edited: PriceBook | 'new'; onSaved: () => void; onClose: () => void }

/** A price book while it is changed in its row, or the new one while it is added. */
export function PriceBookForm({ edited, onSaved, onClose }: PriceBookFormProps) {
  const isNew = edited === 'new'
  const { form, busy, submit } = useSavedForm<PriceBookFields>({
    initialValues: isNew ? noPriceBook : fieldsOf(edited),
    check: rowErrors,
    async save(fields) {
      const message = await save(edited, fields)
      onSaved()
      onClose()
      toast({ kind: 'success', message })
    },
  })
  const words = isNew
    ? { save: 'Add price book', cancel: 'Cancel' }
    : { save: `Save ${edited.description}`, cancel: `Leave ${edited.description} as it was` }
  return (
    <InlineForm adds={isNew} words={words} busy={busy} onSubmit={submit} onClose={onClose}>
      <PriceBookInputs form={form} busy={busy} rowOf={isNew ? 'the new price book' : edited.description} />
    </InlineForm>
  )
}

/** Gives back what is said of it. */
async function save(edited: PriceBook | 'new', fields: PriceBookFields): Promise<string> {
  const body = draftOf(fields)
  if (edited === 'new') {
    await call(priceBooks.create, { body })
    return priceBookCreated
  }
  const { id } = edited
  await call(priceBooks.update, { params: { id }, body })
  return `Storage price with id [${id}] was updated successfully`
}
