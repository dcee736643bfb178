import { expect, test } from 'vitest'
import { chosenColumns } from './chosenColumns.ts'
import type { Column } from './column.ts'

type Row = { name: string; owner: string }
const columns: Column<Row>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'owner', title: 'Owner', room: 'wide', cell: ({ owner }) => owner },
]
const none = { shown: {}, widths: {} }
const keys = (...args: Parameters<typeof chosenColumns<Row>>) => chosenColumns(...args).map(({ key }) => key)

test('all columns are shown until the user hides them', () => {
  expect(keys(columns, none)).toEqual(['name', 'owner'])
  expect(keys(columns, { ...none, shown: { owner: false } })).toEqual(['name'])
})

test('a column that the user chose is shown on narrow screens too, and keeps its width', () => {
  const [, owner] = chosenColumns(columns, { shown: { owner: true }, widths: { owner: 90 } })
  expect(owner).toMatchObject({ key: 'owner', width: '90px' })
  expect(owner).not.toHaveProperty('room')
  expect(chosenColumns(columns, none)[1]).toMatchObject({ room: 'wide' })
})
