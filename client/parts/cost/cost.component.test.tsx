import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { StoragePrice } from '#events/price-books.ts'
import { draw } from '#client/testing/render.tsx'
import { Cost } from './Cost.tsx'

const gib = 2 ** 30
const price: StoragePrice = { id: 1, description: 'Cloud', currencySymbol: '$', price: 24, classes: [] }
const withClasses = {
  ...price,
  classes: [
    { storageClass: 'STANDARD', price: 36, sizeOfFiles: gib },
    { storageClass: 'GLACIER', price: 12, sizeOfFiles: gib },
  ],
}

test('a cost has its period, and the price that it follows from is one hover away', async () => {
  const { person } = await draw(<Cost bytes={gib} price={price} />)
  await person.see('$2.00 per month')
  expect(screen.getByTitle(/^\$2\.00 per month, by Cloud: /).title).toContain('$24.00')
  await (await draw(<Cost bytes={gib} price={price} interval="Yearly" inColumn />)).person.see(/^\$24\.00$/)
})

test('the cost of a part is exact where its storage class has a price, and otherwise about the average', async () => {
  const { person } = await draw(
    <>
      <Cost bytes={gib} price={withClasses} part={{ storageClass: 'GLACIER' }} />;
      <Cost bytes={gib} price={withClasses} part={{}} />;
      <Cost bytes={gib} price={withClasses} />
    </>,
  )
  await person.see(/^\$1\.00 per month;about \$2\.00 per month;\$2\.00 per month$/)
})

test('a dash means a storage without a price book and an unknown size', async () => {
  const { person } = await draw(
    <>
      <Cost bytes={gib} price={null} />
      <Cost bytes={-1} price={price} />
    </>,
  )
  await person.see(/^--$/)
  expect(screen.getByTitle('No price book').textContent).toBe('-')
  expect(screen.getByTitle('Unknown size').textContent).toBe('-')
})
