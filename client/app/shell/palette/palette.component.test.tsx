import { liveOff } from '#events/feeds/liveState.ts'
import { screen, waitFor, within } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { folderSuggestions } from '#events/folders/browse.ts'
import { projects } from '#events/projects/calls.ts'
import { reports } from '#events/reports/calls.ts'
import { scanPaths } from '#events/scans/calls.ts'
import { snapshotDates } from '#events/snapshots.ts'
import { type Storage, storages } from '#events/storages.ts'
import { entry, entryPage, today } from '#client/testing/examples.ts'
import { listedProject } from '#client/testing/exampleProject.ts'
import { listedReport } from '#client/testing/reportExamples.ts'
import { answer, type FakeAnswer, pageWith } from '#client/testing/fakeApi.ts'
import { draw, type Options } from '#client/testing/render.tsx'
import { ScanAllHost } from '#client/parts/scan-dialog/ScanAllHost.tsx'
import { Shell } from '#client/app/shell/Shell.tsx'
import { noteFolder } from './recentFolders.state.ts'

const older = '2026-02-10'
const films: Storage = {
  id: 1,
  name: 'Films',
  account: null,
  type: 'crawl.files',
  createdAt: `${today}T10:00:00.000Z`,
  stats: { capacityUsed: 1, capacityTotal: 2, capacityFree: 1, fileSystem: null },
  live: liveOff,
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
  answer(projects.list, pageWith([])),
  answer(reports.list, pageWith([])),
  answer(folderSuggestions, entryPage([])),
]

/** Renders the shell around a screen that makes no calls. */
const show = async (answers: FakeAnswer[] = [], options: Options = {}) => {
  const opened = await draw(
    <Shell>
      <p>The screen</p>
      <ScanAllHost />
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

test('the palette finds pages of the settings by their contents', async () => {
  const { person, run, command } = await show()
  await run('settings: users')
  await at('/settings/users')
  for (const [words, label, path] of [
    ['mail server', /^Settings: Mail/, '/settings/mail'],
    ['retention', /^Settings: System/, '/settings'],
  ] as const) {
    await command(words)
    await person.press(label)
    await at(path)
    expect(address()).toBe(path)
  }
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

test('the palette offers recent folders of the user, and a search when nothing matches', async () => {
  const { person, run, command } = await show()
  noteFolder({ volumeId: 1, path: '/of/another/user', userId: '99' })
  await run('films')
  await person.keys('gd')
  await at('/')
  await command('')
  await within(screen.getByRole('dialog')).findByRole('button', { name: /^\/\s*Films$/ })
  await person.seeNo('/of/another/user')
  await person.fill(screen.getByRole('textbox', { name: 'Command' }), 'nothing of this kind')
  await waitFor(() =>
    expect(
      within(screen.getByRole('dialog'))
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Search for "nothing of this kind"']),
  )
  await person.keys('{Escape}')
  await person.closed()
  expect(address()).toBe('/')
})

test('the palette finds projects, reports and folders by name', async () => {
  const { person, command, run } = await show([
    answer(projects.list, pageWith([listedProject(3, 'Aurora')])),
    answer(reports.list, pageWith([listedReport(5, { name: 'Aurora old files' })])),
    answer(folderSuggestions, entryPage([entry('/work/aurora', { isDirectory: true })])),
  ])
  await command('aurora')
  await person.see(/AuroraAurora old files\/work\/auroraFilmsSearch for "aurora"/)
  await person.keys('{Enter}')
  await at('/project/3')
  await run('aurora old')
  await at('/report/5')
  await command('/work/aur')
  await person.see('/work/aurora')
  await person.keys('{Enter}')
  await at('/filemanagement?volumeId=1&path=/work/aurora')
})

test('the palette runs actions, those that the user may run', async () => {
  const { person, run, command } = await show([answer(scanPaths, { jobId: 8 })])
  await command('scan all')
  await person.keys('{Enter}')
  await person.press('Scan 1 storage')
  await person.see('Scanner for the job(s) is now running.')
  await run('new project')
  await at('/projects/new')
  await run('add storage')
  await at('/storages?add=storage')
  await run('add alert')
  await at('/alerts?add=alert&tab=rules')
  const viewer = await show([], { roles: [] })
  await viewer.command('')
  await viewer.person.see('Sign out')
  await viewer.person.seeNo(/Scan all|Add storage|New project|New report|Settings/)
})

test.each([
  ['backup', /^Backup and restore/, '/help/backup-and-restore'],
  ['duplicates', /^Find duplicates/, '/help/find-duplicates'],
  ['smb', /^Add a storage/, '/help/add-a-storage'],
])('the palette finds the help about %s by its contents', async (words, title, page) => {
  const { command, person } = await show()
  await command(words)
  await person.press(title)
  await waitFor(() => expect(address()).toBe(page))
})

test('keys typed before the palette has loaded are not lost', async () => {
  const { person } = await show()
  await person.keys('{Control>}k{/Control}aurora')
  const field = await screen.findByRole('textbox', { name: 'Command' })
  await waitFor(() => expect(field).toHaveProperty('value', 'aurora'))
})
