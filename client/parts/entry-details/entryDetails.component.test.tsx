import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { contentsOfSets } from '#events/actions/contents.ts'
import { storageManagerFile } from '#events/actions/storageManager.ts'
import { changedFiles, changedFolders, comparison, type Difference, growth } from '#events/comparison.ts'
import { dashboard } from '#events/dashboard.ts'
import type { Entry } from '#events/entries.ts'
import { type ComparedEntry, filesSince, foldersSince, partOfFolder } from '#events/folders/browse.ts'
import { folderHistory, folderStatistics } from '#events/folders/calls.ts'
import { filesByHash } from '#events/search/calls.ts'
import { searchEntries } from '#events/search/criteria.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { knownTags } from '#events/tags.ts'
import { entry, entryPage, today, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, pageWith, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const weekAgo = '2026-02-22'
const days = { indexingDate: today, previousIndexingDate: weekAgo }
const folder = (path: string, changes: Partial<Entry> = {}) =>
  entry(path, { isDirectory: true, numberOfFiles: 1, numberOfFolders: 0, ...changes })

/** Opens a screen with the storage Films and a previous date of a week ago. */
const openAt = (address: string, ...answers: FakeAnswer[]) =>
  open(`${address}&volumeId=1&previousDate=${weekAgo}`, {
    hasShell: true,
    answers: [
      answer(
        snapshotDates,
        [today, weekAgo].map((indexingDate) => ({ indexingDate, volumes: 1, isPartial: false })),
      ),
      answer(volumes, volumePage([volume(1, { name: 'Films' })])),
      answer(knownTags, []),
      answer(searchEntries, entryPage([])),
      ...[dashboard, partOfFolder, folderHistory, folderStatistics, comparison, growth, changedFolders].map(hold),
      hold(storageManagerFile),
      ...answers,
    ],
  })

const rowOf = async (name: string) => {
  const row = () =>
    [...document.querySelectorAll<HTMLElement>('tr[data-index]')].find(
      (row) => row.querySelector('bdi')?.textContent === name,
    )
  await waitFor(() => expect(row()).toBeDefined())
  return row()!
}
/** Status and available actions of the open dialog. */
const dialog = async (title: string) => {
  const details = within(await screen.findByRole('dialog', { name: title }))
  return {
    status: [...document.querySelectorAll('[role="dialog"] [data-gone] > span')].map(({ textContent }) => textContent),
    mayTag: !details.getByRole<HTMLButtonElement>('button', { name: 'Add tags' }).disabled,
    leadsThere: details.queryByRole('link', { name: 'Show in File Management' }) !== null,
  }
}

const differences = (...elements: Difference[]) =>
  answer(changedFiles, { ...pageWith(elements), ...days, cursor: null })

test.each([
  ['NO_LONGER_INDEXED', 'No longer indexed', false],
  ['REMOVED', 'Deleted', false],
  ['MOVED', 'Moved or renamed', true],
] as const)('a file that a comparison lists as %s is %s', async (kind, status, mayTag) => {
  const file = entry('/cache/preview.tmp', {
    deleted: kind === 'REMOVED',
    previousPath: kind === 'MOVED' ? '/raw/preview.tmp' : '',
  })
  const { person } = await openAt(
    `/comparison?kind=${kind}`,
    differences({ ...file, kind, previousSize: 1_024, delta: 0 }),
  )
  ;(await rowOf('preview.tmp')).focus()
  await person.keys('{Enter}')
  expect(await dialog('File Details')).toMatchObject({ status: [status], mayTag })
  await person.keys('{Escape}')
  await person.closed()
})

const same = { delta: 0, isCreated: false, isRemoved: false }
const gone = { delta: -1_024, isCreated: false, isRemoved: true }
const compared = (folders: ComparedEntry[], files: ComparedEntry[]) => [
  answer(foldersSince, { ...pageWith(folders), ...days }),
  answer(filesSince, { ...pageWith(files), ...days }),
]

test('a removed folder gets no tags, and nothing leads into it', async () => {
  const { person } = await openAt(
    '/folders?path=/',
    ...compared(
      [
        { ...folder('/cuts'), ...same },
        { ...folder('/trash', { size: -1, deleted: true }), ...gone },
        { ...folder('/cache', { size: -1 }), ...gone },
      ],
      [],
    ),
  )
  for (const [name, expected] of [
    ['cuts', { status: [], mayTag: true, leadsThere: true }],
    ['trash', { status: ['Deleted'], mayTag: false, leadsThere: false }],
    ['cache', { status: ['Moved or no longer indexed'], mayTag: false, leadsThere: false }],
  ] as const) {
    await person.pressAt(within(await rowOf(name)).getByRole('button', { name: `Show the details of ${name}` }))
    expect(await dialog('Folder Details')).toEqual(expected)
    await person.keys('{Escape}')
    await person.closed()
  }
})

test('a moved file is gone from its old folder', async () => {
  const { person } = await openAt(
    '/folders?path=/raw',
    ...compared([], [{ ...entry('/raw/interview.mxf', { size: -1 }), ...gone }]),
  )
  ;(await rowOf('interview.mxf')).focus()
  await person.keys('{Enter}')
  expect(await dialog('File Details')).toMatchObject({ status: ['Moved or no longer indexed'], mayTag: false })
})

test('the details of a file say since when it is archived, and what that compares', async () => {
  const file = entry('/cut.mov', {
    archive: { state: 'archived', since: '2026-01-05T12:00:00.000Z', index: 'Media' },
  })
  const { person } = await openAt(
    '/comparison?kind=CHANGED',
    differences({ ...file, kind: 'CHANGED', previousSize: 1_024, delta: 0 }),
  )
  ;(await rowOf('cut.mov')).focus()
  await person.keys('{Enter}')
  await person.see(/Archived since 2026-01-05 in Media/)
  await person.see(/Compares the path, size and modified time.*Contents are not compared\./)
})

const openCut = async (...answers: FakeAnswer[]) => {
  const file = entry('/cut.mov')
  const row = { ...file, kind: 'CHANGED' as const, previousSize: 1_024, delta: 0 }
  const opened = await openAt('/comparison?kind=CHANGED', differences(row), ...answers)
  ;(await rowOf('cut.mov')).focus()
  await opened.person.keys('{Enter}')
  await dialog('File Details')
  return { ...opened, file }
}

test('the details of a file say where Quantum StorNext has it', async () => {
  const metadata = { 'StorNext Location': 'TAPE', Copies: '2 of 2', Media: 'A00012L8 (copy 1)' }
  const { person, api, file } = await openCut(answer(storageManagerFile, { ...entry('/cut.mov'), metadata }))
  await person.see(/StorNext LocationTAPECopies2 of 2MediaA00012L8 \(copy 1\)/)
  expect(api.inputs(storageManagerFile)).toMatchObject([{ params: { fileId: file.fileId } }])
})

test('the details of a file say why Quantum StorNext does not answer, and ask again', async () => {
  const { person, api } = await openCut(refuse(storageManagerFile, { message: 'The agent does not answer' }, 503))
  await person.see('The agent does not answer')
  await person.press('Retry')
  await waitFor(() => expect(api.inputs(storageManagerFile)).toHaveLength(2))
})

test('a duplicate leads to all copies of the file', async () => {
  const copied = entry('/a/take *1.mov', { dupe: true, size: 2_048, identificationHash: 'h' })
  const { person } = await openAt(
    '/comparison?kind=CHANGED',
    differences({ ...copied, kind: 'CHANGED', previousSize: 1_024, delta: 0 }),
    hold(filesByHash),
    hold(contentsOfSets),
  )
  ;(await rowOf('take *1.mov')).focus()
  await person.keys('{Enter}')
  const link = await screen.findByRole('link', { name: 'Yes' })
  const query = new URLSearchParams(link.getAttribute('href')?.split('?')[1])
  expect(Object.fromEntries(query)).toEqual({
    search: String.raw`take \*1.mov`,
    onlyDuplicates: 'true',
    minimumSize: '2048',
    maximumSize: '2048',
  })
})
