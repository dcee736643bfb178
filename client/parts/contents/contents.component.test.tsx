import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { contentsOfSets, type FileContent, type SetContents } from '#events/actions/contents.ts'
import { planAction, startPlan } from '#events/actions/plans.ts'
import { storageManagerFile } from '#events/actions/storageManager.ts'
import { filesByHash, searchFiles } from '#events/search/calls.ts'
import { searchEntries } from '#events/search/criteria.ts'
import { planAnswers, planOf } from '#client/testing/actions/plans.ts'
import { entry, entryPage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, refuse } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'
import { defaultAnswers, rowsNow } from '#client/search/testing/openSearch.ts'

const hash = '00000000000000a1'
const file = entry('/films/a.mov', { identificationHash: hash, dupe: true, size: 2_048 })
const copies = ['/one/a.mov', '/two/a.mov'].map((path) => ({
  ...file,
  ...entry(path),
  identificationHash: hash,
  dupe: true,
}))

const resultOf = (fileId: string, changes: Partial<FileContent> = {}): FileContent => ({
  fileId,
  state: 'same',
  group: 1,
  others: 1,
  isHardLink: false,
  sharedBytes: 0,
  comparedAt: '2026-02-28T10:00:00.000Z',
  reason: '',
  ...changes,
})
const setOf = (files: FileContent[], changes: Partial<SetContents> = {}): SetContents => ({
  hash,
  files,
  verifiedReclaimable: 0,
  jobId: null,
  ...changes,
})
const denied = 'The agent has no permission to read the file'
const compared = setOf(
  [
    resultOf(file.fileId),
    resultOf(copies[0]!.fileId),
    resultOf(copies[1]!.fileId, { state: 'failed', group: 0, others: 0, reason: denied }),
  ],
  { verifiedReclaimable: 2_048 },
)

const answersWith = (...more: FakeAnswer[]) => [
  ...defaultAnswers,
  ...planAnswers,
  hold(storageManagerFile),
  answer(searchFiles, entryPage([file])),
  answer(searchEntries, entryPage([file])),
  answer(filesByHash, entryPage(copies)),
  ...more,
]

/** Opens the duplicates of the file, in its dialog. */
async function openSet(contents: FakeAnswer, options: Options = {}) {
  const page = await open('/search', { ...options, answers: answersWith(contents) })
  await waitFor(() => expect(rowsNow()).toHaveLength(1))
  rowsNow()[0]!.focus()
  await page.person.keys('{Enter}')
  return page
}
const contentsInDialog = () => screen.findByRole('region', { name: 'Contents' })
/** The button next to the results of the set; the toolbar of the list behind has one, too. */
const compareButton = async () =>
  within(await contentsInDialog()).findByRole<HTMLButtonElement>('button', { name: 'Compare contents' })

test('duplicates that were never compared say so, and are compared with the mouse after a review', async () => {
  const { person, api } = await openSet(answer(contentsOfSets, []))
  await person.see('The contents have not been compared.')
  await person.pressAt(await compareButton())
  const review = within(await screen.findByRole('dialog', { name: 'Compare contents' }))
  await review.findByText('The first and last 64 KB of each file, then all of the files that may be equal')
  await person.press('Compare')
  await person.see('A job that compares the contents is now running.')
  const criteria = { searchQueries: [{ identificationHash: { value: hash } }] }
  const payload = { isDirectory: false, criteria }
  expect(api.inputs(planAction).map(({ body }) => body)).toMatchObject([{ jobType: 'COMPARE_SEARCH_RESULT', payload }])
  expect(api.inputs(startPlan)).toEqual([{ params: { id: 5 } }])
})

test('files that are not on disk are included on request', async () => {
  const { person, api } = await openSet(answer(contentsOfSets, []))
  await person.pressAt(await compareButton())
  await person.press('Include files that are not on disk', 'checkbox')
  await person.press('Compare')
  await person.see('A job that compares the contents is now running.')
  const bodies = api.inputs(planAction).map(({ body }) => body)
  expect(bodies[0]?.payload).not.toHaveProperty('includesOffline')
  expect(bodies.at(-1)?.payload).toMatchObject({ includesOffline: true })
})

test('the comparison is started with the keyboard alone', async () => {
  const { person, api } = await openSet(answer(contentsOfSets, []))
  ;(await compareButton()).focus()
  await person.keys('{Enter}')
  const compare = await screen.findByRole<HTMLButtonElement>('button', { name: 'Compare' })
  await waitFor(() => expect(compare.disabled).toBe(false))
  compare.focus()
  await person.keys('{Enter}')
  await waitFor(() => expect(api.inputs(startPlan)).toHaveLength(1))
})

test("files that can't be compared are listed before the start, which is then disabled", async () => {
  const reason = "Contents of buckets and archives can't be compared"
  const leftOut = [{ reason, files: 2, bytes: 4_096 }]
  const page = await open('/search?onlyDuplicates=true', {
    answers: answersWith(answer(contentsOfSets, []), answer(planAction, planOf({ files: 0, bytes: 0, leftOut }))),
  })
  await waitFor(() => expect(rowsNow()).toHaveLength(1))
  await page.person.pressAt(rowsNow()[0]!.querySelector('input')!)
  await page.person.press('Compare contents')
  await page.person.see(reason)
  await page.person.see('There are no files to process')
  expect(await page.person.isDisabled('Compare')).toBe(true)
})

test('results are shown for the set, the file, and each copy, with the reason of those that were not read', async () => {
  const { person } = await openSet(answer(contentsOfSets, [compared]))
  const region = await contentsInDialog()
  await within(region).findByText(
    /2 files with the same content, 1 file not compared; 2\.00 KiB reclaimable is verified/,
  )
  expect(region.textContent).toMatch(/This file: Same content as 1 other file, compared 2026-02-28/)
  await person.see(`Not compared: ${denied}`)
})

test('while a job compares the set, the job is linked and can not be started twice', async () => {
  const { person } = await openSet(answer(contentsOfSets, [setOf([], { jobId: 12 })]))
  await person.see('Contents are being compared.')
  const link = await screen.findByRole('link', { name: 'See job 12' })
  expect(link.getAttribute('href')).toContain('/settings/jobs?id=12')
  expect((await compareButton()).disabled).toBe(true)
})

test('results that can not be loaded are loaded again on request', async () => {
  const { person, api } = await openSet(refuse(contentsOfSets, { message: 'The store is down' }, 503))
  const region = await contentsInDialog()
  await within(region).findByText('The store is down')
  api.answer(answer(contentsOfSets, [compared]))
  await person.pressAt(within(region).getByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(region.textContent).toMatch(/2 files with the same content/))
})

test('users without the admin role see the results, but not the button', async () => {
  await openSet(answer(contentsOfSets, [compared]), { roles: ['ROLE_PROJECT_MANAGER'] })
  await within(await contentsInDialog()).findByText(/2 files with the same content/)
  expect(screen.queryByRole('button', { name: 'Compare contents' })).toBeNull()
})

test('a list of duplicates has a column with the result of each file', async () => {
  const elements = [file, ...copies]
  await open('/search?onlyDuplicates=true', {
    answers: answersWith(answer(searchFiles, entryPage(elements)), answer(contentsOfSets, [compared])),
  })
  await waitFor(() => expect(rowsNow()).toHaveLength(3))
  const cells = () => rowsNow().map((row) => row.textContent)
  await waitFor(() => expect(cells()[0]).toContain('Same content as 1 other file'))
  expect(cells()[2]).toContain(`Not compared: ${denied}`)
})
