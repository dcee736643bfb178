import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { clockProblem, confirmClock, healthProblems } from '#events/health.ts'
import { incidents } from '#events/schedules/incidents.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { currentUserInfo, loginInfo, orchestrationUrl } from '#events/users/session.ts'
import { openKeys } from '#client/app/shell/shellDialogs.state.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { today } from '#client/testing/examples.ts'
import { answer, type FakeAnswer, hold, refuse } from '#client/testing/fakeApi.ts'
import { draw, open, type Options } from '#client/testing/render.tsx'
import { Shell } from './Shell.tsx'

const older = '2026-02-10'
const defaultAnswers = [
  answer(snapshotDates, [
    { indexingDate: today, volumes: 2, isPartial: false },
    { indexingDate: older, volumes: 1, isPartial: true },
  ]),
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
  return opened
}
const address = () => decodeURIComponent(location.pathname + location.search)
const at = (expected: string) => waitFor(() => expect(address()).toBe(expected))

test('g and a letter lead to a screen, but not while a text is written, which is searched for', async () => {
  const { person } = await show()
  for (const [letter, path] of [
    ['s', '/search'],
    ['c', '/comparison'],
    ['p', '/projects'],
    ['r', '/reports'],
    ['j', '/settings/jobs'],
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
  const all = ['Dashboard', 'Storages', 'File Management', 'Comparison', 'Projects', 'Reports', 'Search']
  expect(names()).toEqual([...all.toSpliced(-1, 0, 'Policies'), 'Jobs', 'Alerts', 'Event log', 'Settings', 'Help'])
  expect(links()[0]?.getAttribute('aria-current')).toBe('page')
  await show([], { roles: ['ROLE_SODA_TRANSFER'] })
  expect(names()).toEqual([...all, 'Jobs', 'Alerts', 'Help'])
  await show([], { roles: [] })
  expect(names()).toEqual([...all, 'Alerts', 'Help'])
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

test('a question mark opens the help for the current screen', async () => {
  const { person } = await show()
  await person.keys('?')
  await waitFor(() => expect(address()).toBe('/help?screen=/'))
})

test('the header, the navigation and the user menu lead to the help for the screen', async () => {
  const { person } = await show()
  const leadsToHelp = (element: HTMLElement) => expect(element.getAttribute('href')).toBe('/help?screen=%2F')
  leadsToHelp(screen.getByRole('link', { name: 'Help for this screen' }))
  leadsToHelp(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: 'Help' }))
  await person.press(/account and display/)
  leadsToHelp(await screen.findByRole('menuitem', { name: 'Help' }))
})

test('on every keyboard layout the character counts, and a question mark in a field is text', async () => {
  const { person } = await show()
  await person.pressAt(await screen.findByRole('searchbox', { name: 'Search files and folders' }))
  await person.keys('?')
  expect(address()).toBe('/')
  const swiss = { key: '?', code: 'Minus', shiftKey: true, bubbles: true }
  document.body.dispatchEvent(new KeyboardEvent('keydown', swiss))
  await waitFor(() => expect(address()).toBe('/help?screen=/'))
})

test('the list of keys has every key, and single keys rest meanwhile', async () => {
  const { person } = await show()
  openKeys()
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
  expect(await addressOf('Help')).toBe('/help?screen=%2F')
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
  expect(screen.getByRole('button', { name: 'No failures since this page was opened' })).toBeDefined()
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

test("the reason is shown if the sign-in can't be reached, followed by the redirect once it works", async () => {
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

test('the navigation has the number of firing alerts, without muted ones', async () => {
  const firing = (id: number, mute: { until: null } | null) => ({
    id,
    alertId: 1,
    watchedId: id,
    text: 'Renders is at 93.6 %',
    startedAt: `${today}T10:44:00.000Z`,
    endedAt: null,
    mute,
  })
  await show([answer(incidents.firing, [firing(1, null), firing(2, { until: null })])])
  const link = screen.getByRole('link', { name: /^Alerts/ })
  expect(await within(link).findByRole('status', { name: '1 firing alert' })).toBeDefined()
})
