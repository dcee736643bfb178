import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { find, totalsOfFind } from '#agent/testing/find.ts'
import { compareJobs } from '#server/workers/jobs/index.ts'
import { copyMigratedEngine, testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { makeTree } from './testing/tree.ts'
import { slowed } from './testing/slowed.ts'
import { agentOf, startProduct } from './testing.ts'

const scratch = testFolder('killed-scan')
const [tree, data] = [join(scratch, 'tree'), join(scratch, 'data')]
makeTree(tree, 3_000)
const db = await testDb()
const environment = { DATABASE_URL: await testDatabaseUrl() }
await copyMigratedEngine(join(data, 'clickhouse'))
let product = await startProduct(data, { environment })
afterAll(() => product.stop())

const scan = () => db.selectFrom('scans').selectAll().executeTakeFirstOrThrow()

test('a scan whose server is killed is finished after the next start, with every file once', async () => {
  const { files, bytes } = totalsOfFind(find(tree))
  const volumeId = await product.addStorage({ name: 'Tree', path: tree })
  await expect.poll(() => agentOf(product.pid)).toBeDefined()
  const agent = slowed(agentOf(product.pid))
  await product.call('POST', '/v1/scans/volumes/ids', [volumeId])
  await expect.poll(async () => (await scan()).state, { interval: 10 }).toBe('running')
  await agent.freeze()
  await product.kill()
  await agent.goOn()
  expect(await scan()).toMatchObject({ state: 'running', attempt: 1, finishedAt: null })

  product = await startProduct(data, { environment })
  await expect.poll(async () => (await scan()).finishedAt, { timeout: 60_000 }).not.toBeNull()
  expect(await scan()).toMatchObject({ state: 'done', attempt: 2, files, bytes, unreadable: 0 })
  const shown = async (path: string) => (await product.call('GET', path)).answer
  expect(await shown('/v1/volumes')).toMatchObject({ elements: [{ numberOfFiles: files, sizeOfFiles: bytes }] })
  expect(await shown('/files/search?size=1')).toMatchObject({ total: files })
  expect((await compareJobs(db)).differences).toEqual([])
})
