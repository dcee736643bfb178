import { expect } from 'vitest'
import type { Dashboard } from '#events/dashboard.ts'
import type { FiguresAtDate } from '#events/overview/history.ts'
import type { StorageOverview } from '#events/overview/storageOverview.ts'
import type { SnapshotDate, Volume } from '#events/snapshots.ts'
import type { ActiveVolume, DetailedVolume, Storage } from '#events/storages.ts'
import { shownStorages, wholeStorages } from '#server/platform/callers/scope.ts'
import type { Row } from '#server/content/snapshots/oracle/expectedRows.ts'
import { foldersIn } from '#server/platform/callers/scope.ts'
import { address, answerOf, inPath, pathOf, type LimitedCase } from './asking.ts'

type Figures = { sizeOfFiles: number; numberOfFiles: number; numberOfFolders: number }
const asFigures = (id: number, { sizeOfFiles, numberOfFiles, numberOfFolders }: Figures) =>
  [id, sizeOfFiles, numberOfFiles, numberOfFolders].join(' ')

/** The figures of the root of each visible storage: none without any folder of the limits on that date. */
function rootsOn(
  { visible }: LimitedCase,
  date: string,
): { volumeId: number; row: Pick<Row, 'size' | 'files' | 'folders'> }[] {
  return (visible.dates.get(date) ?? []).map(({ volumeId, rows }) => {
    const row = [...rows.values()].find((one) => pathOf(one) === '/' && one.isDirectory)
    return { volumeId, row: row ?? { size: 0, files: 0, folders: 0 } }
  })
}
const meantOn = (seen: LimitedCase, date: string) =>
  rootsOn(seen, date).map(({ volumeId, row: { size, files, folders } }) =>
    asFigures(volumeId, { sizeOfFiles: Math.max(size, 0), numberOfFiles: files, numberOfFolders: folders }),
  )

/** The figures of storages, on a date and over time. */
export async function figures(seen: LimitedCase): Promise<void> {
  const { random, dates, visible, scope } = seen
  const indexingDate = random.pick(dates)
  const meant = meantOn(seen, indexingDate).sort()
  const isWhole = (id: number) => wholeStorages(scope).includes(id)
  const volumes = await answerOf<{ elements: Volume[] }>(seen, '/v1/volumes', { indexingDate, size: '1000' })
  const { storages, scans } = await answerOf<Dashboard>(seen, '/v1/dashboard', { indexingDate })
  const overview = await answerOf<StorageOverview[]>(seen, '/v1/storages/overview', { indexingDate })
  expect({ indexingDate, volumes: volumes.elements.map((one) => asFigures(one.id, one)).sort() }).toEqual({
    indexingDate,
    volumes: meant,
  })
  expect(storages.map((one) => asFigures(one.volumeId, one)).sort()).toEqual(meant)
  const now = shownStorages(scope)
  expect(overview.map(({ volumeId }) => volumeId).sort()).toEqual(now.toSorted())
  const inSnapshot = overview.flatMap(({ snapshot }) => (snapshot ? [asFigures(snapshot.volumeId, snapshot)] : []))
  expect(inSnapshot.sort()).toEqual(meant.filter((text) => now.includes(Number(text.split(' ')[0]))))
  expect(scans.filter(({ volumeId }) => !isWhole(volumeId))).toEqual([])
  const parts = [
    ...volumes.elements.map((one) => [one.id, one.limited]),
    ...storages.map((one) => [one.volumeId, one.limited]),
  ]
  for (const [id, limited] of parts) expect([id, limited === true]).toEqual([id, !isWhole(Number(id))])
  const { elements } = await answerOf<{ elements: Storage[] }>(seen, '/v1/storages', { indexingDate })
  expect(elements.map(({ id }) => id).sort()).toEqual(now.toSorted())
  const states = await answerOf<{ volumeId: number }[]>(seen, '/v1/storageStates', {})
  expect(states.map(({ volumeId }) => volumeId).sort()).toEqual(now.toSorted())
  const days = await answerOf<SnapshotDate[]>(seen, '/administration/dates', {})
  expect(days.map((one) => [one.indexingDate, one.volumes]).sort()).toEqual(
    [...visible.dates].filter(([, shown]) => shown.length > 0).map(([date, shown]) => [date, shown.length]),
  )
  const active = await answerOf<ActiveVolume[]>(seen, '/v1/volumes/mostActiveVolumes', {
    indexingDate,
    duration: '36500',
  })
  expect(active.filter(({ id }) => !isWhole(id))).toEqual([])
  const changes = await answerOf<FiguresAtDate[]>(seen, '/v1/dashboard/history', { days: '366' })
  if (changes.length > 0) {
    const [first = '', last = ''] = [changes[0]?.indexingDate, changes.at(-1)?.indexingDate]
    const both = rootsOn(seen, first).filter(({ volumeId }) =>
      rootsOn(seen, last).some((one) => one.volumeId === volumeId),
    )
    expect(changes[0]?.files).toBe(both.reduce((sum, { row }) => sum + row.files, 0))
  }
}

/** The snapshots of any storage, and the unreadable folders of its scans. */
export async function oneStorage(seen: LimitedCase): Promise<void> {
  const { random, dates, whole, scope, ask, platform, scanOf } = seen
  const indexingDate = random.pick(dates)
  const { volumeId, rows } = random.pick(whole.dates.get(indexingDate) ?? [])
  const isShown = shownStorages(scope).includes(volumeId)
  const { status, body } = await ask('GET', address(`/v1/detailedVolumes/${volumeId}`, { size: '1000' }))
  expect({ volumeId, status }).toEqual({ volumeId, status: isShown ? 200 : 404 })
  for (const more of ['actions', 'archived'])
    expect((await ask('GET', address(`/v1/detailedVolumes/${volumeId}/${more}`, {}))).status).toBe(status)
  if (isShown)
    expect(
      (body as { elements: DetailedVolume[] }).elements
        .map((one) => `${one.indexingDate} ${asFigures(one.id, one)}`)
        .sort(),
    ).toEqual(
      dates.flatMap((date) =>
        meantOn(seen, date).flatMap((text) => (text.startsWith(`${volumeId} `) ? [`${date} ${text}`] : [])),
      ),
    )
  const scanId = scanOf(indexingDate, volumeId)
  const paths = [...rows.values()].filter(({ isDirectory }) => isDirectory).map(pathOf)
  await platform.db.deleteFrom('scanUnreadable').where('scanId', '=', scanId).execute()
  await platform.db
    .insertInto('scanUnreadable')
    .values(paths.map((path) => ({ scanId, path, error: 'EACCES' })))
    .execute()
  const folders = foldersIn(scope, { volumeId, scanId })
  const unreadable = await ask('GET', address(`/v1/scans/${scanId}/unreadable`, { size: '1000' }))
  const meant = paths.filter((path) => folders.some((folder) => inPath(path).startsWith(folder)))
  expect({ scanId, status: unreadable.status }).toEqual({ scanId, status: folders.length > 0 ? 200 : 404 })
  if (unreadable.status === 200)
    expect((unreadable.body.elements as { path: string }[]).map(({ path }) => path).sort()).toEqual(meant.sort())
}
