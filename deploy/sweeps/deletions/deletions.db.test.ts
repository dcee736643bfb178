import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { nameOf } from '../testing/allCalls.ts'
import {
  calls,
  cancel,
  create,
  db,
  forgetDeliveries,
  newReport,
  newSchedule,
  newScanned,
  newStorage,
  newUser,
  read,
  startScan,
  unique,
} from './testing/product.ts'
import { ofSystems } from './testing/ofSystems.ts'
import { ofPolicies } from './testing/ofPolicies.ts'
import { ofWork } from './testing/ofWork.ts'
import { ofStorages } from './testing/ofStorages.ts'
import { ofUsers } from './testing/ofUsers.ts'

const cells = [...ofUsers, ...ofStorages, ...ofSystems, ...ofWork, ...ofPolicies]
await newScanned()

beforeEach(async () => {
  await forgetDeliveries()
  await db.deleteFrom('schedules').execute()
})

test.each(cells.map((cell) => [cell.call, cell.refers, cell.happens, cell] as const))(
  '%s, %s: %s',
  { timeout: 60_000 },
  (...[, , , { run }]) => expect(run()).resolves.not.toBeNull(),
)

test('the question before deleting a user names what depends on them', async () => {
  const bo = await newUser()
  const [report, search] = [unique('Weekly'), unique('Shared')]
  const delivery = { addresses: [], webhook: 'https://hooks.example.com/T0/secret' }
  const id = await newReport({ name: report, delivery }, bo.ask)
  const alert = await newSchedule('REPORT_CHECK_ALERT', { resourceIds: [id] }, bo.ask)
  await create('/api/v1/savedSearches', { name: search, query: 'a=b', isShared: true }, bo.ask)
  const jobId = await startScan(await newStorage(), bo.ask)
  const ofUser = `/api/v1/dependents?of=user&id=${bo.id}`
  expect(await read(ofUser)).toEqual([
    `Reports ${report}: their webhook is no longer called.`,
    `Alerts ${alert.draft.name}: paused until an administrator takes them over.`,
    `Shared searches ${search}: stay, for administrators to change.`,
    `Jobs ${jobId}: continue.`,
  ])
  await cancel(jobId)
  const manager = await newUser(['ROLE_PROJECT_MANAGER'])
  await manager.ask('GET', ofUser).expect(403)
  const ofReport = `/api/v1/dependents?of=report&id=${id}`
  expect(await read(ofReport, manager.ask)).toEqual(['Alerts of another user: report that it was deleted.'])
})

test('every call that deletes is in the matrix', () => {
  const deleting = calls.filter(({ method }) => method === 'DELETE').map(nameOf)
  expect([...new Set(cells.map(({ call }) => call))].sort()).toEqual(deleting.sort())
})

/** A table in Markdown, in the form of the formatter. */
function table(head: string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0, fill)).join(' | ')} |`
  return [
    line(head),
    line(
      head.map(() => ''),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('\n')
}

/** References between tables, with the rule of each, and columns with numbers of other tables that have no rule. */
async function references(): Promise<string[][]> {
  const { rows: keys } = await sql<{ from: string; to: string; rule: string }>`
    SELECT conrelid::regclass || ' (' || string_agg(attname, ', ' ORDER BY attnum) || ')' AS from, confrelid::regclass::text AS to,
      CASE confdeltype WHEN 'c' THEN 'deleted too' WHEN 'n' THEN 'set to null' ELSE 'refused' END AS rule
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
    WHERE contype = 'f' GROUP BY pg_constraint.oid, conrelid, confrelid, confdeltype ORDER BY 2, 1`.execute(db)
  const { rows: loose } = await sql<{ from: string }>`
    SELECT table_name || ' (' || column_name || ')' AS from FROM information_schema.columns
    WHERE table_schema = 'public' AND (column_name ~ '._id$' OR column_name IN ('webhook_user', 'used_by'))
      AND data_type IN ('integer', 'bigint') AND NOT EXISTS (
        SELECT FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
        WHERE contype = 'f' AND attname = column_name AND conrelid = to_regclass(table_name))
    ORDER BY 1`.execute(db)
  return [...keys.map(({ from, to, rule }) => [from, to, rule]), ...loose.map(({ from }) => [from, '', 'stays'])]
}

test('the documented matrix is the tested one, and has every reference of the schema', async () => {
  const parts = [
    '# What happens when something is deleted',
    'Deleting never changes what was billed, closed, sent or logged, and never stops anything else. `deploy/sweeps/deletions` tests each row;\n`npx vitest run --project all deploy/sweeps/deletions -u` writes this file from the tests.',
    table(
      ['Deleted by', 'Refers to it', 'What happens'],
      cells.map(({ call, refers, happens }) => [`\`${call}\``, refers, happens]),
    ),
    '## References in Postgres',
    'Rows of deleted storages, agents and price books stay, with `deleted_at`, so rules about them apply to no call. Numbers in JSON\n(`schedules.payload`, `report_templates.parameters`, `jobs.payload`, `tasks.payload`, `selections.scans` and `plan`), in `configurations`\n(agents for Iconik and SODA) and in ClickHouse (volumes, scans, runs and selections) stay too, and are checked where they are used.',
    table(['Column', 'Table', 'When that row is deleted'], await references()),
  ]
  await expect(`${parts.join('\n\n')}\n`).toMatchFileSnapshot('../DELETIONS.md')
})
