import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dashboard } from '#events/dashboard.ts'
import { hideSetup, setup, type SetupStep } from '#events/overview/setup.ts'
import { type StorageState, storageStates } from '#events/overview/storageStates.ts'
import { mostActiveProjects } from '#events/projects/calls.ts'
import { reportChecks } from '#events/reports/runs.ts'
import { scanPaths } from '#events/scans/calls.ts'
import { searchSizes } from '#events/search/calls.ts'
import { snapshotDates, volumes } from '#events/snapshots.ts'
import { mostActiveVolumes } from '#events/storages.ts'
import { dashboardWith, storageSize, volume, volumePage } from '#client/testing/examples.ts'
import { answer, type FakeAnswer } from '#client/testing/fakeApi.ts'
import { open, type Options } from '#client/testing/render.tsx'

const at = '2026-03-01T02:00:00.000Z'
const state = (volumeId: number, changes: Partial<StorageState> = {}): StorageState => ({
  volumeId,
  name: `Storage ${volumeId}`,
  type: 'crawl.files',
  isScanned: true,
  isScanning: false,
  lastScan: { jobId: 7, state: 'done', reason: null, finishedAt: at },
  isScheduled: true,
  isWatched: true,
  ...changes,
})
const failed = { jobId: 7, state: 'failed', reason: 'No such host: nas', finishedAt: at } as const

/** Answers to the cards that the dashboard shows while it loads. */
const cards = [
  answer(mostActiveVolumes, []),
  answer(mostActiveProjects, []),
  answer(reportChecks, []),
  answer(searchSizes, { count: 0, size: 0 }),
]

/** A product with storages that were never scanned. */
const openFirstDay = (answers: readonly FakeAnswer[], options: Options = {}) =>
  open('/', {
    answers: [
      answer(dashboard, dashboardWith({ indexingDate: null })),
      answer(snapshotDates, []),
      answer(setup, { done: [], isHidden: false }),
      ...cards,
      ...answers,
    ],
    ...options,
  })

/** A product with a snapshot of these storages. */
const openDashboard = (states: StorageState[], options: Options = {}) =>
  open('/', {
    answers: [
      answer(dashboard, dashboardWith({ storages: states.map(({ volumeId }) => storageSize(volumeId)) })),
      answer(storageStates, states),
      ...cards,
    ],
    ...options,
  })

const hrefOf = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')

test('the checklist of the first day has one link for each step', async () => {
  const { person } = await openFirstDay([])
  await person.see('Get started')
  await person.see('0 of 5 done')
  expect(await hrefOf('Add storage')).toBe('/storages?add=storage')
  expect(await hrefOf('Add schedule')).toBe('/settings/schedules?add=schedule')
  expect(await hrefOf('Set up mail')).toBe('/settings/mail')
  expect(await hrefOf('Add alert')).toBe('/alerts?add=alert')
  expect(await hrefOf('Add user')).toBe('/settings/users')
})

test('a finished step has no link, and the checklist disappears with the last one', async () => {
  const { person, api, live } = await openFirstDay([answer(setup, { done: ['storage', 'mail'], isHidden: false })])
  await person.see('2 of 5 done')
  expect(screen.getAllByText(': done')).toHaveLength(2)
  expect(screen.queryByRole('link', { name: 'Set up mail' })).toBeNull()
  const all: SetupStep[] = ['storage', 'schedule', 'mail', 'alert', 'user']
  api.answer(answer(setup, { done: all, isHidden: false }))
  live.send('changed', { type: 'changed', topics: ['users'] })
  await person.seeNo('Get started')
})

test('a user hides the checklist, and undoes it if it was a mistake', async () => {
  let isHidden = false
  const { person, api } = await openFirstDay([
    answer(setup, () => ({ done: ['storage'], isHidden })),
    answer(hideSetup, ({ body }) => void (isHidden = body.isHidden)),
  ])
  await person.press('Hide checklist')
  await person.see('The checklist is hidden.')
  await person.press('Undo')
  await person.see('1 of 5 done')
  expect(api.inputs(hideSetup).map(({ body }) => body)).toEqual([{ isHidden: true }, { isHidden: false }])
})

test('only administrators see the checklist', async () => {
  const { person } = await openFirstDay([], { roles: [] })
  await person.see('No scan has run yet.')
  expect(screen.queryByText('Get started')).toBeNull()
})

test('a storage whose first scan failed shows the reason on the dashboard and in the navigation, and is retried there', async () => {
  let isScanning = false
  const { person, api } = await openFirstDay(
    [
      answer(storageStates, () => [state(4, { name: 'Rushes', isScanned: false, isScanning, lastScan: failed })]),
      answer(scanPaths, () => {
        isScanning = true
        return { jobId: 8 }
      }),
    ],
    { hasShell: true },
  )
  await person.see('Not scanned yet: No such host: nas')
  await waitFor(() => expect(screen.getByRole('status', { name: '1 failed scan' }).textContent).toBe('1'))
  await person.press('Retry: Rushes')
  await person.see('First scan in progress')
  expect(api.inputs(scanPaths).map(({ body }) => body)).toEqual([{ storageIdToPath: { '4': '' } }])
  expect(screen.queryByRole('status', { name: '1 failed scan' })).toBeNull()
})

test('a user without the permission to scan sees the reason, but no button', async () => {
  const { person } = await openDashboard([state(1, { lastScan: failed })], { roles: [] })
  await person.see('Last scan failed: No such host: nas')
  expect(screen.queryByRole('button', { name: /^Retry: / })).toBeNull()
})

test('file management lists storages that no snapshot contains', async () => {
  const { person } = await open('/filemanagement', {
    answers: [
      answer(volumes, volumePage([volume(1)])),
      answer(storageStates, [state(1), state(2, { name: 'Archive', isScanned: false, lastScan: null })]),
    ],
  })
  await person.see('Not scanned yet')
  await person.see('Archive')
  expect(screen.getByRole('button', { name: 'Scan now: Archive' })).toBeTruthy()
})
