import type { Role } from '#events/contract/needs.ts'
import { createApp } from '#server/app.ts'
import { currentScopeOf, foldersIn, type LimitedScope } from '#server/platform/callers/scope.ts'
import { openSession } from '#server/platform/callers/session.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { History } from '#server/content/snapshots/oracle/history.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { isAboveVisible, visibleHistory } from '#server/content/snapshots/oracle/visibleHistory.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { type KnownEntry, knownAt, type Tag } from '#server/questions/search/oracle/known.ts'
import { routesOf } from '#server/serve.ts'
import { asUser, testUser } from '#server/testing.ts'

const isFolder = (key: string): boolean => (JSON.parse(key) as [string, string, boolean])[2]
const pathOf = (key: string): string => (JSON.parse(key) as [string, string, boolean]).slice(0, 2).join('') || '/'

type Folder = { storageId: number; path: string }
type Limits = { storages?: number[]; folders?: Folder[]; projects?: number[] }

/** Makes requests as a new user who sees only this, and returns the scope of that user. */
export async function newLimitedUser(platform: Platform, roles: Role[], limits: Limits) {
  const { db } = platform
  const { storages = [], folders = [], projects = [] } = limits
  const { id } = await testUser(db, roles)
  await db
    .insertInto('limits')
    .values({ userId: id, everything: false, projects, storages, folders: JSON.stringify(folders) })
    .execute()
  const scope = await currentScopeOf(db, id)
  if (scope === 'everything') throw new Error(`User ${id} sees everything`)
  const ask = asUser(createApp(platform, routesOf(platform)), await openSession(db, id, '127.0.0.1'))
  return { id, scope, ask }
}

/** The scans of a history by date and volume. */
export async function scansOf({ db }: Platform, history: History) {
  const scans = new Map<string, number>()
  for (const date of history.dates.keys())
    for (const { volumeId, scanId } of (await snapshotAt(db, 'everything', date))?.volumes ?? [])
      scans.set(`${date} ${volumeId}`, scanId)
  return (date: string, volumeId: number): number => scans.get(`${date} ${volumeId}`) ?? 0
}

/** Some folders of some dates, sometimes with a whole storage, and with a project whose folder moved. */
export async function randomLimits(platform: Platform, random: Random, history: History): Promise<Limits> {
  const states = [...history.dates.values()].flat()
  const folders = Array.from({ length: 1 + random.below(random.chance(0.2) ? 40 : 4) }, () => {
    const { volumeId, rows } = random.pick(states)
    return { storageId: volumeId, path: pathOf(random.pick([...rows.keys()].filter(isFolder))) }
  })
  const storages = random.chance(0.15) ? [random.pick(states).volumeId] : []
  const moves = history.scans.flatMap(({ volumeId, date, moves }) =>
    [...moves].filter(([key]) => isFolder(key)).map(([after, before]) => ({ volumeId, date, after, before })),
  )
  const move = moves.length > 0 && random.chance(0.7) ? random.pick(moves) : undefined
  const shown = folders.filter(({ path }) => path !== '/' || random.chance(0.1))
  return { storages, folders: shown, projects: move ? [await newProject(platform, random, history, move)] : [] }
}

type Move = { volumeId: number; date: string; after: string; before: string }

async function newProject(platform: Platform, random: Random, history: History, move: Move): Promise<number> {
  const { volumeId, date, after, before } = move
  const moved = (await scansOf(platform, history))(date, volumeId)
  const { db } = platform
  const draft = { name: `Project ${random.below(1e9)}`, description: '', allocatedSize: 0 }
  const { id } = await db.insertInto('projects').values(draft).returning('id').executeTakeFirstOrThrow()
  const folder = { projectId: id, volumeId, isNested: false }
  await db
    .insertInto('projectFolders')
    .values([
      { ...folder, path: pathOf(before), beforeScan: moved },
      { ...folder, path: pathOf(after), fromScan: moved },
    ])
    .execute()
  return id
}

/** An entry, or a folder above those that the user sees, which has no hash. */
export type SeenEntry = KnownEntry & { isAbove?: true }

/** A history as a limited user should see it; `knownAt` has its entries, without tags and copies of the folders above. */
export function asSeenBy(
  scope: LimitedScope,
  history: History,
  tags: Tag[],
  scanOf: (date: string, volumeId: number) => number,
) {
  const visible = visibleHistory(history, scope, scanOf)
  const part = (isAbove: boolean): History => ({
    ...visible,
    dates: new Map(
      [...visible.dates].map(([date, states]) => [
        date,
        states.map(({ rows, gone, ...state }) => {
          const scan = { ...state, scanId: scanOf(date, state.volumeId) }
          const isMeant = (key: string) => isAboveVisible(scope, scan, key) === isAbove
          const isSeen = (path: string) => foldersIn(scope, scan).some((folder) => `${path}/`.startsWith(folder))
          return {
            ...state,
            rows: new Map([...rows].filter(([key]) => isMeant(key))),
            gone: gone
              .filter(({ key }) => isMeant(key))
              .map(({ row, ...lost }) => ({
                ...lost,
                row: { ...row, previousPath: isSeen(row.previousPath) ? row.previousPath : '' },
              })),
          }
        }),
      ]),
    ),
  })
  const [within, above] = [part(false), part(true)]
  const knownOn = (date: string, deletedDays: number): SeenEntry[] => [
    ...knownAt(within, tags, date, deletedDays),
    ...knownAt(above, [], date, deletedDays)
      .filter(({ deleted }) => !deleted)
      .map((entry) => ({ ...entry, dupe: false, isAbove: true })),
  ]
  return { visible, knownOn }
}
