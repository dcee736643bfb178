import { escape } from '#events/entry-row.ts'
import type { TagChange } from '#events/tags.ts'
import { folderOf, nameOf, type Place, placeKey } from '#server/entries/index.ts'
import { record } from '#server/platform/audit.ts'
import type { Actor, Trx } from '#server/platform/eventLog.ts'
import type { Platform } from '#server/platform/platform.ts'
import { changingTags, nextTagVersion } from '#server/snapshots/index.ts'
import { checkThere } from './checkThere.ts'
import { type Period, planTags, tagsOn } from './planTags.ts'
import { readPeriods } from './readPeriods.ts'
import { checkWritable, kindOf } from './writableSnapshot.ts'

type Stores = Pick<Platform, 'db' | 'clickhouse' | 'live'>
type Wish = {
  indexingDate?: string | undefined
  /** What is to change, given the tags that an entry has. */
  decide: (tags: string[]) => TagChange
  by: Actor
}
type Planned = { entry: Place; periods: Period[]; before: string[] }

/**
 * Changes the tags of entries of the newest snapshot and says how many of them changed: all of them or, when one is not
 * there, none. Changes that meet wait for each other, and for the tags that still have to follow what moved.
 */
export async function changeTagsOf(platform: Stores, entries: Place[], wish: Wish): Promise<number> {
  const { clickhouse, live } = platform
  const distinct = [...new Map(entries.map((entry) => [placeKey(entry), entry])).values()]
  const kind = distinct.every(({ isDirectory }) => isDirectory) ? 'folder' : 'file'
  const volumeIds = distinct.map(({ volumeId }) => volumeId)
  const changed = await changingTags(platform, volumeIds, async (trx, snapshot) => {
    checkWritable(snapshot, wish.indexingDate, kind)
    await checkThere({ db: trx, clickhouse }, snapshot, distinct)
    const known = await readPeriods(clickhouse, distinct, snapshot.indexingDate)
    const planned = distinct.map((entry) => plan(entry, known.get(placeKey(entry)) ?? [], wish, snapshot.indexingDate))
    return write(
      trx,
      platform,
      planned.filter(({ periods }) => periods.length > 0),
      wish,
      snapshot.indexingDate,
    )
  })
  if (changed > 0) live({ type: 'changed', topics: ['tags'] })
  return changed
}

function plan(entry: Place, known: Period[], { decide }: Wish, day: string): Planned {
  const before = tagsOn(known, day)
  return { entry, before, periods: planTags(known, decide(before), day) }
}

const columns = ['tag', 'volume', 'parent_path', 'name', 'is_directory', 'from_date', 'to_date', 'version']

async function write(trx: Trx, { clickhouse }: Stores, planned: Planned[], { by }: Wish, day: string): Promise<number> {
  if (planned.length === 0) return 0
  const version = await nextTagVersion(trx)
  const lines = planned.flatMap(({ entry, periods }) => periods.map((period) => lineOf(entry, period, version)))
  await clickhouse.insert('entry_tags', columns, Buffer.from(lines.join('')), `tags-${version}`)
  await record(trx, `tags-${version}`, by, fact(planned, day))
  return planned.length
}

const lineOf = ({ volumeId, path, isDirectory }: Place, { tag, from, to }: Period, version: number): string =>
  `${[escape(tag), volumeId, escape(folderOf(path)), escape(nameOf(path)), isDirectory ? 1 : 0, from, to, version].join(
    '\t',
  )}\n`

/** How many entries of a change the audit log names one by one. */
const mostNamed = 100

const fact = (planned: Planned[], indexingDate: string) => ({
  type: 'TagsChanged',
  indexingDate,
  changed: planned.length,
  entries: planned.slice(0, mostNamed).map(({ entry: { volumeId, path, isDirectory }, before, periods }) => ({
    kind: kindOf({ isDirectory }),
    volumeId,
    path,
    before,
    added: periods.filter(({ to }) => to > indexingDate).map(({ tag }) => tag),
    removed: [...new Set(periods.filter(({ to }) => to <= indexingDate).map(({ tag }) => tag))],
  })),
})
