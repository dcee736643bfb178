import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import type { LiveState } from '#events/feeds/liveState.ts'
import { storageStates } from '#events/overview/storageStates.ts'
import { storages } from '#events/storages.ts'
import { configuredStorage, liveState, storagesWith, today } from '#client/testing/examples.ts'
import { answer } from '#client/testing/fakeApi.ts'
import { draw } from '#client/testing/render.tsx'
import { LiveBadge, LiveButton } from './LiveBadge.tsx'

const state = {
  volumeId: 1,
  name: 'Films',
  type: 'crawl.files',
  isScanned: true,
  isScanning: false,
  lastScan: { jobId: 1, state: 'done' as const, reason: null, finishedAt: `${today}T12:00:00.000Z` },
  isScheduled: true,
  isWatched: true,
}
const show = (live: LiveState) =>
  draw(
    <>
      <LiveBadge volumeId={1} />
      <LiveButton volumeId={1} />
      <p>Films</p>
    </>,
    {
      answers: [
        answer(storages, storagesWith(configuredStorage(1, { live }), configuredStorage(2, { live: liveState }))),
        answer(storageStates, [state]),
      ],
    },
  )

test('a live storage says since when, how late, and what the last scan found', async () => {
  const { person } = await show({ ...liveState, behindMs: 1_200, missed: { scanId: 7, entries: 3 } })
  await screen.findByTitle(
    /^All changes since 2026-03-01 1\d:00 were seen\. .* is 1\.2 s old\. The scan on 2026-03-01 found 3 entries that weren't seen live\./,
  )
  await person.press('Live', 'button')
  await person.see(
    'In local folders, changes by other clients of a share and writes to memory-mapped files are not seen.',
  )
  expect((await screen.findByRole('link', { name: 'Show Now' })).getAttribute('href')).toBe(
    '/filemanagement?volumeId=1&path=%2F&date=now',
  )
  expect(screen.getByRole('link', { name: 'Help: Live storages' }).getAttribute('href')).toBe('/help/live-storages')
})

test('a storage that can not be followed has the reason, with the commands that help', async () => {
  const reason =
    'Of 9000 folders, only 8192 can be followed. Run "sysctl -w fs.inotify.max_user_watches=9500" in "/srv/a b".'
  const { person } = await show({ ...liveState, state: 'UNAVAILABLE', reason, since: null, behindMs: null })
  await screen.findByTitle(reason)
  await person.press('Not live', 'button')
  await screen.findByText('sysctl -w fs.inotify.max_user_watches=9500')
  expect(screen.getAllByRole('button', { name: 'Copy command' })).toHaveLength(1)
  expect(screen.queryByRole('link', { name: 'Show Now' })).toBeNull()
})

test('a storage that is not followed has no badge', async () => {
  const { person, api } = await show({ ...liveState, state: 'OFF', since: null, behindMs: null })
  await person.see('Films')
  await expect.poll(() => api.inputs(storages)).toHaveLength(1)
  expect(screen.queryByText(/live/i)).toBeNull()
})
