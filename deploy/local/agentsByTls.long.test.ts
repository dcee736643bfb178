import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startAgent } from '#agent/testing/startAgent.ts'
import { makeTree } from './testing/tree.ts'
import { patient, startWithTls } from './testing/agentsByTls.ts'
import { slowed } from './testing/slowed.ts'
import { proxyFrom } from './testing/proxyFrom.ts'

const { scratch, cert, product, call, addAgent, infoOf, newestScan } = await startWithTls()

/** Starts an agent that connects from this address, with a storage that only this agent scans. */
async function agentFrom(address: string, name: string, size: number) {
  const added = await addAgent(name)
  const way = await proxyFrom(address, added.natsUrl)
  const agent = startAgent(way.url, added.id, { AGENT_SEED_FILE: added.AGENT_SEED_FILE, NATS_CA: cert })
  const path = join(scratch, name)
  const { files } = makeTree(path, size)
  await expect.poll(() => infoOf(added.id), patient).toMatchObject({ state: 'active' })
  const storage = { name, path, server: { id: added.id } }
  const volumeId = await product.addStorage(storage)
  return { id: added.id, way, agent, files, storage, volumeId }
}

test('of two agents that scan from two addresses at once, one is deleted and disconnected, and the other continues', async () => {
  const studio = await agentFrom('127.0.0.3', 'studio', 6_000)
  const office = await agentFrom('127.0.0.4', 'office', 9_000)
  const rests = [studio, office].map(({ agent }) => slowed(agent.child.pid))
  await call('POST', '/v1/scans/volumes/ids', [studio.volumeId, office.volumeId])
  for (const { id, volumeId } of [studio, office]) {
    await expect.poll(() => newestScan(volumeId), patient).toMatchObject({ state: 'running' })
    await expect.poll(() => infoOf(id), patient).toMatchObject({ runningTasks: 1 })
  }

  await call('PUT', `/volumeSettings/${studio.volumeId}`, {
    ...studio.storage,
    id: studio.volumeId,
    server: { id: 1 },
    storagePrice: { id: 1 },
  })
  const [cutOff, kept] = [studio, office].map(({ way }) => way.newest())
  expect([cutOff, kept].map((way) => way?.localAddress)).toEqual(['127.0.0.3', '127.0.0.4'])
  await call('DELETE', `/servers/${studio.id}`)
  await expect.poll(() => cutOff?.destroyed).toBe(true)
  expect(await newestScan(studio.volumeId)).toMatchObject({ state: 'failed', reason: 'The agent studio was deleted' })
  expect(await newestScan(office.volumeId)).toMatchObject({ state: 'running' })

  for (const { goOn } of rests) await goOn()
  await expect.poll(() => newestScan(office.volumeId), patient).toMatchObject({ state: 'done', files: office.files })
  expect(await infoOf(studio.id)).toBeUndefined()
  expect(await infoOf(office.id)).toMatchObject({ state: 'active' })
  expect(kept?.destroyed).toBe(false)
})
