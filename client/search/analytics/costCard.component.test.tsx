import { waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { searchFields } from '#events/search/calls.ts'
import { noFilters } from '#events/search/filters.ts'
import { volumes } from '#events/snapshots.ts'
import { volume, volumePage } from '#client/testing/examples.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { CostCard } from './CostCard.tsx'

const storagePrice = { id: 1, description: 'Cold', currencySymbol: '$', price: 24, classes: [] }
const gib = 2 ** 30

test('found files cost by month or year, and storages without a price book are named', async () => {
  const { person, api } = await draw(
    <CostCard
      search={{ searched: { filters: noFilters }, indexingDate: undefined }}
      reading={{ measure: 'size', base: '2' }}
      onFilter={() => {}}
      onPreview={() => {}}
    />,
    {
      answers: [
        answer(volumes, volumePage([volume(1, { name: 'Films', storagePrice }), volume(2, { name: 'Attic' })])),
        answer(searchFields, [
          { field: 'Films', size: gib, count: 1 },
          { field: 'Attic', size: gib, count: 1 },
        ]),
      ],
    },
  )
  await person.see('$2.00 per month')
  await person.see('No price book: Attic')
  await person.choose('Period of the storage cost', 'Yearly')
  await person.see('$24.00 per year')
  await waitFor(() => expect(api.inputs(searchFields)).toMatchObject([{ query: { fieldName: 'storageName' } }]))
})
