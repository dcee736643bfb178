import { artists, olderShows, type Show, shows } from './shows.ts'
import { daySeconds, gib, kib, type MadeFile, mib, padded } from './files.ts'
import { newRandom, type Random } from './random.ts'

/** `first` is the start of day 0 in seconds UTC. */
type Making = { first: number; seed: number }

const at = (first: number, day: number, random: Random): number =>
  first + day * daySeconds + random.int(9 * 3_600, 18 * 3_600)

const codeOf = (shot: number): string => `sq${padded(10 + 10 * Math.floor(shot / 6))}_sh${padded(10 + 10 * shot, 4)}`

/** Shots of all shows: plates, three versions of a comp as frames, simulations and scene files. */
export function productionFiles({ first, seed }: Making): MadeFile[] {
  const random = newRandom(seed)
  return shows.flatMap((show) =>
    Array.from({ length: show.shots }, (_, shot) => filesOfShot(show, shot, first, random)).flat(),
  )
}

function filesOfShot(show: Show, shot: number, first: number, random: Random): MadeFile[] {
  const code = codeOf(shot)
  const folder = `/${show.name}/shots/${code.slice(0, 5)}/${code}`
  const owner = random.pick(artists)
  const until = show.archivedDay === undefined ? {} : { until: first + show.archivedDay * daySeconds }
  const span = show.lastDay - show.firstDay
  const day = (share: number) => show.firstDay + Math.floor((span * (shot + share)) / show.shots)
  const files: MadeFile[] = []
  const add = (path: string, size: number, share: number, group = 'comp') => {
    const modified = at(first, day(share), random)
    const read = modified + random.int(0, 40) * daySeconds
    files.push({ path: `${folder}/${path}`, size, modified, from: modified, read, owner, group, ...until })
  }
  for (const take of [1, 2]) add(`plates/${code}_plate_v00${take}.mov`, random.int(14, 42) * gib, 0, 'ingest')
  for (const version of [1, 2, 3]) {
    const stem = `comp/v${padded(version)}/${code}_comp_v${padded(version)}`
    for (let frame = 1001; frame <= 1016; frame++)
      add(`${stem}.${frame}.exr`, random.int(52, 88) * mib + random.int(0, mib), version / 4)
  }
  for (let step = 1; step <= 4; step++)
    add(`fx/cache/${code}_smoke.${padded(step, 4)}.vdb`, random.int(1, 9) * gib, 0.5, 'fx')
  add(`scenes/${code}_comp.nk`, random.int(300, 900) * kib, 0.6)
  add(`scenes/${code}_layout.ma`, random.int(4, 40) * mib, 0.3, 'layout')
  add(`scenes/${code}_fx.hip`, random.int(8, 60) * mib, 0.4, 'fx')
  add(`audio/${code}_guide.wav`, random.int(20, 120) * mib, 0.1, 'editorial')
  return files
}

/** Daily renders of the farm, never deleted: a steady growth by some 40 GiB a day. */
export function renderFiles({ first, seed }: Making): MadeFile[] {
  const random = newRandom(seed + 1)
  const files: MadeFile[] = []
  for (let day = -190; day <= 240; day++) {
    const active = shows.filter(({ firstDay, lastDay }) => firstDay <= day && day <= lastDay)
    const show = active[Math.abs(day) % active.length] ?? shows[0]
    if (!show) continue
    const code = codeOf(random.int(0, show.shots - 1))
    const folder = `/${show.name}/lighting/${code}/v${padded(((day + 190) % 9) + 1)}_${day + 190}`
    const modified = at(first, day, random)
    const owner = random.pick(artists)
    const read = modified + random.int(0, 45) * daySeconds
    for (let layer = 1; layer <= 10; layer++) {
      const path = `${folder}/${code}_beauty.${padded(1000 + layer, 4)}.exr`
      files.push({
        path,
        size: random.int(3_600, 4_600) * mib,
        modified,
        from: modified,
        read,
        owner,
        group: 'lighting',
      })
    }
  }
  return files
}

/** Media, projects and exports of the cutting rooms. */
export function editorialFiles({ first, seed }: Making): MadeFile[] {
  const random = newRandom(seed + 2)
  return shows.flatMap((show) => {
    const files: MadeFile[] = []
    const span = Math.max(1, show.lastDay - show.firstDay)
    const add = (path: string, size: number, share: number) => {
      const modified = at(first, show.firstDay + Math.floor(span * share), random)
      const owner = random.pick(artists)
      const read = modified + random.int(0, 60) * daySeconds
      files.push({ path: `/${show.name}/${path}`, size, modified, from: modified, read, owner, group: 'editorial' })
    }
    for (let clip = 1; clip <= 70; clip++)
      add(`media/day_${padded(Math.ceil(clip / 7), 2)}/A${padded(clip)}_C001.mxf`, random.int(9, 38) * gib, clip / 90)
    for (let reel = 1; reel <= 6; reel++) {
      add(`projects/${show.name}_r${reel}.prproj`, random.int(2, 30) * mib, reel / 7)
      add(`exports/${show.name}_r${reel}_cut${padded(reel * 3, 2)}.mov`, random.int(20, 60) * gib, reel / 7)
      add(`audio/${show.name}_r${reel}_mix.wav`, random.int(1, 3) * gib, reel / 7)
    }
    return files
  })
}

/** Color grading of the shows in their last third. */
export function gradingFiles({ first, seed }: Making): MadeFile[] {
  const random = newRandom(seed + 3)
  return shows.flatMap((show) =>
    Array.from({ length: 40 }, (_, shot): MadeFile => {
      const day = show.lastDay - 60 + shot
      const modified = at(first, Math.min(day, 150 + shot), random)
      const path = `/${show.name}/conform/${codeOf(shot % show.shots)}_grade_v${padded(1 + Math.floor(shot / show.shots))}.dpx.mov`
      const size = random.int(6, 22) * gib
      const read = modified + random.int(0, 30) * daySeconds
      return { path, size, modified, from: modified, read, owner: random.pick(artists), group: 'color' }
    }),
  )
}

/** Finished episodes for clients. Old ones moved to cheaper storage classes. */
export function deliveryFiles({ first, seed }: Making): MadeFile[] {
  const random = newRandom(seed + 4)
  return shows.flatMap((show) => {
    const files: MadeFile[] = []
    for (let reel = 1; reel <= 24; reel++) {
      const day = show.firstDay + Math.floor(((show.lastDay - show.firstDay) * reel) / 24)
      const modified = at(first, day, random)
      const storageClass = day < 0 ? 'DEEP_ARCHIVE' : day < 90 ? 'GLACIER_IR' : 'STANDARD'
      const facts = { modified, from: modified, owner: '', group: '', storageClass }
      const stem = `/${show.name}/delivery_${padded(reel, 2)}/${show.name}_${padded(reel, 2)}`
      files.push({ path: `${stem}_prores.mov`, size: random.int(30, 90) * gib, ...facts })
      files.push({ path: `${stem}_h264.mp4`, size: random.int(1, 4) * gib, ...facts })
      files.push({ path: `${stem}_captions.srt`, size: random.int(30, 90) * kib, ...facts })
    }
    return files
  })
}

/** Masters are archived some weeks after their delivery; those of the last months are missing. */
const archivedAfterDays = 21
const isArchivedDelivery = ({ path, modified }: MadeFile, first: number): boolean =>
  path.endsWith('_prores.mov') && modified < first + 80 * daySeconds

/** Shows of earlier years, and the shots of shows that were archived during the history, with their own dates. */
export function archiveFiles({ first, seed }: Making): MadeFile[] {
  const random = newRandom(seed + 5)
  const older = olderShows.flatMap((name, i) =>
    Array.from({ length: 160 }, (_, reel): MadeFile => {
      const modified = at(first, -380 * (i + 1) - reel, random)
      const path = `/${name}/masters/part_${padded(Math.floor(reel / 20) + 1, 2)}/${name}_${padded(reel + 1)}.mxf`
      return { path, size: random.int(24, 70) * gib, modified, from: modified, owner: '', group: '' }
    }),
  )
  const moved = productionFiles({ first, seed }).flatMap(({ until, read: _, ...file }) =>
    until === undefined || file.path.includes('/fx/cache/') ? [] : [{ ...file, from: until, owner: '', group: '' }],
  )
  const delivered = deliveryFiles({ first, seed }).flatMap(({ storageClass: _, ...file }) =>
    isArchivedDelivery(file, first) ? [{ ...file, from: file.modified + archivedAfterDays * daySeconds }] : [],
  )
  return [...older, ...moved, ...delivered]
}
