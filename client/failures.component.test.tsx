import { screen, waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { agentInfos } from '#events/agents.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { dashboard } from '#events/dashboard.ts'
import { folderDetails, folderStatistics } from '#events/folders/calls.ts'
import { jobs } from '#events/jobs/calls.ts'
import { snapshotList } from '#events/snapshots.ts'
import { networkCredentials } from '#events/sources/networkShares.ts'
import { SummaryCard } from './folders/SummaryCard.tsx'
import { SnapshotsSection } from './settings/system/SnapshotsSection.tsx'
import { StateSection } from './settings/system/StateSection.tsx'
import { SettingsTable } from './parts/settings-table/SettingsTable.tsx'
import { networkCredentialsTable } from './settings/sources/file-storages/networkCredentials.ts'
import { films, foldersWith } from './testing/fakeFolders.ts'
import { fail, type FakeAnswer, hold } from './testing/fakeApi.ts'
import { draw, open } from './testing/render.tsx'

const unknown = { data: undefined, error: undefined, loading: true, retry: () => {} }

test.each([
  ['jobs', jobs.list, (failing) => open('/settings/jobs', { answers: [hold(dashboard), failing] })],
  ['snapshots', snapshotList, (failing) => draw(<SnapshotsSection />, { answers: [failing] })],
  ['agents', agentInfos, (failing) => draw(<StateSection about={unknown} />, { answers: [failing] })],
  [
    'credentials',
    networkCredentials.list,
    (failing) => draw(<SettingsTable table={networkCredentialsTable} />, { answers: [failing] }),
  ],
  [
    'a folder',
    folderDetails,
    (failing) => open('/filemanagement?volumeId=1&path=/projects', { answers: [...foldersWith(films()), failing] }),
  ],
  [
    'statistics',
    folderStatistics,
    (failing) => draw(<SummaryCard place={{ volumeId: 1, path: '/' }} history={[]} />, { answers: [failing] }),
  ],
] satisfies [string, Endpoint, (failing: FakeAnswer) => Promise<unknown>][])(
  'a failure to read %s is shown once in a message, and where the data is missing',
  async (_, endpoint, show) => {
    await show(fail(endpoint))
    const alerts = () => screen.getAllByRole('alert')
    const isMessage = (alert: HTMLElement) => alert.matches('[class*="Notification-root"]')
    await waitFor(() =>
      expect(
        alerts()
          .filter(isMessage)
          .map(({ textContent }) => textContent),
      ).toEqual([endpoint.failure]),
    )
    const inPlace = alerts().filter((alert) => !isMessage(alert))
    expect(inPlace.map(({ textContent }) => textContent)).toContain(`${endpoint.failure}Retry`)
  },
)
