import { waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { WallOptions, type WallToken, wallTokens } from '#events/wall.ts'
import { projects } from '#events/projects/calls.ts'
import { storages } from '#events/storages.ts'
import { today } from '#client/testing/examples.ts'
import { answer, hold, pageWith } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { WallDisplaysSection } from './WallDisplaysSection.tsx'

test('an administrator makes the address of a wall, which is shown once, and ends it', async () => {
  const lobby: WallToken = {
    id: 1,
    name: 'Lobby',
    ...WallOptions.parse({}),
    frameAncestors: '',
    createdBy: 'admin',
    createdAt: `${today}T10:00:00.000Z`,
    displays: 0,
    lastSeenAt: null,
  }
  const list = (...displays: WallToken[]) => answer(wallTokens.list, pageWith(displays))
  const token = 'x'.repeat(43)
  const { person, api, live } = await draw(<WallDisplaysSection />, {
    answers: [
      list(),
      answer(wallTokens.create, ({ body }) => {
        api.answer(list(lobby))
        return { id: 1, name: body.name, token }
      }),
      answer(wallTokens.update),
      answer(wallTokens.remove, () => api.answer(list())),
    ],
  })
  await person.see('No wall displays yet.')
  await person.press('Add wall display')
  await person.press('Create link')
  await person.see('Name must not be blank')
  await person.write('Allow embedding on', 'intranet')
  await person.write('Name', 'Lobby{Enter}')
  await person.see('Allow embedding on must be addresses such as https://intranet.example.com, without a path')
  await person.write('Allow embedding on', 'https://intranet.example.com{Enter}')
  await person.see('Lobby was added')
  await person.see(`${location.origin}/wall?token=${token}`)
  await person.press('Done')
  await person.closed()
  await person.see('Not opened yet')
  api.answer(list({ ...lobby, displays: 2, lastSeenAt: `${today}T10:05:00.000Z` }))
  live.send('changed', { type: 'changed', topics: ['wallTokens'] })
  await person.see(', 2 displays')
  await person.press('Edit Lobby')
  await person.press('Move Capacity down')
  await person.press('Growth', 'checkbox')
  await person.write('Seconds per board', '5')
  await person.press('Save display')
  await person.see('must be at least 10 seconds')
  await person.write('Seconds per board', '45')
  await person.choose('Colors', 'Dark')
  await waitFor(() =>
    expect(decodeURIComponent(document.querySelector('iframe')?.getAttribute('src') ?? '')).toBe(
      '/wall?boards=jobs,capacity,now,map,agents&every=45&scheme=dark',
    ),
  )
  await person.press('Save display')
  await person.see('Lobby was updated')
  await person.closed()
  expect(api.inputs(wallTokens.update)).toMatchObject([
    { params: { id: 1 }, body: { boards: ['jobs', 'capacity', 'now', 'map', 'agents'], every: 45, scheme: 'dark' } },
  ])
  await person.press('Revoke Lobby')
  await person.press('Revoke wall display')
  await person.see('Lobby was revoked')
  await person.seeNo('2 displays')
  expect(api.inputs(wallTokens.remove)).toMatchObject([{ params: { id: 1 } }])
})

test('a wall display sees only some storages', async () => {
  const limits = { everything: false, projects: [], storages: [1, 2], folders: [] }
  const hall: WallToken = {
    id: 1,
    name: 'Hall',
    ...WallOptions.parse({}),
    limits,
    frameAncestors: '',
    createdBy: 'admin',
    createdAt: `${today}T10:00:00.000Z`,
    displays: 0,
    lastSeenAt: null,
  }
  const answers = [answer(wallTokens.list, pageWith([hall])), answer(wallTokens.update)]
  const { person, api } = await draw(<WallDisplaysSection />, { answers })
  await person.see('2 storages')
  api.answer(answer(projects.list, pageWith([])), hold(storages))
  await person.press('Edit Hall')
  await person.press('Everything', 'radio')
  await person.press('Save display')
  await person.see('Hall was updated')
  expect(api.inputs(wallTokens.update)).toMatchObject([{ body: { limits: { everything: true, storages: [] } } }])
})
