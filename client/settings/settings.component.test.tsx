import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { agentInfos, agents } from '#events/agents.ts'
import { application } from '#events/administration.ts'
import { configurations } from '#events/configurations.ts'
import { snapshotList } from '#events/snapshots.ts'
import { users } from '#events/users/accounts.ts'
import { apiTokens } from '#events/users/apiTokens.ts'
import { loginInfo } from '#events/users/session.ts'
import { sessions } from '#events/users/sessions.ts'
import { wallTokens } from '#events/wall.ts'
import { answer, hold, pageWith } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'
import { emptyDataTab } from './testing.ts'

const lists = [snapshotList, users.list, sessions.list, apiTokens.list, wallTokens.list, agents.list]
const answers = [
  ...emptyDataTab,
  ...lists.map((list) => answer(list, pageWith([]))),
  answer(configurations.list, []),
  answer(agentInfos, []),
  answer(loginInfo, { loginUrl: '/login', singleSignOn: false }),
  hold(application),
]
const title = () => screen.getByRole('heading', { level: 1 }).textContent
const current = () => document.querySelector('nav[aria-label="Settings"] [aria-current]')?.textContent
const sections = () => [...document.querySelectorAll('main h2, h2')].map(({ textContent }) => textContent)

test('each page of the settings has its own address, tab and title', async () => {
  for (const [path, name, section] of [
    ['/settings', 'System', 'Data Retention'],
    ['/settings/mail', 'Mail', 'Email'],
    ['/settings/users', 'Users', 'Sessions'],
    ['/settings/tokens', 'Tokens', 'API tokens'],
    ['/settings/walls', 'Walls', 'Wall displays'],
    ['/settings/data', 'Data', 'Price Book'],
  ] as const) {
    await open(path, { answers })
    await waitFor(() => expect(sections().join()).toContain(section))
    expect([title(), current(), document.title]).toEqual([name, name, `${name} · Settings · DataIntell`])
  }
})

test('addresses of earlier versions lead to the pages of today, with the snapshot that was selected', async () => {
  for (const [former, now] of [
    ['/settings/general', '/settings'],
    ['/settings/storage?date=2026-02-01', '/storages?date=2026-02-01'],
    ['/settings/data#file-storage', '/storages/settings'],
    ['/settings#users', '/settings/users'],
    ['/settings/general#wall-displays', '/settings/walls'],
    ['/settings#scan', '/settings#scan'],
  ] as const) {
    await open(former, { answers })
    await waitFor(() => expect(location.pathname + location.search + location.hash).toBe(now))
  }
})

test('tabs lead to all pages by keyboard', async () => {
  const { person } = await open('/settings', { answers })
  ;(await screen.findByRole('link', { name: 'Mail' })).focus()
  await person.keys('{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/settings/mail'))
  expect(current()).toBe('Mail')
})
