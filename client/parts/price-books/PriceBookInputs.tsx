import { NumberInput, TextInput } from '@mantine/core'
import type { useForm } from '@mantine/form'
import type { PriceBookFields } from './priceBookFields.ts'

/** What the columns and the fields of a price book are called. */
export const priceBookWords = {
  name: 'Name',
  symbol: 'Currency Symbol',
  price: 'Storage Price (GB/Year)',
}

type PriceBookInputsProps = {
  form: Pick<ReturnType<typeof useForm<PriceBookFields>>, 'getInputProps'>
  busy: boolean
  /** In a row the columns name the fields, which are heard as those of this price book. */
  rowOf?: string
}

/** The fields of a price book. While it is saved they are only read: a disabled one would lose the focus. */
export function PriceBookInputs({ form, busy, rowOf }: PriceBookInputsProps) {
  const words = (label: string) =>
    rowOf === undefined ? { label } : { 'aria-label': `${label} of ${rowOf}`, placeholder: label }
  return (
    <>
      <TextInput {...words(priceBookWords.name)} readOnly={busy} {...form.getInputProps('description')} />
      <TextInput {...words(priceBookWords.symbol)} readOnly={busy} {...form.getInputProps('currencySymbol')} />
      <NumberInput
        {...words(priceBookWords.price)}
        step={0.1}
        readOnly={busy}
        inputMode="decimal"
        {...form.getInputProps('price')}
      />
    </>
  )
}
