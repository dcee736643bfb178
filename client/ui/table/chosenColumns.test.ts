import { expect, test } from 'vitest'
import { chosenColumns, fitColumns } from './chosenColumns.ts'
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

test('columns are as wide as their longest text, and without values as their title', () => {
  const widthOf = (...owners: string[]) =>
    Number.parseFloat(
      fitColumns(
        [{ ...columns[1]!, text: ({ owner }) => owner }],
        owners.map((owner) => ({ name: '', owner })),
      )[0]!.width!.slice('min('.length),
    )
  expect(widthOf('')).toBeLessThan(6)
  expect(widthOf('svc_backup_nightly', 'ana')).toBeGreaterThan(8)
  // Steps keep columns still.
  expect(widthOf('svc_backup_nightl')).toBe(widthOf('svc_backup_nightly'))
  expect(widthOf('RENDERS_2026_MASTER')).toBeGreaterThan(widthOf('renders_last_master'))
  expect(fitColumns(columns, [])).toEqual(columns)
})
