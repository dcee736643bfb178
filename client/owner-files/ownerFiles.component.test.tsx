import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { Answer } from '#events/contract/endpoint.ts'
import { type OwnerFile, ownerFiles, ownerFilesPath } from '#events/policies/ownerFiles.ts'
import { currentUserInfo } from '#events/users/session.ts'
import { answer, fail, hold, refuse } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

const token = 'x'.repeat(43)
const file = (position: number, changes: Partial<OwnerFile> = {}): OwnerFile => ({
  position,
  path: `/Films/<b>${position}</b>.mov`,
  size: 1024 ** 3,
  modified: '2025-01-01T10:00:00Z',
  answer: null,
  ...changes,
})
const page = (changes: Partial<Answer<typeof ownerFiles.list>> = {}) => ({
  owner: 'FILMS\\ana',
  policy: 'Old renders',
  until: '2026-12-14T10:00:00Z',
  files: 3,
  bytes: 3 * 1024 ** 3,
  kept: 1,
  released: 0,
  rows: [file(1), file(2, { answer: 'keep' }), file(3)],
  cursor: null,
  ...changes,
})
/** Opens the link without a session. */
const visit = async (...answers: Options['answers'] & object) =>
  open(`${ownerFilesPath}${token}`, { hasShell: true, answers })
const choice = async (position: number, label: string) =>
  within(
    await screen.findByRole('radiogroup', { name: `Answer for /Films/<b>${position}</b>.mov` }),
  ).getByRole<HTMLInputElement>('radio', { name: label })

test('an owner keeps and releases files without signing in', async () => {
  const { person, api } = await visit(answer(ownerFiles.list, page()), answer(ownerFiles.answer))
  await person.see('The policy Old renders found 3 files (3.00 GiB) of FILMS\\ana that were not used for a long time.')
  await person.see('1 kept, 0 released, 2 without an answer')
  expect((await choice(2, 'Keep')).checked).toBe(true)
  expect([(await choice(1, 'Keep')).checked, (await choice(1, 'Release')).checked]).toEqual([false, false])
  await person.pressAt(await choice(1, 'Release'))
  await person.see('1 kept, 1 released, 1 without an answer')
  await person.pressAt(await choice(2, 'Release'))
  await person.see('0 kept, 2 released, 1 without an answer')
  expect(api.inputs(ownerFiles.answer)).toMatchObject([
    { params: { token }, body: { answer: 'release', positions: [1] } },
    { params: { token }, body: { answer: 'release', positions: [2] } },
  ])
  expect(api.inputs(currentUserInfo)).toEqual([])
  expect(screen.queryByRole('navigation')).toBeNull()
  expect(document.title).toBe('Your files · DataIntell')
})

test('all files are answered after a confirmation, by keyboard', async () => {
  const { person, api } = await visit(answer(ownerFiles.list, page()), answer(ownerFiles.answer))
  ;(await screen.findByRole('button', { name: 'Release all' })).focus()
  await person.keys('{Enter}')
  await person.see('Release all 3 files?')
  await person.see('Nothing is deleted by your answer today: released files are moved to quarantine by a later policy')
  api.answer(answer(ownerFiles.list, page({ kept: 0, released: 3 })))
  const confirm = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Release all 3 files' })
  await waitFor(() => expect(document.activeElement).toBe(confirm))
  await person.keys('{Enter}')
  await person.closed()
  await person.see('0 kept, 3 released, 0 without an answer')
  expect(api.inputs(ownerFiles.answer)).toMatchObject([{ body: { answer: 'release', positions: null } }])
})

test('long lists have pages', async () => {
  const { person, api } = await visit(
    answer(ownerFiles.list, ({ query: { after } }) =>
      page({ files: 250, rows: [file(after + 1)], cursor: after + 100 }),
    ),
  )
  await choice(1, 'Keep')
  await person.press('Next page')
  await choice(101, 'Keep')
  expect(api.inputs(ownerFiles.list).map(({ query }) => query)).toEqual([
    { size: 100, after: 0 },
    { size: 100, after: 100 },
  ])
})

test('an answer that was not saved is shown as before, with the reason', async () => {
  const { person, api } = await visit(
    answer(ownerFiles.list, page()),
    refuse(ownerFiles.answer, { message: 'The disk is full' }),
  )
  await person.pressAt(await choice(1, 'Keep'))
  await person.see('The disk is full')
  await waitFor(() => expect(api.inputs(ownerFiles.list)).toHaveLength(2))
  await person.see('1 kept, 0 released, 2 without an answer')
  expect((await choice(1, 'Keep')).checked).toBe(false)
})

test('shows an ended link, a failure with a retry, and nothing while loading', async () => {
  const ended = await visit(refuse(ownerFiles.list, { message: 'This link has ended, or is incomplete' }, 404))
  await ended.person.see('This link has ended')
  await ended.person.see('Your answers until now count.')
  const failing = await visit(fail(ownerFiles.list))
  await failing.person.see('Retry')
  failing.api.answer(answer(ownerFiles.list, page({ files: 0, rows: [], kept: 0 })))
  await failing.person.press('Retry')
  await failing.person.see('There are no files here.')
  await visit(hold(ownerFiles.list))
  await screen.findByRole('heading', { name: 'Your files' })
  expect(screen.queryByRole('table')).toBeNull()
})
