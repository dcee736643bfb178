import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countedObjects, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { isOpen } from '#events/jobs/events.ts'
import { JobDetails } from '#events/jobs/calls.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type Product, agentOf, startProduct } from './testing.ts'

const account = { accessKey: 'AKIAPLANTED0000KEY11', secretKey: 'planted/SECRET+4471=' }
const data = join(testFolder('bucket-kills'), 'data')
const objects = countedObjects(30_000)
const bytes = Array.from({ length: objects.count }, (_, i) => objects.at(i).size).reduce((sum, size) => sum + size, 0)
let store: Awaited<ReturnType<typeof startSimulator>>
let product: Product

beforeAll(async () => {
  store = await startSimulator({ accounts: [account], buckets: { films: { objects } }, behaviour: { pageMs: 150 } })
  product = await startProduct(data)
  const keys = { accessKey: account.accessKey, privateKey: account.secretKey, url: store.url }
  const awsCredentialsId = await made('/v1/bucket-credentials', { name: 'Studio', type: 'OTHER', ...keys })
  const storagePrice = await product.freeBook()
  await made('/v1/buckets', { name: 'films', description: 'Films', type: 'OTHER', awsCredentialsId, storagePrice })
})
afterAll(async () => {
  await product.stop()
  await store.close()
})

async function made(path: string, body: object): Promise<number> {
  const { status, answer } = await product.call('POST', path, body)
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(answer)}`)
  return (answer as { id: number }).id
}

/** Retries a call while the product is without a store. */
async function request<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
  for (;;) {
    const { status, answer } = await product.call(method, path, body).catch(() => ({ status: 503, answer: undefined }))
    if (status === 200) return answer as T
    if (status !== 503) throw new Error(`${status} ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
const job = async (id: number) => JobDetails.parse(await request('GET', `/v1/jobs/${id}`))
const natsServer = (): number => JSON.parse(readFileSync(join(data, 'nats/running.json'), 'utf8')).pid

function killAgent() {
  const pid = agentOf(product.pid)
  if (pid === undefined) throw new Error('The agent is not there')
  process.kill(pid, 'SIGKILL')
}
async function killServer() {
  await product.kill()
  product = await startProduct(data)
}
const killNats = () => void process.kill(natsServer(), 'SIGKILL')

test.each([
  ['agent', killAgent],
  ['server', killServer],
  ['queue', killNats],
])('when the %s is killed while a bucket is listed, the scan ends with every key once', async (_, kill) => {
  const before = store.requests.length
  const { jobId } = await request<{ jobId: number }>('POST', '/v1/scans/buckets/ids?cloneIndex=true', [1])
  await expect.poll(() => store.requests.length - before, { interval: 10 }).toBeGreaterThan(8)
  expect(isOpen(await job(jobId))).toBe(true)
  await kill()
  await expect.poll(async () => isOpen(await job(jobId)), { timeout: 90_000 }).toBe(false)
  const { status, tasks } = await job(jobId)
  expect({ status, result: tasks[0]?.result }).toMatchObject({ status: 'SUCCESS', result: { files: objects.count } })
  const { elements } = await request<{ elements: object[] }>('GET', '/v1/volumes')
  expect(elements).toMatchObject([{ name: 'Films', numberOfFiles: objects.count, sizeOfFiles: bytes }])
  const found = await request<{ total: number }>('GET', '/files/search?size=1')
  expect(found.total).toBe(objects.count)
})
