import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { clockProblem, confirmClock, healthProblems } from '#events/health.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { type Storage, storages } from '#events/storages.ts'
import { currentUserInfo, loginInfo, orchestrationUrl } from '#events/users/session.ts'
import { toastFailure } from '#client/app/toasts.ts'
import { today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, refuse } from '#client/testing/fakeApi.ts'
import { draw, open, type Options } from '#client/testing/render.tsx'
import { Shell } from './Shell.tsx'

const older = '2026-02-10'
const films: Storage = {
  id: 1,
  name: 'Films',
  account: null,
  type: 'crawl.files',
  createdAt: `${today}T10:00:00.000Z`,
  stats: { capacityUsed: 1, capacityTotal: 2, capacityFree: 1, fileSystem: null },
}
const defaultAnswers = [
  answer(snapshotDates, [
    { indexingDate: today, volumes: 2, isPartial: false },
    { indexingDate: older, volumes: 1, isPartial: true },
  ]),
  answer(storages, {
    elements: [films],
    startCursor: null,
    endCursor: null,
    hasNextPage: false,
    hasPreviousPage: false,
    size: 25,
    sort: 'NAME' as const,
    direction: 'asc' as const,
    indexingDate: today,
  }),
]

/** Renders the shell around a screen that makes no calls. */
const show = async (answers: FakeAnswer[] = [], options: Options = {}) => {
  const opened = await draw(
    <Shell>
      <p>The screen</p>
    </Shell>,
    { ...options, answers: [...defaultAnswers, ...answers] },
  )
  await screen.findByRole('button', { name: /^Snapshot 2026/ })
  const command = async (words: string) => {
    await opened.person.keys('{Control>}k{/Control}')
    await opened.person.fill(await screen.findByRole('textbox', { name: 'Command' }), words)
  }
  const run = async (words: string) => {
    await command(words)
    await opened.person.keys('{Enter}')
    await opened.person.closed()
  }
  return { ...opened, command, run }
}
const address = () => decodeURIComponent(location.pathname + location.search)
const at = (expected: string) => waitFor(() => expect(address()).toBe(expected))

test('g and a letter lead to a screen, but not while a text is written, which is searched for', async () => {
  const { person } = await show()
  for (const [letter, path] of [
    ['s', '/search'],
    ['p', '/projects'],
    ['r', '/reports'],
    ['t', '/settings'],
    ['f', '/filemanagement'],
    ['d', '/'],
  ] as const) {
    await person.keys(`g${letter}`)
    await at(path)
  }
  const field = await screen.findByRole('searchbox', { name: 'Search files and folders' })
  await person.pressAt(field)
  await person.keys('gs[[?')
  expect(address()).toBe('/')
  expect(screen.queryByRole('dialog')).toBeNull()
  await person.keys('{Enter}')
  await at('/search?search=gs[?')
})

test('the navigation names the screens that a user may see, and where one is', async () => {
  await show()
  const links = () => within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')
  const names = () => links().map(({ textContent }) => textContent)
  expect(names()).toEqual([
    'Dashboard',
    'File Management',
    'Projects',
    'Reports',
    'Search',
    'Alerts',
    'Event log',
    'Settings',
  ])
  expect(links()[0]?.getAttribute('aria-current')).toBe('page')
  await show([], { roles: ['ROLE_SODA_TRANSFER'] })
  expect(names()).not.toContain('Event log')
})

test('the navigation stays pinned in this browser', async () => {
  const { person } = await show()
  await person.press('Keep open')
  await screen.findByRole('button', { name: 'Unpin', pressed: true })
  expect(localStorage.getItem('railPinned')).toBe('true')
})

test('the brackets lead through the snapshots, and past ones are read only', async () => {
  const { person } = await show()
  await person.keys('[[')
  await at(`/?date=${older}`)
  await screen.findByRole('button', { name: `Snapshot ${older}, read-only · partial` })
  await person.keys('[[')
  await person.see('There is no older snapshot.')
  await person.keys(']')
  await at('/')
  await person.keys(']')
  await person.see('There is no newer snapshot.')
})

test('only days with a snapshot can be chosen', async () => {
  const { person } = await show()
  await person.press(`Snapshot ${today}`)
  const day = await screen.findByTitle('2 storages')
  expect(screen.getAllByTitle('No snapshot').every((each) => each.matches(':disabled'))).toBe(true)
  expect(day.matches(':disabled')).toBe(false)
  expect(await person.isDisabled(`Newest: ${today}`)).toBe(true)
  await person.press('Previous month')
  await person.pressAt(await screen.findByTitle('1 storage, partial'))
  await at(`/?date=${older}`)
  await person.press(/^Snapshot 2026/)
  await person.press(`Newest: ${today}`)
  await at('/')
})

test('the palette leads to screens, storages and snapshots', async () => {
  const { run } = await show()
  await run('jobs')
  await at('/settings/jobs')
  await run('films')
  await at('/filemanagement?path=/&volumeId=1')
  await run('folder analytics')
  await at('/folders?volumeId=1&path=/')
  await run('older snap')
  await waitFor(() => expect(address()).toMatch(`date=${older}`))
  await run('newest snap')
  await at('/folders?volumeId=1&path=/')
})

test('the palette switches how this browser shows things', async () => {
  const { run } = await show()
  await run('kB, MB')
  expect(localStorage.getItem('sizeBase')).toBe('10')
  await run('KiB, MiB')
  expect(localStorage.getItem('sizeBase')).toBe('2')
  await run('colors: dark')
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  await run('colors: light')
  expect(document.documentElement.dataset['mantineColorScheme']).toBe('light')
})

test('the palette offers recent folders, and says when nothing matches', async () => {
  const { person, run, command } = await show()
  await run('films')
  await person.keys('gd')
  await at('/')
  await command('')
  await within(screen.getByRole('dialog')).findByRole('button', { name: /^\/\s*Films$/ })
  await person.fill(screen.getByRole('textbox', { name: 'Command' }), 'nothing of this kind')
  await person.see('No matches.')
  await person.keys('{Escape}')
  await person.closed()
  expect(address()).toBe('/')
})

test('a question mark lists every key, and single keys rest meanwhile', async () => {
  const { person } = await show()
  await person.keys('?')
  await person.see('Older snapshot')
  await person.see('Single-key shortcuts are off while you type in a field.')
  await person.keys('gs')
  expect(address()).toBe('/')
  await person.keys('{Escape}')
  await person.closed()
})

test('the switcher and the profile menu lead out of the product', async () => {
  const { person } = await show([answer(orchestrationUrl, 'https://orchestration.example.com/')], {
    user: { supportUrl: 'https://help.example.com/' },
  })
  const addressOf = async (name: string) => (await screen.findByRole('menuitem', { name })).getAttribute('href')
  await person.press('Applications')
  expect(await addressOf('Orchestration')).toBe('https://orchestration.example.com/')
  expect(await addressOf('Intelligence')).toBe('/')
  await person.press('Profile')
  expect(await addressOf('Contact Support')).toBe('https://help.example.com/')
  expect(await addressOf('Help')).toBe('/api/docs')
  await person.press('Profile', 'menuitem')
  await at('/profile')
})

test('without another product and a support address, neither is offered', async () => {
  const { person } = await show()
  expect(screen.queryByRole('button', { name: 'Applications' })).toBeNull()
  await person.press('Profile')
  await screen.findByRole('menuitem', { name: 'Help' })
  expect(screen.queryByRole('menuitem', { name: 'Contact Support' })).toBeNull()
})

test('failures stay in a list, and faults of the product are in sight of administrators', async () => {
  const problem = { key: 'nats', message: 'NATS cannot be reached.', since: `${today}T10:00:00.000Z` }
  const { person } = await show([answer(healthProblems, [problem])])
  await person.see('NATS cannot be reached.')
  toastFailure(new Error('The store is away'))
  await person.press('1 failure since this page was opened')
  await waitFor(() => expect(within(screen.getByRole('dialog')).getByRole('listitem').textContent).toMatch('The store'))
})

test('an administrator confirms the date of a clock that jumped', async () => {
  const problem = { key: clockProblem, message: 'The clock jumped.', since: `${today}T10:00:00.000Z` }
  const { person, api } = await show([answer(healthProblems, [problem]), answer(confirmClock, undefined)])
  await person.see('The clock jumped.')
  await person.press('Confirm date')
  await waitFor(() => expect(api.inputs(confirmClock)).toHaveLength(1))
})

test('a screen whose snapshots cannot be read says so below its title, until it works again', async () => {
  const { person, api } = await open('/search', {
    hasShell: true,
    answers: [refuse(snapshotDates, { message: 'Too many calls' }, 429)],
  })
  await person.see('Too many calls')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Search')
  api.answer(answer(snapshotDates, []))
  await person.press('Retry')
  await person.see('Nothing has been scanned yet.')
})

test('the frame is drawn while the user is unknown', async () => {
  await open('/search', { hasShell: true, answers: [hold(currentUserInfo)] })
  const content = await screen.findByRole('main', { name: 'Loading' })
  expect(content.textContent).toBe('')
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('whoever cannot be led to the sign-in is told why, and led there once that works', async () => {
  const { person, api } = await open(`/search?date=${older}`, {
    hasShell: true,
    answers: [
      refuse(currentUserInfo, { message: 'Please sign in' }, 401),
      refuse(loginInfo, { message: 'Too many calls' }, 429),
    ],
  })
  await person.see('Too many calls')
  await person.seeNo('Please sign in')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('DataIntell')
  api.answer(answer(loginInfo, { loginUrl: '/login', singleSignOn: false }))
  await person.press('Retry')
  await at(`/login?redirectTo=/search?date=${older}`)
})
