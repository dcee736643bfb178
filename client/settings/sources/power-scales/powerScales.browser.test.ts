import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAtRandom, fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'

const visit = await testVisit()
let cluster: Awaited<ReturnType<typeof startPowerScale>>

beforeAll(async () => {
  cluster = await startPowerScale()
  fillTree(cluster.tree, 300)
  const book = { description: 'Tier 1', currencySymbol: '$', price: 0.3 }
  await visit.product.call('POST', '/v1/storage-prices', book)
})

afterAll(() => cluster.close())

type Job = { id: number; status: string; result: { note?: string } | null }
type Entries = { elements: { path: string; size: number; lastModified: string; owner: string }[] }

const read = async <Answer>(path: string) => (await visit.product.call('GET', path)).answer as Answer
const lastJob = async () => (await read<{ elements: Job[] }>('/v1/jobs?sort=id&direction=desc')).elements[0]

/** Scans Renders from its row, with or without Only changes; returns the job when it succeeded. */
async function scan({ isDelta }: { isDelta: boolean }): Promise<Job> {
  const { press, see } = hands(visit)
  const before = (await lastJob())?.id ?? 0
  await press('Scan Renders')
  await see('Only changes')
  if (!isDelta) await press('Only changes', 'checkbox')
  await press('Scan 1 storage')
  await see('Scanner for the job(s) is now running.')
  await hands(visit).closed()
  const ended = async () => {
    const job = await lastJob()
    return job !== undefined && job.id > before && job.status
  }
  await expect.poll(ended).toBe('SUCCESS')
  return read<Job>(`/v1/jobs/${(await lastJob())?.id}`)
}

/** All files that search finds, by path. */
const found = async () => {
  const { elements } = await read<Entries>('/files/search?size=1000&sort=path')
  return elements.map(({ path, size, lastModified, owner }) => ({ path, size, lastModified, owner }))
}

/** The text of the table; a long path may be shown in two parts. */
const table = async () => {
  const text = await visit.page.$eval('table[aria-label="Dell PowerScale storages"] tbody', (body) => body.innerText)
  return text.replaceAll(/\s+/g, '')
}
const section = '#dell-powerscale'

test('a folder of a cluster is added with new credentials, changed and offered for a delta scan, by mouse', async () => {
  const { press, pressAt, choose, write, writeAt, see, closed } = hands(visit)
  await signInAt(visit, '/storages/settings')
  await pressAt(`${section} button ::-p-text(Add credentials)`)
  await write('Name', 'Cluster')
  await write('Username', 'scan')
  await writeAt('[role="dialog"] input[type="password"]', 'secret')
  await pressAt('[role="dialog"] button[type="submit"]')
  await see('Dell PowerScale credentials was created successfully')
  await closed()
  await press('Add Dell PowerScale storage')
  await write('Host', cluster.host)
  await write('Name', 'Renders')
  await write('Path', '/ifs')
  await choose('Credentials', 'Cluster')
  await write('Certificate fingerprint', cluster.fingerprint)
  await choose('Price Book', 'Tier 1')
  expect(await look(visit, 'power-scale-dialog')).toEqual([])
  await press('Save storage')
  await see('Renders was added')
  await closed()
  await expect.poll(table).toMatch(/Renders.*\/ifs.*agent.*Tier1None/i)
  await press('Edit Renders')
  await write('Path', '/ifs/data')
  await press('Save storage')
  await see('Renders was updated')
  await closed()
  await expect.poll(table).toMatch('/ifs/data')
  await press('Scan Renders')
  await see('Dell PowerScale storages: 1 of 1 storage selected')
  await see('Scanning only changes needs it')
  await press('Cancel')
  await closed()
  expect(await look(visit, 'power-scales')).toEqual([])
})

test('it is scanned in full, and a delta scan finds what changed since', async () => {
  expect((await scan({ isDelta: false })).result).toBe(null)
  const before = await found()
  expect(before.length).toBeGreaterThan(200)
  cluster.clock.advance(60)
  changeAtRandom(cluster.tree, newRandom(7).below, 60)
  cluster.clock.advance(60)
  cluster.requests.length = 0
  expect((await scan({ isDelta: true })).result).toBe(null)
  expect(cluster.matching(/changelists\/\d+_\d+\/entries/).length).toBeGreaterThan(0)
  const after = await found()
  expect(after).not.toEqual(before)
  await scan({ isDelta: false })
  expect(await found()).toEqual(after)
})

test('once the snapshot of the last scan is gone, a delta scan is a full one and says so', async () => {
  const snapshots = [...cluster.snapshots.all()]
  for (const snapshot of snapshots) cluster.snapshots.delete(snapshot)
  const job = await scan({ isDelta: true })
  expect(job.result?.note).toMatch(/snapshot/i)
})

test('logs no browser errors', () => expect(visit.complaints).toEqual([]))
