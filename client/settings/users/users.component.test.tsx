import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dependents } from '#events/administration.ts'
import { type User, type UserDraft, users } from '#events/users/accounts.ts'
import { type ApiToken, apiTokens } from '#events/users/apiTokens.ts'
import { projects } from '#events/projects/calls.ts'
import { storages } from '#events/storages.ts'
import { limits } from '#events/users/limits.ts'
import { secondFactor } from '#events/users/secondFactor.ts'
import { loginInfo } from '#events/users/session.ts'
import { type Session, sessions, views } from '#events/users/sessions.ts'
import { today } from '#client/testing/examples.ts'
import { answer, hold, pageWith, refuse, tableOf } from '#client/testing/fakeApi.ts'
import { draw, open } from '#client/testing/render.tsx'
import { ApiTokensSection } from '../api-tokens/ApiTokensSection.tsx'
import { storagesOf } from '../testing.ts'
import { SessionsSection } from './SessionsSection.tsx'
import { UsersSection } from './UsersSection.tsx'

const at = `${today}T10:00:00.000Z`
const userOf = (draft: UserDraft, id: number): User => ({
  ...draft,
  id,
  isOfProvider: false,
  hasOneTimePassword: false,
  hasSecondFactor: false,
  createdAt: at,
  lastSignInAt: null,
})
const admin = userOf({ name: 'admin', email: 'admin@example.com', roles: ['ROLE_ADMIN'], isDisabled: false }, 1)
const ana = userOf({ name: 'ana', email: null, roles: ['ROLE_PROJECT_MANAGER'], isDisabled: false }, 2)
const password = 'one-time-1234'

const show = (rows: User[]) => draw(<UsersSection />, { answers: tableOf(users, rows, { rowOf: userOf }) })
const row = async (table: string, name: RegExp) =>
  (await within(await screen.findByRole('table', { name: table })).findByRole('row', { name })).textContent
const secret = () => screen.getByRole('dialog').querySelector('pre')?.textContent?.trim()
const wrong = (field: string, message: string) => ({ message: 'Validation errors', subErrors: [{ field, message }] })

test('a user is added with roles, and the one-time password is shown once', async () => {
  const rows = [admin]
  const { person, api } = await show(rows)
  await person.press('Add user')
  const dialog = within(await screen.findByRole('dialog'))
  const submit = async () => person.pressAt(await dialog.findByRole('button', { name: 'Add user' }))
  await person.write('Name', ' ana ')
  await person.press('Project manager', 'checkbox')
  api.answer(refuse(users.create, wrong('name', 'should be unique, ana already exists'), 400))
  await submit()
  await person.see('Name should be unique, ana already exists')
  api.answer(answer(users.create, { id: 2, name: 'ana', password }))
  rows.push({ ...ana, hasOneTimePassword: true })
  await submit()
  await person.see('This one-time password is not shown again.')
  await person.see(`${location.origin}/`)
  expect(secret()).toBe(password)
  await person.keys('{Escape}')
  await person.press('Done')
  await person.closed()
  await person.seeNo(password)
  await waitFor(async () =>
    expect(await row('Users', /ana/)).toBe('ana-Project managerEverythingNever, with a one-time password'),
  )
  expect(api.inputs(users.create).at(-1)?.body).toEqual({
    name: 'ana',
    email: null,
    roles: ['ROLE_PROJECT_MANAGER'],
    isDisabled: false,
  })
})

test('a user is limited to storages and folders, and an administrator sees as that user', async () => {
  const rows = [admin, { ...ana, isLimited: true as const, limits: { ...none, projects: [3], storages: [1, 2] } }]
  const { person, api } = await show(rows)
  expect(await row('Users', /ana/)).toContain('1 project, 2 storages')
  api.answer(answer(projects.list, pageWith([])), hold(storages), answer(limits.limitUser), answer(views.start))
  await person.press('Edit ana')
  await person.see('With several sources, the user sees all of them together.')
  await person.press('Everything', 'radio')
  await person.press('Save user')
  await person.see('ana was updated')
  expect(api.inputs(limits.limitUser)).toEqual([{ params: { id: 2 }, body: { ...none, everything: true } }])
  await person.press('See as ana')
  await waitFor(() => expect(api.inputs(views.start)).toMatchObject([{ params: { id: 2 } }]))
})
const none = { everything: false, projects: [], storages: [], folders: [] }

test('a user who sees what groups see is set to everything', async () => {
  const { person, api } = await show([admin, { ...ana, isLimited: true as const }])
  expect(await row('Users', /ana/)).toContain('What the groups see')
  api.answer(answer(projects.list, pageWith([])), hold(storages), answer(limits.limitUser))
  await person.press('Edit ana')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Only some' }).checked).toBe(true)
  await person.press('Everything', 'radio')
  await person.press('Save user')
  await waitFor(() =>
    expect(api.inputs(limits.limitUser)).toEqual([{ params: { id: 2 }, body: { ...none, everything: true } }]),
  )
})

test('the access of a user to a path is answered in a sentence with the rule', async () => {
  const { person, api } = await show([admin, ana])
  const since = `${today}T10:00:00.000Z`
  const because = [{ because: 'project' as const, group: 'editors', name: 'Aurora' }]
  api.answer(answer(limits.access, { allowed: true, because, since }), storagesOf([[1, 'Films', 'DISK']]))
  await person.press('Access of ana')
  await person.choose('Storage', 'Films')
  await person.see('ana sees this path: it belongs to project Aurora (group editors). Limits last changed')
  expect(api.inputs(limits.access).at(-1)).toMatchObject({ params: { id: 2 }, query: { storageId: 1, path: '/' } })
})

test('groups of single sign-on show and change what their users see', async () => {
  const { person, api } = await draw(<UsersSection />, {
    answers: [
      ...tableOf(users, [admin], { rowOf: userOf }),
      answer(loginInfo, { loginUrl: '/api/oidc/sign-in', singleSignOn: true }),
      answer(limits.groups, pageWith([{ id: 1, name: 'editors', limits: { ...none, storages: [1] } }])),
      answer(limits.limitGroup),
      answer(projects.list, pageWith([])),
      hold(storages),
    ],
  })
  expect(await row('Groups of single sign-on', /editors/)).toContain('1 storage')
  await person.press('Edit editors')
  await person.press('Everything', 'radio')
  await person.press('Save group')
  await person.see('editors was updated')
  expect(api.inputs(limits.limitGroup)).toEqual([{ params: { name: 'editors' }, body: { ...none, everything: true } }])
})

test('a user is disabled, but not the last administrator', async () => {
  const { person, api } = await show([admin, ana])
  await person.press('Edit ana')
  await person.see('ana cannot sign in; sessions and API tokens of ana stop working immediately.')
  await person.press(/^Disabled/, 'switch')
  await person.press('Save user')
  await person.see('ana was updated')
  await person.closed()
  await waitFor(async () => expect(await row('Users', /ana/)).toMatch(/^anaDisabled/))
  const message = 'At least one enabled administrator must have a password.'
  api.answer(refuse(users.update, { message }, 409))
  await person.press('Edit admin')
  await person.press(/^Disabled/, 'switch')
  await person.press('Save user')
  await person.see(message)
  await person.keys('{Escape}')
  await person.press('Discard changes')
  await person.closed()
})

test('a user gets a new one-time password or is deleted, once that is confirmed', async () => {
  const { person, api } = await show([admin, ana])
  api.answer(answer(users.resetPassword, { id: 2, name: 'ana', password }))
  await person.press('Reset password of ana')
  await person.see('The password of ana stops working and their sessions end.')
  await person.press('Reset password')
  await person.see('Password of ana')
  expect(secret()).toBe(password)
  await person.press('Done')
  await person.closed()
  const sentence = 'Reports Weekly: their webhook is no longer called.'
  api.answer(answer(dependents, ({ query }) => (query.of === 'user' && query.id === 2 ? [sentence] : [])))
  await person.press('Delete ana')
  await person.see(sentence)
  await person.see('Are you sure you want to delete user ana?')
  await person.press('Delete user')
  await person.see('ana was deleted')
})

test('the second factor of a user who lost it is removed, once that is confirmed', async () => {
  const { person, api } = await show([admin, { ...ana, hasSecondFactor: true }])
  expect(await row('Users', /ana/)).toMatch(/^anaSecond factor/)
  expect(screen.queryByRole('button', { name: 'Remove second factor of admin' })).toBeNull()
  api.answer(answer(secondFactor.remove))
  await person.press('Remove second factor of ana')
  await person.see(/Make sure that it is ana who asks/)
  await person.press('Remove second factor')
  await person.see('ana signs in without a second factor now')
  expect(api.inputs(secondFactor.remove)).toMatchObject([{ params: { id: 2 } }])
})

test('the name and roles of a user of the single sign-on are managed there', async () => {
  const { person } = await show([{ ...ana, isOfProvider: true }])
  expect(await row('Users', /ana/)).toMatch(/^anaSingle sign-on/)
  expect(screen.queryByRole('button', { name: 'Reset password of ana' })).toBeNull()
  await person.press('Edit ana')
  await person.see('Managed by single sign-on, updated at each sign-in.')
  expect(await person.isDisabled('Name', 'textbox')).toBe(true)
  expect(await person.isDisabled('Project manager', 'checkbox')).toBe(true)
})

const nightly: ApiToken = {
  id: 1,
  name: 'nightly',
  owner: 'admin',
  isOwnerDisabled: false,
  roles: [],
  createdAt: at,
  expiresAt: at,
  isExpired: false,
  lastUsedAt: null,
}

test('an API token is shown once, and revoked once that is confirmed', async () => {
  const rows: ApiToken[] = []
  const { person, api } = await draw(<ApiTokensSection />, {
    answers: [
      answer(apiTokens.list, () => pageWith([...rows])),
      answer(apiTokens.create, ({ body: { name } }) => {
        rows.push({ ...nightly, name })
        return { id: 1, name, token: 'token-1234', expiresAt: at }
      }),
      answer(apiTokens.remove, () => void rows.splice(0)),
    ],
  })
  await person.see('No API tokens yet. Scripts use tokens to call the API.')
  await person.see(`${location.origin}/mcp`)
  await person.see('"Authorization": "Bearer TOKEN"')
  await person.see(/curl -fsSL 'http:\/\/127\.0\.0\.1:8080\/cli\/dataintell'.* login 'http:\/\/127\.0\.0\.1:8080'/)
  await person.press('Add API token')
  await person.write('Name', 'nightly')
  await person.choose('Valid for', '30 days')
  await person.press('Create token')
  await person.see('This API token is not shown again.')
  expect(secret()).toBe('token-1234')
  await person.press('Done')
  await person.closed()
  await person.seeNo('token-1234')
  expect(await row('API tokens', /nightly/)).toMatch(/^nightlyadminNone.*Not yet/)
  expect(api.inputs(apiTokens.create)).toMatchObject([{ body: { name: 'nightly', roles: [], days: 30 } }])
  await person.press('Revoke nightly')
  await person.see('Scripts that use nightly are refused from their next call.')
  await person.press('Revoke token')
  await person.see('nightly was revoked')
  await person.see('No API tokens yet.')
})

test('tokens that expired, or whose owner is disabled, are marked', async () => {
  const weekly = { ...nightly, id: 2, name: 'weekly', owner: 'ben', isOwnerDisabled: true }
  const { person, api, live } = await draw(<ApiTokensSection />, {
    answers: [answer(apiTokens.list, pageWith([{ ...nightly, isExpired: true }, weekly]))],
  })
  await person.see(/nightlyadmin.*Expired/)
  expect(await row('API tokens', /weekly/)).toMatch(/^weeklyOwner disabledben/)
  expect(screen.getByTitle('Refused until ben is enabled').textContent).toBe('Owner disabled')
  api.answer(answer(apiTokens.list, pageWith([{ ...weekly, isOwnerDisabled: false }])))
  live.send('changed', { type: 'changed', topics: ['apiTokens'] })
  await person.seeNo('Owner disabled')
})

test('browsers of everyone are listed, and other browsers are signed out', async () => {
  const session = (id: number, userName: string): Session => ({
    id,
    userName,
    address: '127.0.0.1',
    userAgent: 'curl/8.1',
    createdAt: at,
    lastSeenAt: at,
    isOwn: id === 1,
  })
  const { person, api } = await draw(<SessionsSection />, {
    answers: [
      answer(sessions.list, pageWith([session(1, 'admin'), session(2, 'ana')])),
      answer(sessions.end),
      answer(loginInfo, { loginUrl: '/login', singleSignOn: false }),
    ],
  })
  await person.see('a script after 1 hour')
  await person.see('This one')
  await person.press('Sign out Script (curl) of ana')
  await person.see('Script (curl) of ana was signed out')
  expect(api.inputs(sessions.end)).toMatchObject([{ params: { id: 2 } }])
  await person.seeNo('back-channel logout URL')
})

test('with single sign-on, the sessions show the address for sign-outs at the provider', async () => {
  const { person } = await draw(<SessionsSection />, {
    answers: [
      answer(sessions.list, pageWith<Session>([])),
      answer(loginInfo, { loginUrl: '/api/oidc/sign-in', singleSignOn: true }),
    ],
  })
  await person.see('A single sign-on that issues no refresh token is asked again after 1 hour.')
  await person.see(`${location.origin}/api/oidc/back-channel-logout`)
})

test('only administrators see the settings', async () => {
  const { person } = await open('/settings', { roles: ['ROLE_PROJECT_MANAGER'] })
  await person.see('Only administrators can open Settings.')
  expect(document.body.textContent).not.toContain('API tokens')
})
