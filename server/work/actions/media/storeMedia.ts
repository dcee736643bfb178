import type { OutcomesReport } from '#events/actions/files.ts'
import { escape } from '#server/platform/clickhouse/checkRows.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { FilesOfTask } from '../kit/files.ts'

const columns = 'volume content read_at failure texts numbers details'.split(' ')

/**
 * Stores the facts of media files, and the reason for those that can't be parsed. A file that couldn't be opened gets no row, so that it is tried
 * again after the next scan. An agent has no say about files of other tasks.
 */
export async function storeMedia(
  { clickhouse }: Pick<Platform, 'clickhouse'>,
  { selection, part }: FilesOfTask,
  { taskId, attempt, sequence, outcomes }: OutcomesReport,
): Promise<void> {
  const found = new Map(outcomes.flatMap((each) => (each.media ? [[each.position, each]] : [])))
  if (found.size === 0) return
  const rows = await clickhouse.rows<{ position: number; volume: number; place: string }>(
    sql`SELECT position, volume, place FROM selected_entries
      WHERE selection = ${selection} AND part = ${part} AND left_out = '' AND position IN ${[...found.keys()]}`,
    { quick: true },
  )
  const now = Date.now()
  const lines = rows.flatMap(({ position, volume, place }) => {
    const { media, state, reason = '' } = found.get(position) ?? {}
    if (!media) return []
    const { texts, numbers, details } = media
    const failure = state === 'failed' ? reason || 'unknown' : ''
    const maps = [mapOf(texts, quoted), mapOf(numbers, String)]
    const [content] = place.split(' ')
    return [[volume, content, now, escape(failure), ...maps, escape(JSON.stringify(details))].join('\t')]
  })
  if (lines.length === 0) return
  const tsv = Buffer.from(`${lines.join('\n')}\n`)
  await clickhouse.insert('media_facts', columns, tsv, `media-${taskId}-${attempt}-${sequence}`)
}

/** A text in a map of ClickHouse, which reads the escapes of a column and of quoted texts at once. */
const quoted = (text: string): string => `'${escape(text).replaceAll("'", "\\'")}'`

const mapOf = <V>(values: Record<string, V>, write: (value: V) => string): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `${quoted(name)}:${write(value)}`)
    .join(',')}}`
