import type { Platform } from '#server/platform/platform.ts'
import { type History, newHistory, type ScanEffect } from '#server/content/snapshots/oracle/history.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { insertTags, type Tag } from './known.ts'

const forever = '2149-06-06'
/** Tags of users and of report runs; a user's tag may have the name of a report. */
const someTags = [
  'kept',
  'client "A"',
  `it's`,
  'Weekly',
  ...['Weekly', 'kept'].map((name) => `dataintell.report.${name}.2026-01-02`),
]

/** A history of storages whose entries are tagged after each scan; tags of moved entries should follow. */
export async function newTaggedHistory(
  stores: Pick<Platform, 'db' | 'clickhouse'>,
  random: Random,
  dates: string[],
  disks = 3,
  entries = 70,
) {
  const tags: Tag[] = []
  const tagSome = async ({ volumeId, date, moves }: ScanEffect, { dates }: History): Promise<void> => {
    const before = new Map([...moves].map(([after, before]) => [before, after]))
    for (const tag of tags.filter((tag) => tag.volumeId === volumeId && tag.to === forever && before.has(tag.key))) {
      tag.to = date
      tags.push({ ...tag, key: before.get(tag.key) ?? '', from: date, to: forever })
    }
    const rows = dates.get(date)?.find((state) => state.volumeId === volumeId)?.rows
    const some = [...(rows?.keys() ?? [])].filter(() => random.chance(0.1))
    const added = some.map((key) => {
      const tag = random.pick(someTags)
      return { volumeId, key, tag, from: date, to: forever }
    })
    const isNew = ({ key, tag }: Tag) =>
      !tags.some((old) => old.volumeId === volumeId && old.key === key && old.tag === tag)
    const fresh = added.filter(isNew)
    tags.push(...fresh)
    await insertTags(stores, fresh)
  }
  const history = await newHistory(stores, random, { dates, disks, entries, afterScan: tagSome })
  return { history, tags }
}
