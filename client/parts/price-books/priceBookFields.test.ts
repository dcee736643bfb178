import { expect, test } from 'vitest'
import { draftOf, noPriceBook, rowErrors, wizardErrors } from './priceBookFields.ts'

const cold = { description: 'Cold', currencySymbol: '€', price: 0.3 }

test('a row of the settings says what is wrong in the words of the server', () => {
  expect(rowErrors(cold)).toEqual({})
  expect(rowErrors({ ...cold, price: 0 })).toEqual({})
  expect(rowErrors({ description: ' ', currencySymbol: ' ', price: '' })).toEqual({
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
  const long = { description: 'x'.repeat(26), currencySymbol: '$'.repeat(21), price: -1 }
  expect(wizardErrors(long, [])).toEqual({
    description: 'Name must be between 1 and 25 characters',
    currencySymbol: 'Currency symbol must be between 1 and 20 characters',
    price: "Price can't be a negative number",
  })
  expect(wizardErrors({ ...cold, description: ' cold ' }, ['Cold'])).toEqual({ description: 'Name must be unique' })
})

test('what is sent has no spaces around its words, and a number as its price', () => {
  expect(draftOf({ description: ' Cold ', currencySymbol: ' € ', price: '0.3' })).toEqual(cold)
})
