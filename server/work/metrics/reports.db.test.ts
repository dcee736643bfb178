import { expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { routesOf } from '#server/serve.ts'
import { addReportRun, asUser, scrapeAll, testSession, testUser } from '#server/testing.ts'
import { openMetrics } from './startMetrics.ts'
import { keyOf, scraped } from './testing/scraped.ts'

const platform = await testPlatform()
const { db } = platform
const app = createApp(platform, routesOf(platform))
const admin = asUser(app, await testSession(db, ['ROLE_ADMIN']))
const refresh = openMetrics(platform)

async function newReport(createdBy: string, ownerId: number | null = null): Promise<number> {
  const row = {
    name: 'Cold data',
    type: 'SEARCH_QUERY' as const,
    tags: [],
    retention: 30,
    daysAsOf: '2026-05-01',
    createdBy,
    ownerId,
  }
  const { id } = await db
    .insertInto('reportTemplates')
    .values({ ...row, parameters: '{}', delivery: '{}', checks: '[]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
async function run(templateId: number, checkState: 'FAILED' | 'WARNING' | 'UNKNOWN', numberOfFilesFound: number) {
  const found = {
    numberOfFilesFound,
    sizeOfFilesFound: numberOfFilesFound * 10,
    checkState,
    indexingDate: '2026-05-01',
  }
  await addReportRun(db, { templateId, ...found })
}
async function valuesOf(label: string) {
  await refresh()
  const samples = scraped(await scrapeAll(app, db))
  return ['files', 'bytes', 'check_failed'].map((name) => samples.get(keyOf(`report_${name}`, label)))
}

test('a report has what its last run found, and a check that failed, passed or is unknown', async () => {
  const id = await newReport('ana')
  expect(await valuesOf('Cold data')).toEqual([undefined, undefined, undefined])
  await run(id, 'FAILED', 7)
  expect(await valuesOf('Cold data')).toEqual([7, 70, 1])
  const { body } = await admin('GET', '/api/v1/reports/templates').expect(200)
  expect(body.elements[0]).toMatchObject({ numberOfFilesFound: 7, sizeOfFilesFound: 70 })
  await run(id, 'WARNING', 3)
  expect(await valuesOf('Cold data')).toEqual([3, 30, 0])
  await run(id, 'UNKNOWN', 0)
  expect(await valuesOf('Cold data')).toEqual([0, 0, undefined])
})

test('reports with the same name have their owners in the label', async () => {
  const ben = await testUser(db, [])
  await run(await newReport('ben', ben.id), 'FAILED', 9)
  expect(await valuesOf('Cold data')).toEqual([undefined, undefined, undefined])
  expect(await valuesOf('Cold data (ana)')).toEqual([0, 0, undefined])
  expect(await valuesOf('Cold data (ben)')).toEqual([9, 90, 1])
})
