import { Button, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { PriceBookDraft } from '#events/price-books.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { priceText } from '../../ui/text/money.ts'
import { type MadePriceBook, withMade } from './madePriceBooks.ts'
import { NewPriceBook } from './NewPriceBook.tsx'
import { usePriceBooks } from './usePriceBooks.ts'
import classes from './PriceBooks.module.css'

type PriceBookPickerProps = {
  /** The number of a price book, as a word; '' is none. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  disabled?: boolean
  /** The price books that were made here, which `createMade` creates. Without it none can be made. */
  making?: {
    made: readonly MadePriceBook[]
    onMade: (made: MadePriceBook[]) => void
    /** Whether the form of a new one is open, which has buttons of its own. */
    onOpen: (isOpen: boolean) => void
  }
}

/** Chooses the price book of a storage, and where that is offered makes a new one. */
export function PriceBookPicker({ making, ...choice }: PriceBookPickerProps) {
  const [isMaking, setMaking] = useState(false)
  const books = usePriceBooks({ field: 'description', direction: 'asc' })
  const open = (isOpen: boolean) => {
    setMaking(isOpen)
    making?.onOpen(isOpen)
  }
  const make = ({ made, onMade }: NonNullable<typeof making>, draft: PriceBookDraft) => {
    const all = withMade(made, draft)
    onMade(all)
    choice.onChange(String(all.at(-1)?.id))
    open(false)
  }
  return (
    <Loaded remote={books}>
      {({ elements }) => {
        const known = [...elements, ...(making?.made ?? [])]
        if (making && isMaking)
          return (
            <NewPriceBook
              taken={known.map(({ description }) => description)}
              onMade={(draft) => make(making, draft)}
              onCancel={() => open(false)}
            />
          )
        return (
          <div className={classes.picker}>
            <Choice known={known} {...choice} />
            {making && (
              <Button variant="default" disabled={choice.disabled === true} onClick={() => open(true)}>
                New price book
              </Button>
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

type ChoiceProps = Omit<PriceBookPickerProps, 'making'> & { known: readonly MadePriceBook[] }

function Choice({ known, value, onChange, error, disabled = false }: ChoiceProps) {
  const options = known.map(({ id, description, price, currencySymbol }) => ({
    value: String(id),
    label: `${description}: ${priceText(price, currencySymbol)}`,
  }))
  return (
    <NativeSelect
      className={classes.choice}
      label="Price Book"
      data={[{ value: '', label: known.length > 0 ? 'Choose a price book' : 'There is no price book yet' }, ...options]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      error={error}
      disabled={disabled}
    />
  )
}
