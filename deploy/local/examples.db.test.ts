import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { copyMigratedEngine, testDatabaseUrl, testFolder } from '#server/platform/testing/stores.ts'
import { type Product, startProduct } from './testing.ts'

const examples = join(import.meta.dirname, '../../examples')
const scratch = testFolder('examples')
const media = join(scratch, 'media')
let product: Product
let token: string

beforeAll(async () => {
  mkdirSync(join(media, 'aurora'), { recursive: true })
  put('new.mov', 9_000_000, 2026)
  put('aurora/old, large.mov', 5_000_000, 2020)
  put('aurora/old.wav', 1_000_000, 2019)
  const environment = { DATABASE_URL: await testDatabaseUrl() }
  const data = join(scratch, 'data')
  await copyMigratedEngine(join(data, 'clickhouse'))
  product = await startProduct(data, { environment })
  await product.addStorage({ name: 'Media', path: media })
  const draft = { name: 'Scripts', roles: ['ROLE_ADMIN'], days: 1 }
  const { answer } = await product.call('POST', '/v1/apiTokens', draft)
  token = (answer as { token: string }).token
})
afterAll(() => product?.stop())

function put(name: string, size: number, year: number): void {
  const file = join(media, name)
  writeFileSync(file, '')
  truncateSync(file, size)
  const time = new Date(`${year}-01-01T12:00:00Z`)
  utimesSync(file, time, time)
}

const run = async (program: string, script: string, ...args: string[]) => {
  const env = { ...process.env, DATAINTELL: product.address, TOKEN: token }
  const { stdout } = await promisify(execFile)(program, [join(examples, script), ...args], { env, cwd: scratch })
  return stdout
}

test('the scan is started by name, and waited for', async () => {
  expect(await run('python3', 'scan_and_wait.py', 'Media')).toMatch(/Job \d+: SUCCESS\n$/)
  await expect(run('python3', 'scan_and_wait.py', 'Nothing')).rejects.toThrow('no storage with the name Nothing')
})

test('the largest files that were not opened for two years are listed as CSV', async () => {
  const [header, ...rows] = (await run('bash', 'oldest-large-files.sh', '2')).trim().split('\n')
  expect(header).toBe('"size","last access","owner","path"')
  expect(rows.map((row) => row.split(',')[0])).toEqual(['5000000', '1000000'])
  expect(rows[0]).toMatch(`"${media}/aurora/old, large.mov"`)
})

test('the statement of a project is saved as CSV', async () => {
  const { answer } = await product.call('GET', '/v1/storages')
  const volumeId = (answer as { elements: { id: number }[] }).elements[0]?.id
  const paths = [{ volumeId, path: '/aurora' }]
  await product.call('POST', '/projects', { name: 'Aurora', description: '', allocatedSize: 1e9, paths })
  const month = new Date().toISOString().slice(0, 7)
  const saved = `Aurora-${month}.csv`
  await vi.waitFor(
    async () => expect(await run('node', 'export-statement.mjs', 'Aurora', month)).toMatch(saved),
    60_000,
  )
  expect(readFileSync(join(scratch, saved), 'utf8')).toMatch('Media')
})

test('a script says why it fails', async () => {
  await expect(run('node', 'export-statement.mjs', 'Nothing')).rejects.toThrow('no project with the name Nothing')
  token = 'wrong'
  await expect(run('bash', 'oldest-large-files.sh')).rejects.toThrow('401')
})
