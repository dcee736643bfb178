import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { daysBefore } from '#events/contract/days.ts'
import { testDb } from '#server/platform/testing/stores.ts'
import { backdate } from './backdate.ts'
import { scan } from './scan.ts'
import type { Visit } from '../testing.ts'

const shootingDays = 14

type Films = {
  films: number
  sounds: number
  weekAgo: string
  today: string
  write: (path: string, kib: number) => void
}

/** A storage scanned a week ago and today, with every kind of change in between, and a storage added today. */
export async function changedFilms(visit: Visit): Promise<Films> {
  const folder = join(visit.scratch, 'films')
  const write = writesIn(folder)
  const call = async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
    (await visit.product.call(method, path, body)).answer as T
  write('cuts/reel one.mov', 10)
  write('cuts/reel two.mov', 80)
  write('raw/interview.mxf', 40)
  write('trash/first try.mov', 20)
  write('trash/notes.txt', 4)
  write('cache/preview.tmp', 12)
  write('proxies/reel one.mp4', 5)
  write('same/poster.png', 5)
  const setting = { name: 'Films', path: folder, storagePrice: { id: 1 } }
  const films = await visit.product.addStorage({ name: 'Films', path: folder })
  await scan(visit, films)
  const [{ indexingDate: today }] = await call<[{ indexingDate: string }]>('GET', '/administration/dates')
  const weekAgo = daysBefore(today, 7)
  await backdate(await testDb(), weekAgo)

  write('cuts/reel one.mov', 60)
  write('cuts/reel two.mov', 5)
  mkdirSync(join(folder, 'archive'))
  renameSync(join(folder, 'raw/interview.mxf'), join(folder, 'archive/interview 2025.mxf'))
  rmSync(join(folder, 'trash'), { recursive: true })
  for (let day = 1; day <= shootingDays; day++)
    for (let take = 1; take <= 5; take++) write(`days/day ${day}/take ${take}.wav`, day)
  write('credits.pdf', 8)
  const rules = { volumeIgnoreRules: [{ path: '/cache' }], volumeIndexFolderOnlyPaths: [{ path: '/proxies' }] }
  await call('PUT', `/volumeSettings/${films}`, { ...setting, ...rules })
  writesIn(join(visit.scratch, 'sounds'))('rain.wav', 30)
  const sounds = await visit.product.addStorage({
    name: 'Sounds',
    path: join(visit.scratch, 'sounds'),
  })
  await scan(visit, films, sounds)
  return { films, sounds, weekAgo, today, write }
}

const writesIn = (folder: string) => (path: string, kib: number) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), 'x'.repeat(kib * 1024))
}
