import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { type PriceBook, priceBooks } from '#events/price-books.ts'
import { answer, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { emptyDataTab, priceBookOf } from '#client/settings/testing.ts'

const cold = priceBookOf({ description: 'Cold', currencySymbol: '$', price: 12, classPrices: [] }, 1)
const ofNew = (field: string) => `${field} of the new price book`
const ofCold = (field: string) => `${field} of Cold`
const ofClasses = (input: string) => `${ofCold('Storage Class Prices')}: ${input}`

/** Shows the section. */
async function openBooks(...rows: PriceBook[]) {
  return open('/settings/data', {
    answers: [...emptyDataTab, ...tableOf(priceBooks, rows, { rowOf: priceBookOf })],
  })
}
const table = () => screen.findByRole('table', { name: 'Files' })
const cells = async (name: RegExp) =>
  [...(await within(await table()).findByRole('row', { name })).querySelectorAll('td')].map(
    ({ textContent }) => textContent,
  )

test('the section is open at first, shows that it is empty, and refuses an invalid price book', async () => {
  const { person, api } = await open('/settings/data', { answers: emptyDataTab })
  const section = await screen.findByRole('button', { name: 'Price Book' })
  expect(section.getAttribute('aria-expanded')).toBe('true')
  await person.see('No price book yet. Costs are shown once storages have one.')
  await person.press('Add new price book')
  await person.press('Add price book')
  await person.see('Description must not be blank')
  await person.see('Currency symbol must not be blank')
  await person.see('Price must be a positive number')
  expect(api.inputs(priceBooks.create)).toEqual([])
  await person.keys('{Escape}')
  await person.seeNo('Description must not be blank')
})

test('a price book is added, and one whose name is taken is refused at its field', async () => {
  const { person, api } = await openBooks()
  const subErrors = [{ field: 'description', message: 'must be unique' }]
  const taken = refuse(priceBooks.create, { message: 'Validation errors', subErrors }, 400)
  await person.press('Add new price book')
  await person.write(ofNew('Name'), ' Cold ')
  await person.write(ofNew('Currency Symbol'), '$')
  await person.write(ofNew('Storage Price (GB/Year)'), '12{Enter}')
  await person.see('Storage price was created successfully')
  expect(await cells(/Cold/)).toEqual(['1', 'Cold', '$', '$12.00', ''])
  expect(api.inputs(priceBooks.create).map(({ body }) => body)).toEqual([
    { description: 'Cold', currencySymbol: '$', price: 12, classPrices: [] },
  ])
  api.answer(taken)
  await person.press('Add new price book')
  await person.write(ofNew('Name'), 'COLD')
  await person.write(ofNew('Currency Symbol'), '€')
  await person.write(ofNew('Storage Price (GB/Year)'), '1{Enter}')
  await person.see('Description must be unique')
  api.answer(answer(priceBooks.create, { id: 2 }))
  await person.write(ofNew('Name'), 'Tape{Enter}')
  await person.seeNo('Description must be unique')
})

test('a price book is edited in its row: Escape keeps it and Enter saves it', async () => {
  const { person, api } = await openBooks(cold)
  await person.press('Edit Cold')
  await person.write(ofCold('Storage Price (GB/Year)'), '-1{Enter}')
  await person.see('Price must be a positive number')
  await person.keys('{Escape}')
  await waitFor(async () => expect((await cells(/Cold/))[3]).toBe('$12.00'))
  await person.press('Edit Cold')
  await person.write(ofCold('Storage Price (GB/Year)'), '24{Enter}')
  await person.see('Storage price with id [1] was updated successfully')
  await waitFor(async () => expect((await cells(/Cold/))[3]).toBe('$24.00'))
  expect(api.inputs(priceBooks.update)).toMatchObject([{ params: { id: 1 }, body: { price: 24 } }])
})

test('the prices of a price book are listed with the dates that they apply to', async () => {
  const glacier = { storageClass: 'GLACIER', price: 3.6 }
  const byAna = { changedBy: 'ana', changedAt: '2026-01-30T10:00:00Z' }
  const unknown = { changedBy: null, changedAt: null }
  const history = [
    { since: '2026-02-01', currencySymbol: '$', price: 24, classPrices: [glacier], ...byAna },
    { since: '2025-07-01', currencySymbol: '$', price: 12, classPrices: [], ...unknown },
    { since: '2025-01-01', currencySymbol: '€', price: 10, classPrices: [], ...unknown },
  ]
  const tape = priceBookOf({ description: 'Tape', currencySymbol: '€', price: 1, classPrices: [] }, 2)
  const { person } = await openBooks({ ...cold, history }, tape)
  await person.press('Prices of Cold')
  await person.see(
    /From 2026-02-01ana, 2026-01-30 \d\d:00\$24\.00GLACIER \$3\.60From 2025-07-01\$12\.00Before 2025-07-01€10\.00/,
  )
  await person.press('Prices of Cold')
  await person.seeNo('From 2026-02-01')
  await person.press('Prices of Tape')
  await person.see(/All datesana€1\.00/)
})

test('storage classes have prices of their own, each on a line of the row', async () => {
  const { person, api } = await openBooks(cold)
  await person.press('Edit Cold')
  await person.press('Add storage class')
  await person.write(ofClasses('class 1'), 'GLACIER{Enter}')
  await person.see('Price of GLACIER must be a positive number')
  await person.write(ofClasses('price 1'), '3.6')
  await person.press('Add storage class')
  await person.write(ofClasses('class 2'), 'glacier')
  await person.write(ofClasses('price 2'), '1{Enter}')
  await person.see('Storage class 2 must be unique')
  await person.press(`Remove class 2 of ${ofCold('Storage Class Prices')}`)
  await person.press('Save Cold')
  await waitFor(async () => expect((await cells(/Cold/))[3]).toBe('$12.001 storage class priced separately'))
  expect(screen.getByTitle('GLACIER $3.60').textContent).toBe('1 storage class priced separately')
  expect(api.inputs(priceBooks.update)).toMatchObject([
    { body: { price: 12, classPrices: [{ storageClass: 'GLACIER', price: 3.6 }] } },
  ])
})

test('a price book that storages use is kept, and another one is deleted once that is confirmed', async () => {
  const { person, api } = await openBooks(cold)
  const message = 'Price book Cold is used by Films. Assign another price book to each first.'
  api.answer(refuse(priceBooks.remove, { message }, 409))
  await person.press('Delete Cold')
  await person.see("Are you sure you want to delete price book Cold? Past costs don't change.")
  await person.press('Delete price book')
  await person.see(message)
  await person.closed()
  expect((await cells(/Cold/))[1]).toBe('Cold')
  api.answer(answer(priceBooks.remove))
  await person.press('Delete Cold')
  await person.press('Delete price book')
  await person.see('Storage price with id [1] was deleted successfully')
})

test('a price is entered from a day on, and a day of a closed month is refused at its input', async () => {
  const { person, api } = await openBooks(cold)
  const message = 'must be 2026-11-01 or later: statements of earlier months are closed'
  const refused = refuse(
    priceBooks.update,
    { message: 'Validation errors', subErrors: [{ field: 'since', message }] },
    400,
  )
  await person.press('Edit Cold')
  await person.write(ofCold('Storage Price (GB/Year)'), '24')
  const since = screen.getByLabelText(ofCold('First day (today if empty)'))
  fireEvent.change(since, { target: { value: '2026-10-31' } })
  api.answer(refused)
  await person.press('Save Cold')
  await person.see(`First day ${message}`)
  fireEvent.change(since, { target: { value: '2026-11-03' } })
  api.answer(answer(priceBooks.update))
  await person.press('Save Cold')
  await person.see('Storage price with id [1] was updated successfully')
  expect(api.inputs(priceBooks.update).at(-1)).toMatchObject({ body: { price: 24, since: '2026-11-03' } })
})
