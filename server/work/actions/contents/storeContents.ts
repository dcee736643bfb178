import { digestsOf } from '#events/actions/contents.ts'
import type { FileOutcome, OutcomesReport } from '#events/actions/files.ts'
import { escape } from '#server/platform/clickhouse/checkRows.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import type { Platform } from '#server/platform/platform.ts'
import { findSelection } from '#server/questions/selections/index.ts'
import type { FilesOfTask } from '../kit/files.ts'

const columns = 'hash volume parent_path name scan ends whole file reason shared compared_at'.split(' ')

type Row = { position: number; place: string; volume: number; parent_path: string; name: string }

/**
 * Stores the results of compared files, which outlive their job. Call it before their states are stored: a file with a final state is not read
 * again. An agent has no say about files of other tasks.
 */
export async function storeContents(
  { db, clickhouse }: Pick<Platform, 'db' | 'clickhouse'>,
  { selection, part }: FilesOfTask,
  { taskId, attempt, sequence, outcomes }: OutcomesReport,
): Promise<void> {
  const ended = new Map(outcomes.filter(({ state }) => isFinal(state)).map((each) => [each.position, each]))
  const frozen = ended.size > 0 ? await findSelection(db, selection) : undefined
  if (!frozen) return
  const rows = await clickhouse.rows<Row>(
    sql`SELECT position, place, volume, parent_path, name FROM selected_entries
      WHERE selection = ${selection} AND part = ${part} AND left_out = '' AND position IN ${[...ended.keys()]}`,
    { quick: true },
  )
  const now = Date.now()
  const lines = rows.map(({ position, place, volume, parent_path, name }) => {
    const { reference = '', reason = '' } = ended.get(position) ?? {}
    const { ends, whole, file, shared } = digestsOf(reference)
    const texts = [ends, whole, file, reason].map(escape)
    return [place, volume, escape(parent_path), escape(name), frozen.scans[volume] ?? 0, ...texts, shared, now].join(
      '\t',
    )
  })
  if (lines.length === 0) return
  const tsv = Buffer.from(`${lines.join('\n')}\n`)
  await clickhouse.insert('file_contents', columns, tsv, `contents-${taskId}-${attempt}-${sequence}`)
}

const isFinal = (state: FileOutcome['state']): boolean => state === 'done' || state === 'failed'
