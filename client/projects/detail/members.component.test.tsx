import { screen, waitFor, within } from '@testing-library/dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Members, members } from '#events/projects/members.ts'
import type { Role } from '#events/contract/needs.ts'
import { exampleProject, projectAnswers } from '#client/testing/exampleProject.ts'
import { answer, refuse } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

// Recharts warns that charts have no size here.
beforeEach(() => {
  const warnings = vi.spyOn(console, 'warn').mockImplementation(() => {})
  return () => warnings.mockRestore()
})

const admin = { id: 1, name: 'admin', seesEverything: true }
const ana = { id: 2, name: 'ana' }
const ben = { id: 3, name: 'ben' }
const limited = [ana, ben].map((user) => ({ ...user, seesEverything: false }))
const found = (changes: Partial<Members> = {}) =>
  answer(members.list, { managers: [ana], readers: [], users: [admin, ...limited], ...changes })

const openMembers = (list = found(), roles: Role[] = ['ROLE_ADMIN'], isManager?: true) =>
  open('/project/1', {
    answers: [...projectAnswers(exampleProject(isManager && { isManager })), list, answer(members.update)],
    roles,
  })

const wrong = (field: string, message: string) => ({ message: 'Validation errors', subErrors: [{ field, message }] })
const body = (managers: number[], readers: number[]) => [{ params: { id: 1 }, body: { managers, readers } }]

test('readers and managers are named by mouse, and who sees everything is listed', async () => {
  const { person, api } = await openMembers()
  await person.see('admin sees everything, and this project too.')
  expect(await person.isDisabled('Save members')).toBe(true)
  await person.pick('Readers', 'ben')
  expect(within(screen.getByRole('listbox', { name: 'Readers' })).queryByText('admin')).toBeNull()
  await person.pick('Managers', 'ben')
  await person.press('Save members')
  await person.see('The members of the project were updated')
  expect(api.inputs(members.update)).toMatchObject(body([2, 3], [3]))
})

test('a reader is removed by keyboard', async () => {
  const { person, api } = await openMembers(found({ readers: [ana, ben] }))
  const readers = await screen.findByLabelText('Readers', { selector: 'input' })
  readers.focus()
  await person.keys('{Backspace}{Escape}')
  await person.tab()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Save members'))
  await person.keys('{Enter}')
  await person.see('The members of the project were updated')
  expect(api.inputs(members.update)).toMatchObject(body([2], [2]))
})

test('a user who is gone meanwhile is shown at the field', async () => {
  const { person, api } = await openMembers()
  api.answer(refuse(members.update, wrong('readers', 'has an unknown user: 3'), 400))
  await person.pick('Readers', 'ben')
  await person.press('Save members')
  await person.see('Readers has an unknown user: 3')
})

test('managers without the role name readers only', async () => {
  const { person } = await openMembers(found(), [], true)
  await person.see('Managed by ana.')
  await person.see('Save members')
  expect(screen.queryByLabelText('Managers')).toBeNull()
})

test('of many users who see everything, the first ones are named', async () => {
  const many = Array.from({ length: 13 }, (_, at) => ({ id: at + 10, name: `user ${at}`, seesEverything: true }))
  const { person } = await openMembers(found({ users: [...many, ...limited] }))
  await person.see(/user 0, user 1, .*, user 9 and 3 others see everything, and this project too\./)
})

test('without limited users, one sentence says that there are no readers', async () => {
  const { person } = await openMembers(found({ managers: [], users: [admin] }))
  await person.see('All users see everything, so there are no readers to name.')
  expect(screen.queryByLabelText('Readers')).toBeNull()
})

test('users who may not edit the project see no members', async () => {
  const { person, api } = await openMembers(found(), [])
  await person.see('Size history')
  await person.seeNo('Members')
  expect(api.inputs(members.list)).toEqual([])
})
