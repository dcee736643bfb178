import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { find, totalsOfFind } from '#agent/testing/find.ts'
import { type Samba, smbPrograms, startSamba, missingForSamba } from '#agent/testing/sambaServer.ts'
import { testDatabaseUrl, testDb, testFolder } from '#server/platform/testing/stores.ts'
import { makeTree } from './testing/tree.ts'
import { type Product, startProduct } from './testing.ts'

const reason = missingForSamba()
const password = 'planted, PASSWORD=5521'

const scratch = testFolder('shares')
const [data, share] = [join(scratch, 'data'), join(scratch, 'share')]
const credentials = { name: 'Studio', username: 'root', password }
const db = await testDb()
let [product, samba] = [{} as Product, {} as Samba]
let [credentialId, id, volumeId] = [0, 0, 0]
let storagePrice: { id: number }
const draft = () => ({
  dataintellName: 'Shows',
  type: 'SMB',
  host: '127.0.0.1',
  shareName: 'media',
  options: `port=${samba.port}`,
  path: '/shows',
  networkVolumeCredential: { id: credentialId },
  storagePrice,
})

async function setUp() {
  // Before the first call: the server closes connections that idle while the files are created.
  makeTree(join(share, 'shows'), 1_000)
  makeTree(join(scratch, 'more'), 10_000)
  writeFileSync(join(share, 'above'), 'not scanned')
  samba = await startSamba(join(scratch, 'samba'), share, password)
  const programs = smbPrograms(join(scratch, 'programs'))
  const PATH = [programs, process.env['PATH']].filter((some) => some).join(':')
  product = await startProduct(data, { environment: { DATABASE_URL: await testDatabaseUrl(), PATH } })
  storagePrice = await product.freeBook()
  credentialId = (await call('POST', '/v1/networkVolumes/credentials', credentials)).id
  id = (await call('POST', '/v1/networkVolumes', draft())).id
  volumeId = Number((await call('GET', '/v1/networkVolumes')).elements[0]?.['volumeId'])
}

const call = async (...input: Parameters<Product['call']>) => {
  const { status, answer } = await product.call(...input)
  if (status >= 400) throw new Error(`${status} ${JSON.stringify(answer)}`)
  return answer as { id: number; elements: Record<string, unknown>[] }
}
const newestScan = () => db.selectFrom('scans').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
async function scanned() {
  await call('POST', '/v1/scans/volumes/ids', [volumeId])
  for (;;) {
    const scan = await newestScan()
    if (scan.finishedAt) return scan
    await pause(20)
  }
}
const mountsLeft = () =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(data))
const shown = async () => (await call('GET', '/v1/volumes')).elements

describe.skipIf(reason)(`a share of a real SMB server${reason ? `: not tried, ${reason}` : ''}`, () => {
  beforeAll(setUp)
  afterAll(async () => {
    await product.stop()
    await samba.stop()
  })

  test('is added, scanned to the last byte, and shown as any other storage', async () => {
    const { files, bytes } = totalsOfFind(find(join(share, 'shows')))
    expect(await scanned()).toMatchObject({ state: 'done', reason: null, files, bytes, unreadable: 0 })
    expect(await shown()).toMatchObject([
      { id: volumeId, name: 'Shows', type: 'NetworkVolume', path: '/shows', numberOfFiles: files, sizeOfFiles: bytes },
    ])
    expect((await call('GET', '/volumeSettings')).elements).toMatchObject([{ id: volumeId, mountType: 'SMB' }])
    expect((await newestScan()).fileSystem).toBe('//127.0.0.1/media')
    await expect.poll(mountsLeft).toEqual([])
  })

  test('keeps its snapshot when it cannot be mounted, and shows the reason', async () => {
    const before = await shown()
    const after = async (change: object) => {
      await call('PUT', `/v1/networkVolumes/${id}`, { ...draft(), ...change })
      const { state, reason: why } = await scanned()
      return [state, why]
    }
    const change = (secret: string) =>
      call('PUT', `/v1/networkVolumes/credentials/${credentialId}`, { ...credentials, password: secret })
    expect(await after({ shareName: 'gone' })).toEqual(['failed', 'There is no share //127.0.0.1/gone'])
    expect(await after({ path: '/gone' })).toEqual(['failed', 'There is no folder /gone in //127.0.0.1/media'])
    await change('another')
    expect(await after({})).toEqual(['failed', expect.stringContaining('The user name or the password for')])
    await change(password)
    await samba.stop()
    expect(await after({})).toEqual(['failed', expect.stringContaining('refused the connection: no SMB server')])
    expect(await shown()).toMatchObject(
      before.map(({ numberOfFiles, sizeOfFiles }) => ({ numberOfFiles, sizeOfFiles })),
    )
    await samba.start()
    expect(await after({})).toEqual(['done', null])
    await expect.poll(mountsLeft).toEqual([])
  })

  test('fails its scan when the server dies in the middle, and nothing counts as deleted', async () => {
    const before = await shown()
    renameSync(join(scratch, 'more'), join(share, 'shows/more'))
    const scanning = scanned()
    await expect.poll(async () => (await newestScan()).state, { interval: 20 }).toBe('running')
    await expect.poll(mountsLeft, { interval: 20 }).not.toEqual([])
    await samba.stop()
    expect(await scanning).toMatchObject({ state: 'failed' })
    expect(await shown()).toEqual(before)
    await samba.start()
    renameSync(join(share, 'shows/more'), join(scratch, 'more'))
    expect((await scanned()).state).toBe('done')
    expect(await shown()).toMatchObject(
      before.map(({ numberOfFiles, sizeOfFiles }) => ({ numberOfFiles, sizeOfFiles })),
    )
  })

  test('no file and no row contains its password in plain text', async () => {
    await product.stop()
    const found = globSync('**/*', { cwd: data, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter((file) => readFileSync(file).includes(password))).toEqual([])
    expect(product.printed()).not.toContain(password)
    const tables = await sql<{ text: string }>`
      SELECT query_to_xml('SELECT * FROM ' || tablename, true, true, '')::text AS text
      FROM pg_tables WHERE schemaname = 'public'`.execute(db)
    expect(tables.rows.filter(({ text }) => text.includes(password))).toEqual([])
  })
})
