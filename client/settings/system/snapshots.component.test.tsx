import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { snapshotDeletion, snapshotList, type SnapshotSummary } from '#events/snapshots.ts'
import { answer, pageWith } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { SnapshotsSection } from './SnapshotsSection.tsx'

const snapshot = (indexingDate: string, changes: Partial<SnapshotSummary> = {}): SnapshotSummary => ({
  indexingDate,
  volumes: 2,
  isPartial: false,
  sizeOfFiles: 2 ** 30,
  numberOfFiles: 1_500,
  numberOfFolders: 20,
  ...changes,
})

test('snapshots are listed with what they hold, sorted by a column, and deleted once that is confirmed', async () => {
  const rows = [snapshot('2026-03-01'), snapshot('2026-02-28', { isPartial: true })]
  const { person, api } = await draw(<SnapshotsSection />, {
    answers: [answer(snapshotList, () => pageWith([...rows])), answer(snapshotDeletion, () => void rows.splice(0, 1))],
  })
  const list = await screen.findByRole('table', { name: 'Snapshots' })
  await person.see('2 snapshots found')
  const texts = within(list)
    .getAllByRole('row')
    .map(({ textContent }) => textContent)
  expect(texts[1]).toMatch(/^2026-03-0121,500201(\.00)? GiB/)
  expect(texts[2]).toMatch(/^2026-02-28Partial/)
  expect(api.inputs(snapshotList).at(-1)?.query).toMatchObject({ sort: 'indexingDate', direction: 'desc', size: 10 })
  await person.pressAt(within(list).getByRole('button', { name: 'Files' }))
  await waitFor(() => expect(api.inputs(snapshotList).at(-1)?.query).toMatchObject({ sort: 'numberOfFiles', page: 1 }))
  await person.press('Delete snapshot 2026-03-01')
  await person.see(/Are you sure you want to delete the snapshot of 2026-03-01\?/)
  await person.press('Cancel')
  await person.closed()
  expect(api.inputs(snapshotDeletion)).toEqual([])
  await person.press('Delete snapshot 2026-03-01')
  await person.press('Delete snapshot')
  await person.see('Snapshot deleted successfully, you will need to refresh the page to see the changes')
  await person.closed()
  await person.see('1 snapshot found')
  expect(api.inputs(snapshotDeletion)).toMatchObject([{ params: { date: '2026-03-01' } }])
})

test('without a snapshot the list says so', async () => {
  const { person } = await draw(<SnapshotsSection />, { answers: [answer(snapshotList, pageWith([]))] })
  await person.see('No snapshots yet. The first scan creates one.')
})
