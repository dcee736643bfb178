import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { PriceBookDraft } from '#events/price-books.ts'
import { focus } from '#client/ui/form/focus.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { priceText } from '#client/ui/text/money.ts'
import { type UnsavedPriceBook, withUnsaved } from './unsavedPriceBooks.ts'
import { classPricesText } from './priceBookForm.ts'
import { NewPriceBook } from './NewPriceBook.tsx'
import { noCosts } from './noCosts.ts'
import { usePriceBooks } from './usePriceBooks.ts'
import classes from './PriceBooks.module.css'

type PriceBookPickerProps = {
  /** Id of the price book as text, or '' for no costs. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  disabled?: boolean
  'data-autofocus'?: boolean
  /** Price books added here, which `createUnsaved` creates. Without this prop, none can be added. */
  adding?: {
    unsaved: readonly UnsavedPriceBook[]
    onChange: (unsaved: UnsavedPriceBook[]) => void
    /** Called when the form for a new price book opens or closes. It has its own buttons. */
    onOpen: (isOpen: boolean) => void
  }
}

/** Selects the price book of a storage, and optionally adds a new one. */
export function PriceBookPicker({ adding, ...select }: PriceBookPickerProps) {
  const [isAdding, setAdding] = useState(false)
  const books = usePriceBooks()
  const open = (isOpen: boolean) => {
    setAdding(isOpen)
    adding?.onOpen(isOpen)
  }
  const add = ({ unsaved, onChange }: NonNullable<typeof adding>, draft: PriceBookDraft) => {
    const all = withUnsaved(unsaved, draft)
    onChange(all)
    select.onChange(String(all.at(-1)?.id))
    open(false)
  }
  return (
    <RemoteContent remote={books}>
      {({ elements }) => {
        const known = [...elements, ...(adding?.unsaved ?? [])]
        if (adding && isAdding)
          return (
            <NewPriceBook
              taken={known.map(({ description }) => description)}
              onAdd={(draft) => add(adding, draft)}
              onCancel={() => open(false)}
            />
          )
        return (
          <div className={classes.picker}>
            <PriceBookSelect known={known} {...select} />
            {adding && (
              <Button variant="default" disabled={select.disabled === true} onClick={() => open(true)}>
                New price book
              </Button>
            )}
          </div>
        )
      }}
    </RemoteContent>
  )
}

type PriceBookSelectProps = Omit<PriceBookPickerProps, 'adding'> & { known: readonly UnsavedPriceBook[] }

function PriceBookSelect({ known, value, onChange, error, disabled = false, ...rest }: PriceBookSelectProps) {
  const options = known.map(({ id, description, price, currencySymbol, classPrices }) => ({
    value: String(id),
    label: [`${description}: ${priceText(price, currencySymbol)}`, classPricesText(classPrices, currencySymbol)]
      .filter(Boolean)
      .join('; '),
  }))
  return (
    <NativeSelect
      className={classes.choice}
      label="Price Book"
      data={[{ value: '', label: noCosts }, ...options]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      disabled={disabled}
      ref={rest['data-autofocus'] ? focus : null}
    />
  )
}
