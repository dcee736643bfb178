import { screen, waitFor } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { commitImport, deleteImport, type ImportRecord, listImports, startImport } from '#events/imports/imports.ts'
import { storageOverview } from '#events/overview/storageOverview.ts'
import { storageStates } from '#events/overview/storageStates.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { emptyDataTab } from '../testing.ts'

const films = {
  volumeId: 3,
  name: 'Films',
  type: 'crawl.files',
  isScanned: true,
  isScanning: false,
  lastScan: null,
  isScheduled: false,
  isWatched: false,
}
const sums = { files: 1_200, folders: 30, bytes: 2 ** 30, allocatedBytes: null }
const ready: ImportRecord = {
  id: 9,
  storageId: 3,
  storageName: 'Films',
  date: '2025-06-01',
  format: 'du',
  fileName: 'june.txt',
  state: 'READY',
  reason: null,
  createdAt: '2026-03-01T10:00:00.000Z',
  readBytes: 100,
  counts: sums,
  missing: ['access times', 'owners'],
  unreadableLines: { count: 1, lines: [{ line: 7, reason: 'has a path with ..' }] },
  replaces: true,
  comparison: {
    scannedOn: '2026-02-28',
    scan: sums,
    total: 2 ** 20,
    differences: [{ reason: 'hardLinks', files: 2, bytes: 2 ** 20 }],
  },
}

/** Opens the dialog for the only storage. */
async function openImports(records: ImportRecord[] = []) {
  const opened = await open('/storages?add=import', {
    answers: [
      ...emptyDataTab,
      answer(storageOverview, []),
      answer(storageStates, [films]),
      answer(listImports, () => records),
      answer(startImport, { id: 9 }),
    ],
  })
  await screen.findByRole('button', { name: 'Choose files' })
  return opened
}

async function choose(...files: File[]) {
  await userEvent.upload(document.querySelector<HTMLInputElement>('input[type="file"]')!, files)
}

test('guesses format and date of several files, and sends each with its options', async () => {
  const { person, api } = await openImports()
  const june = new File(['4\t/mnt/films/a\n'], 'films-2025-06-01.txt')
  const july = new File(['[1,2,{"progname":"ncdu","timestamp":1751457600},[{"name":"/d"}]]'], 'export.json')
  await choose(june, july)
  await person.pick('Unit of the numbers', 'Bytes (-b)')
  await person.press('Read 2 files')
  await waitFor(() => expect(api.inputs(startImport)).toHaveLength(2))
  expect(api.inputs(startImport).map(({ query }) => query)).toEqual([
    { storageId: 3, date: '2025-06-01', format: 'du', fileName: 'films-2025-06-01.txt', unit: 1 },
    { storageId: 3, date: '2025-07-02', format: 'ncdu', fileName: 'export.json' },
  ])
  await person.seeNo('export.json')
})

test('shows the first rows of a CSV, and sends the columns that were chosen', async () => {
  const { person, api } = await openImports()
  await choose(new File(['where,"large, bytes",owner\n"/d/a, b",5,ana\n'], 'list-2025-06-01.csv'))
  await person.see('/d/a, b')
  await person.pick('Field of column 1', 'Path')
  await person.pick('Field of column 2', 'Size')
  await person.press('Read 1 file')
  await waitFor(() =>
    expect(api.inputs(startImport)[0]?.query.columns?.split(',').sort()).toEqual(['owner=2', 'path=0', 'size=1']),
  )
})

test('needs a format and a date before it reads', async () => {
  const { person } = await openImports()
  await choose(new File(['?'], 'unknown'))
  expect(await person.isDisabled('Read 1 file')).toBe(true)
})

test('shows the summary, and replaces a snapshot only after a confirmation', async () => {
  const { person, api } = await openImports([ready])
  api.answer(answer(commitImport, { ...ready, state: 'COMMITTED' }))
  await person.see('1,200 files, 30 folders')
  await person.see('The file has no access times, owners')
  await person.see('1 line could not be read')
  await person.see('Line 7 has a path with ..')
  await person.see(/Hard links, counted once by one.*2 files/)
  await person.press('Commit import of 2025-06-01')
  await person.see('Films has a snapshot of 2025-06-01')
  await person.press('Replace snapshot')
  await waitFor(() => expect(api.inputs(commitImport)[0]?.query.replace).toBe('true'))
})

test('undoes a committed import after a confirmation', async () => {
  const { person, api } = await openImports([{ ...ready, state: 'COMMITTED' }])
  api.answer(answer(deleteImport))
  await person.press('Undo import of 2025-06-01')
  await person.press('Undo import')
  await waitFor(() => expect(api.inputs(deleteImport)).toHaveLength(1))
})

test('shows why a file was refused', async () => {
  const { person } = await openImports([{ ...ready, state: 'FAILED', reason: 'Line 3: {{ is not JSON.', counts: null }])
  await person.see('Line 3: {{ is not JSON.')
})
