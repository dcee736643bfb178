import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'

const scratch = testFolder('schedules')
const tree = join(scratch, 'tree')
for (const folder of ['films/old', 'music']) mkdirSync(join(tree, folder), { recursive: true })
const write = (path: string) => writeFileSync(join(tree, path), path)
for (const path of ['films/a.mov', 'films/old/b.mov', 'music/c.wav']) write(path)

let product: Product
afterAll(() => product?.stop())

const call = async (...input: Parameters<Product['call']>) => {
  const { status, answer } = await product.call(...input)
  if (status >= 300) throw new Error(`${input.join(' ')}: ${status} ${JSON.stringify(answer)}`)
  return answer
}
const found = async () => {
  const { elements } = (await call('GET', '/files/search?sort=path&size=100')) as { elements: { path: string }[] }
  return elements.map(({ path }) => path)
}
const over = async (most = 1) => {
  const { elements } = (await call('GET', '/v1/jobs')) as { elements: { id: number; status: string }[] }
  return elements.filter(({ status }) => status === 'SUCCESS').length >= most
}

test('a schedule scans one folder of a storage at its time, and the rest is unchanged', async () => {
  product = await startProduct(join(scratch, 'data'), { folder: tree })
  await expect.poll(() => over()).toBe(true)
  const before = ['/films/a.mov', '/films/old/b.mov', '/music/c.wav']
  expect(await found()).toEqual(before)

  for (const path of ['films/new.mov', 'films/old/new.mov', 'music/new.wav']) write(path)
  for (const path of ['films/a.mov', 'music/c.wav']) rmSync(join(tree, path))
  const schedule = {
    name: 'Films',
    cron: '0 * * * * ?',
    jobGroup: 'SCANNER',
    jobClass: 'SCAN_STORAGES',
    payload: { storageIdToPath: { 1: '/films' } },
    paused: false,
  }
  const { id } = (await call('POST', '/v1/schedules', schedule)) as { id: number }
  await expect.poll(() => over(2), { timeout: 120_000 }).toBe(true)
  await call('PUT', `/v1/schedules/${id}`, { ...schedule, paused: true })
  const after = ['/films/new.mov', '/films/old/b.mov', '/films/old/new.mov', '/music/c.wav']
  expect(await found()).toEqual(after)
  const outcome = expect.stringMatching(/^(started|skipped)$/)
  expect(await call('GET', '/v1/schedules')).toMatchObject([{ id, paused: true, lastRun: { outcome } }])
})
