import { type PriceBook, priceBooks } from '#events/price-books.ts'
import { call } from '../../app/call.ts'
import { ConfirmDeletion } from '../../parts/deletion/ConfirmDeletion.tsx'

type DeletePriceBookProps = { doomed: PriceBook | undefined; onClose: () => void; onDeleted: () => void }

/** Asks before a price book goes. */
export function DeletePriceBook(props: DeletePriceBookProps) {
  const { doomed, onClose } = props
  return (
    <ConfirmDeletion
      {...props}
      title={`Delete ${doomed?.description ?? ''}`}
      verb="Delete price book"
      remove={({ id }) => call(priceBooks.remove, { params: { id } }).finally(onClose)}
      gone={({ id }) => `Storage price with id [${id}] was deleted successfully`}
    >
      Are you sure you want to delete price book {doomed?.description}? Dates that it applied to keep their costs.
    </ConfirmDeletion>
  )
}
