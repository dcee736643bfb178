import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { partOfFolder } from '#events/folders/browse.ts'
import { incidents } from '#events/schedules/incidents.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { searchFiles } from '#events/search/calls.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { views } from '#events/users/sessions.ts'
import { answer, hold } from '#client/testing/fakeApi.ts'
import { open } from '#client/testing/render.tsx'

const limits = {
  projects: [
    { id: 1, name: 'Aurora' },
    { id: 2, name: 'Borealis' },
  ],
  storages: [{ id: 3, name: 'Films' }],
  folders: 0,
  version: 'a',
}

test('a limited user gets only screens that the limits allow, which say what they are limited to', async () => {
  const { person, api } = await open('/search', {
    hasShell: true,
    roles: [],
    user: { limits },
    answers: [hold(searchFiles), hold(downloadLimit), hold(volumes)],
  })
  await person.see('Of your 2 projects and 1 storage')
  const links = within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')
  const names = links.map(({ textContent }) => textContent)
  expect(names).toContain('Search')
  expect(names).not.toContain('Event log')
  expect(api.inputs(incidents.firing)).toEqual([])
})

test('an administrator who sees the product as a user reads that on every page, and stops', async () => {
  const user = { name: 'anna', viewedBy: 'admin', limits }
  const { person, api } = await open('/help', {
    hasShell: true,
    roles: [],
    user,
    answers: [answer(views.end), hold(partOfFolder)],
  })
  await person.see('You see what anna sees. Nothing can be changed.')
  await person.press('Stop')
  await waitFor(() => expect(api.inputs(views.end)).toHaveLength(1))
})

test.each(['/', '/storages', '/search'])('a user whose limits allow nothing reads that at %s', async (address) => {
  const nothing = { ...limits, projects: [], storages: [] }
  const { person } = await open(address, {
    hasShell: true,
    roles: [],
    user: { limits: nothing },
    answers: [answer(snapshotDates, [])],
  })
  await person.see('You see no projects, storages or folders yet. Ask an administrator to add some.')
  await person.seeNo(/Of your|No data|scan/i)
})

test('a screen that the limits refuse keeps its title', async () => {
  const { person } = await open('/alerts', { hasShell: true, roles: [], user: { limits } })
  await person.see('Not available for your 2 projects and 1 storage')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Alerts')
})

test('without data, only administrators get a link to the wizard', async () => {
  const { person } = await open('/help', { hasShell: true, roles: [], answers: [answer(snapshotDates, [])] })
  await person.see('There is no data indexed. An administrator needs to do a scan.')
  expect(screen.queryByRole('link', { name: 'here' })).toBeNull()
})
