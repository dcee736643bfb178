import { describe, expect, test } from 'vitest'
import { contradictions, decodeRows, isEntry, isListed, pathOf, type Row, totals } from '#agent/testing/decodeRows.ts'
import { missingForSlowFs, mountSlowFs } from '#agent/testing/slowFs.ts'
import { orderOf, walked } from '#agent/testing/walked.ts'
import { waysOfLookups, type WayOfLookups } from '../../../systems/local/lookups/lookups.ts'
import { walkFolders } from '../walkFolders.ts'

const slowly = { maxLookups: 4, maxEntriesPerSecond: null, quietHours: null, timeZone: 'UTC' }

/** The rows that a walk sent until it was stopped with its first batch, as a pause or a kill does. */
async function interrupted(root: string, way: WayOfLookups): Promise<Row[]> {
  const rows: Row[] = []
  const stop = new AbortController()
  const listener = {
    async batch({ packed, batch }: { packed: Uint8Array; batch: number }) {
      rows.push(...decodeRows(packed, { attempt: 1, batch }))
      stop.abort(new Error('stopped'))
    },
    unreadable: () => {},
    progressed: () => {},
  }
  const nextPage = async () => ({ pending: [], morePending: 0 })
  const walking = walkFolders(orderOf(root, { pace: slowly }), root, { listener, nextPage, way, signal: stop.signal })
  await expect(walking).rejects.toThrow('stopped')
  return rows
}

describe.skipIf(missingForSlowFs()).each(waysOfLookups)('a walk through a %s', (way) => {
  test('that is stopped continues with the remaining folders, and returns each entry once', async () => {
    const slow = await mountSlowFs({ folders: 60, files: 20, latency: 10_000 })
    const sent = await interrupted(slow.mount, way)
    const ended = new Set(sent.filter(isListed).map(pathOf))
    // The server removes the rows of folders without an end.
    const kept = sent.filter((row) => pathOf(row) === '' || !isEntry(row) || ended.has(row.parent_path.slice(0, -1)))
    const folders = kept.filter((row) => isEntry(row) && row.is_directory === '1').map(pathOf)
    const pending = folders.filter((path) => !ended.has(path))
    expect(pending.length).toBeGreaterThan(0)
    const { rows } = await walked(orderOf(slow.mount, { attempt: 2, pending }), [], { way })
    const all = [...kept, ...rows]
    expect(contradictions(all)).toEqual([])
    expect(totals(all)).toMatchObject({ files: 60 * 20 })
    await slow.unmount()
  })
})
