import { expect, test } from 'vitest'
import { sendDue } from '#server/messages/notifications/sendDue.ts'
import { useMailServer } from '#server/messages/notifications/testing.ts'
import { today } from '#server/platform/days.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { readCsv } from '#server/platform/testing/readCsv.ts'
import { readPdf } from '#server/platform/testing/readPdf.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { snapshotAt } from '#server/content/snapshots/reading/snapshotAt.ts'
import { filesOfRun } from './runFiles.ts'
import { notifyRecipients } from './notifyRecipients.ts'
import { launchDue } from '#server/work/reports/startReports.ts'
import { testReports } from '#server/work/reports/oracle/testReports.ts'

const { platform, at, scan, source, create, work } = await testReports()
const { db } = platform

test('a report that runs by its schedule is a mail with its PDF and CSV, which say what it found', async () => {
  const { port, arrived } = await testMailServer()
  await useMailServer(db, port, 'test.test')
  await scan(at.first, ['old.mov', '=cmd.mov', 'new.mov'])
  await scan(at.second, ['old.mov', '=cmd.mov', 'raw'])
  const query = { searchQueries: [{ name: { wildcard: '*.mov' } }, { lastModifiedDate: { before: '2099-01-01' } }] }
  const id = await create({
    parameters: { references: [source(at.first)], comparison: [source(at.second)], searchQueryNode: query },
    schedule: { cron: '0 0 0 * * ?' },
    delivery: { addresses: ['ana@test.test'] },
    checks: [{ rule: 'MORE_FILES_THAN', value: 1 }],
    tags: ['again'],
  })
  expect(await launchDue(platform, new Date(Date.now() + 2 * 86_400_000))).toBe(1)
  await work(id)
  await sendDue(platform, 'email', { now: () => new Date(Date.now() + 1_000) })
  const [mail] = arrived
  expect(mail).toMatchObject({ to: ['ana@test.test'], headers: { subject: `Report Weekly ${at.made}: check failed` } })
  const names = ['pdf', 'csv'].map((ending) => `Weekly ${at.made}-${at.day}.${ending}`)
  expect(mail?.text).toContain('- Files found: 2 of 3\n')
  expect(mail?.text).toContain(`\nAttached: ${names.join(', ')}.\n`)
  expect(mail?.files.map(({ name }) => name)).toEqual(names)
  const [pdf, csv] = mail!.files.map(({ bytes }) => bytes)
  const text = readPdf(pdf!).flat().join(' ').replaceAll(/\s+/g, ' ')
  for (const texts of [
    `Weekly ${at.made} Report of the type Copies, run on ${today()} `,
    ` over the snapshot of ${at.day}. Check failed: 2 files match; the limit is 1.`,
    'Matches Found Total Files 2 3 Folders 0 0 Size of files 20 B 30 B',
    `Reference data Storage first ${at.made} Comparison data Storage second ${at.made}`,
    'Search queries Name matches "*.mov" AND Last modified is before 2099-01-01',
    'Tags again Retention 30 days Checks Fails when more than 1 file match',
    `Top 10 files Path Storage Size`,
    `old.mov second ${at.made} 10 B`,
    'Top 10 folders Path Storage Size No results.',
    'Page 1 of 1',
  ])
    expect(text).toContain(texts)
  const [head, ...rows] = readCsv(csv!)
  expect(head).toEqual(['Name', 'Path', 'Storage', 'Kind', 'Size (bytes)'])
  expect(rows.map(([name, path, ...cells]) => [name, path?.split('/').at(-1), ...cells])).toEqual([
    ["'=cmd.mov", '=cmd.mov', `second ${at.made}`, 'File', '10'],
    ['old.mov', 'old.mov', `second ${at.made}`, 'File', '10'],
  ])
})

test('of more than a CSV has rows for it has the largest, and the mail says of how many', async () => {
  const id = await create({ delivery: { addresses: ['ana@test.test'] } })
  const report = await db.selectFrom('reportTemplates').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const runId = 7_000
  const limits = { scope: 'everything' as const, key: null, line: undefined }
  await platform.clickhouse.change(sql`
    INSERT INTO report_entries (run, volume, parent_path, name, is_directory, size)
    SELECT ${runId}, ${at.first}, '/', concat(toString(number), '.mov'), false, number FROM numbers(12345)`)
  const snapshot = (await snapshotAt(db, 'everything'))!
  const figures = { numberOfFilesFound: 12_345, sizeOfFilesFound: 1, numberOfFilesTotal: 12_345, sizeOfFilesTotal: 1 }
  const run = { runId, ...figures, numberOfFoldersFound: 0, numberOfFoldersTotal: 0, check: undefined, limits }
  const files = await filesOfRun(platform, report, { ...run, snapshot })
  const rows = readCsv(Buffer.from(files[1]!.bytes!)).slice(1)
  expect([rows.length, rows[0]?.[0], rows.at(-1)?.[0]]).toEqual([10_000, '12344.mov', '2345.mov'])
  await db.transaction().execute((trx) => notifyRecipients(trx, report, { ...run, indexingDate: at.day }, files))
  const { body } = await db.selectFrom('deliveries').select('body').executeTakeFirstOrThrow()
  expect(body).toContain('The CSV has the largest 10,000 of 12,345.')
})
