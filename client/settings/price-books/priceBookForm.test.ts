import { expect, test } from 'vitest'
import { defineForm } from '#client/app/defineForm.ts'
import { newPriceBookForm, type PriceBookFields, priceBookForm } from './priceBookForm.ts'

const noPriceBook = priceBookForm.fields
const draftOf = (fields: PriceBookFields) => priceBookForm.toDraft(fields, 'new')
const rowErrors = (fields: PriceBookFields) => defineForm(priceBookForm).errors(fields)
const wizardErrors = (fields: PriceBookFields, taken: string[]) => newPriceBookForm(taken).errors(fields)

const cold = { description: 'Cold', currencySymbol: '€', price: 0.3, classPrices: [], since: '' }

test('a row of the settings says what is wrong in the words of the server', () => {
  expect(rowErrors(cold)).toEqual({})
  expect(rowErrors({ ...cold, price: 0 })).toEqual({})
  expect(rowErrors({ ...cold, description: ' ', currencySymbol: ' ', price: '' })).toEqual({
    description: 'Description must not be blank',
    currencySymbol: 'Currency symbol must not be blank',
    price: 'Price must be a positive number',
  })
  expect(['-1', -0.1, '-'].map((price) => rowErrors({ ...cold, price })['price'])).toEqual(
    Array(3).fill('Price must be a positive number'),
  )
})

test('in a wizard a price book has words of its own, and a name that no other has', () => {
  expect(wizardErrors(cold, ['Warm'])).toEqual({})
  expect(wizardErrors(noPriceBook, [])).toEqual({
    description: 'Name must be between 1 and 25 characters',
    currencySymbol: 'Currency symbol must be between 1 and 20 characters',
    price: "Price can't be empty",
  })
  const long = { ...cold, description: 'x'.repeat(26), currencySymbol: '$'.repeat(21), price: -1 }
  expect(wizardErrors(long, [])).toEqual({
    description: 'Name must be between 1 and 25 characters',
    currencySymbol: 'Currency symbol must be between 1 and 20 characters',
    price: "Price can't be a negative number",
  })
  expect(wizardErrors({ ...cold, description: ' cold ' }, ['Cold'])).toEqual({ description: 'Name must be unique' })
})

test('values are sent without spaces around words, and with a number as the price', () => {
  const { since: _, ...draft } = cold
  const typed = { ...cold, description: ' Cold ', currencySymbol: ' € ', price: '0.3' }
  expect(draftOf(typed)).toEqual(draft)
  const stored = { ...draft, id: 1, history: [] }
  expect(priceBookForm.toDraft({ ...typed, since: '2026-11-03' }, stored)).toEqual({ ...draft, since: '2026-11-03' })
})

test('storage classes have prices of their own; an empty line says nothing, a half one is refused', () => {
  const line = (storageClass: string, price: number | string) => ({ storageClass, price })
  const fields = (...classPrices: PriceBookFields['classPrices']) => ({ ...cold, classPrices })
  expect(draftOf(fields(line(' GLACIER ', '0.04'), line('', ''))).classPrices).toEqual([line('GLACIER', 0.04)])
  const wrong = (...lines: PriceBookFields['classPrices']) => rowErrors(fields(...lines))['classPrices']
  expect(wrong(line('GLACIER', 0), line('', ''))).toBeUndefined()
  expect(wrong(line('GLACIER', ''))).toBe('Price of GLACIER must be a positive number')
  expect(wrong(line('GLACIER', 1), line(' ', 1))).toBe('Storage class 2 must not be blank')
  expect(wrong(line('GLACIER', 1), line('glacier', 2))).toBe('Storage class 2 must be unique')
  expect(wrong(line('x'.repeat(65), 1))).toBe('Storage class 1 must be between 1 and 64 characters')
  expect(wrong(...Array.from({ length: 31 }, (_, i) => line(`C${i}`, 1)))).toBe('Storage classes must be at most 30')
  expect(wizardErrors(fields(line('GLACIER', '')), [])).toEqual({
    classPrices: 'Price of GLACIER must be a positive number',
  })
})
