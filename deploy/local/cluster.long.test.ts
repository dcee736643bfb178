import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testedCluster } from '#server/platform/clickhouse/cluster/testing.ts'
import { startBridge } from '#server/platform/clickhouse/testing.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { makeTree } from './testing/tree.ts'
import { freePort } from './testing/freePort.ts'
import { productAt, runProgram, signedIn } from './testing.ts'
import { serverEnvironment, startExternalStores, startReplica } from './testing/externalStores.ts'

const folder = testFolder('cluster')
const tree = join(folder, 'films')
const patient = { timeout: 120_000 }

test('a product moves from one ClickHouse to a cluster, and continues there', async () => {
  const { files } = makeTree(tree, 3_000)
  const stores = await startExternalStores(folder)
  onTestFinished(() => stores.stop())
  const environment = serverEnvironment(stores, join(folder, 'data'), await freePort())

  const first = await started(environment)
  const volumeId = await first.product.addStorage({ name: 'Films', path: tree })
  await first.scan(volumeId)
  await expect.poll(first.volumes, patient).toMatchObject({ elements: [{ name: 'Films', numberOfFiles: files }] })

  const cluster = await startBridge(join(folder, 'cluster'), 0, { isCluster: true })
  const onCluster = { CLICKHOUSE_URL: cluster.url, CLICKHOUSE_CLUSTER: testedCluster.name }
  const move = () => runProgram('migrateCluster', [stores.clickhouseUrl], { ...environment, ...onCluster })
  expect(await move()).toMatchObject({ code: 1, printed: expect.stringContaining('Stop all servers first') })
  await first.end()
  expect(await runProgram('../../server/main', [], { ...environment, CLICKHOUSE_CLUSTER: testedCluster.name })).toEqual(
    {
      code: 2,
      printed: expect.stringContaining('ClickHouse has no cluster named tested'),
    },
  )
  expect(await move()).toMatchObject({ code: 0, printed: expect.stringContaining('All data is on the cluster') })
  expect(await runProgram('../../server/main', [], { ...environment, CLICKHOUSE_URL: cluster.url })).toEqual({
    code: 2,
    printed: expect.stringContaining('set CLICKHOUSE_CLUSTER to its name'),
  })

  const second = await started({ ...environment, ...onCluster })
  expect(await second.volumes()).toMatchObject({ elements: [{ name: 'Films', numberOfFiles: files }] })
  const removed = globSync(`${tree}/**/*.exr`)
  for (const path of removed) rmSync(path)
  const left = files - removed.length
  expect(left).toBeLessThan(files)
  await second.scan(volumeId)
  await expect.poll(second.volumes, patient).toMatchObject({ elements: [{ numberOfFiles: left }] })
  expect((await second.product.call('GET', '/files/search?search=*f1*&size=3')).status).toBe(200)
  await second.end()
})

/** A server, with what this test does with it. */
async function started(environment: NodeJS.ProcessEnv) {
  const replica = startReplica(environment)
  onTestFinished(() => replica.end('SIGKILL'))
  await replica.ready()
  const none = { startedAfter: 0, printed: replica.printed, pid: 0, kill: async () => {}, stop: async () => {} }
  const product = productAt(replica.address, none, signedIn(replica.address))
  const volumes = async () => (await product.call('GET', '/v1/volumes')).answer
  return {
    product,
    volumes,
    scan: async (volumeId: number) =>
      expect((await product.call('POST', '/v1/scans/volumes/ids', [volumeId])).status).toBeLessThan(300),
    end: () => replica.end('SIGTERM'),
  }
}
