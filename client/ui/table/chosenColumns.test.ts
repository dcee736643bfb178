import { expect, test } from 'vitest'
import { chosenColumns } from './chosenColumns.ts'
import type { Column } from './column.ts'

type Row = { name: string; owner: string }
const columns: Column<Row>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'owner', title: 'Owner', room: 'wide', cell: ({ owner }) => owner, says: ({ owner }) => owner },
]
const rows = (...owners: string[]) => owners.map((owner, i) => ({ name: `${i}`, owner }))
const none = { shown: {}, widths: {} }
const keys = (...args: Parameters<typeof chosenColumns<Row>>) => chosenColumns(...args).map(({ key }) => key)

test('a column that says the same in every row goes by itself, unless there is one row, it is sorted by, or it was chosen', () => {
  expect(keys(columns, rows('root', 'root'), none, undefined)).toEqual(['name'])
  expect(keys(columns, rows('root', 'ana'), none, undefined)).toEqual(['name', 'owner'])
  expect(keys(columns, rows('root'), none, undefined)).toEqual(['name', 'owner'])
  expect(keys(columns, rows('root', 'root'), none, 'owner')).toEqual(['name', 'owner'])
  expect(keys(columns, rows('root', 'root'), { ...none, shown: { owner: true } }, undefined)).toEqual(['name', 'owner'])
})

test('a column that was taken away stays away, one that was chosen is there on narrow screens, and widths are kept', () => {
  expect(keys(columns, rows('root', 'ana'), { ...none, shown: { owner: false } }, 'owner')).toEqual(['name'])
  const [, owner] = chosenColumns(columns, rows('root'), { shown: { owner: true }, widths: { owner: 90 } }, undefined)
  expect(owner).toMatchObject({ key: 'owner', width: '90px' })
  expect(owner).not.toHaveProperty('room')
})
