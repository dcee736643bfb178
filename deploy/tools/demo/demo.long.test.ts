import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startProduct } from '#deploy/local/testing.ts'
import { type Must, mustOf } from '#deploy/local/testing/calls.ts'
import { demoPassword } from '#deploy/local/demo/demoFolder.ts'

/** Lists of the product, each of which has rows in a demo. */
const lists = [
  '/v1/storages',
  '/v1/volumes',
  '/volumeSettings',
  '/v1/buckets',
  '/v1/bucket-credentials',
  '/v1/networkVolumes',
  '/v1/networkVolumes/credentials',
  '/v1/storage-prices',
  '/v1/projects',
  '/v1/projects/mostActiveProjects',
  '/v1/volumes/mostActiveVolumes',
  '/v1/reports/templates',
  '/v1/reports/1/runs',
  '/v1/reports/checks',
  '/v1/savedSearches',
  '/v1/schedules',
  '/v1/jobs',
  '/v1/events',
  '/v1/users',
  '/v1/apiTokens',
  '/v1/wall/tokens',
  '/v1/files/tags',
  '/files/search?onlyDuplicates=true',
  '/files/search?showOnlyDeletedFiles=true',
  '/administration/dates',
]

async function startDemo(data: string): Promise<{ call: Must; printed(): string; stop(): Promise<void> }> {
  const product = await startProduct(data, { folder: '--demo', password: demoPassword })
  onTestFinished(product.stop)
  return { call: mustOf(product.call), printed: product.printed, stop: product.stop }
}

type Job = { type: string; status: string }

const rowsOf = (answer: unknown): unknown[] =>
  Array.isArray(answer) ? answer : ((answer as { elements?: unknown[] }).elements ?? [])

test('every list of a demo has rows, jobs are of several kinds and states, and its next start has the same data', async () => {
  const data = join(testFolder('demo'), 'data')
  const first = await startDemo(data)
  expect(first.printed()).toContain('Making up a studio')
  // Figures of projects are counted in the background.
  for (const path of lists)
    await expect.poll(async () => rowsOf(await first.call('GET', path)).length, { message: path }).toBeGreaterThan(0)
  const { elements: jobs } = await first.call<{ elements: Job[] }>('GET', '/v1/jobs?size=100')
  for (const field of ['type', 'status'] as const)
    expect(new Set(jobs.map((job) => job[field])).size).toBeGreaterThanOrEqual(3)
  const dates = await first.call('GET', '/administration/dates')
  await first.stop()

  const second = await startDemo(data)
  expect(second.printed()).not.toContain('Making up a studio')
  await expect.poll(second.printed).toContain('Sign in as admin with the password northlight-demo')
  expect(await second.call('GET', '/administration/dates')).toEqual(dates)
})
