import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { NewAgent } from '#events/agents.ts'
import { NewApiToken } from '#events/users/apiTokens.ts'
import { Dashboard, isRunning } from '#events/dashboard.ts'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { sessionCookie } from '#events/users/session.ts'
import { OneTimePassword } from '#events/users/accounts.ts'
import { NewWallToken } from '#events/wall.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { openPostgres } from '#server/platform/postgres/postgres.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { startDropbox } from '#server/scanning/sources/buckets/testing.ts'
import { makeTree } from './testing/tree.ts'
import { natsOf, startLocalPostgres } from './stores/index.ts'
import { type Product, signedIn, startProduct } from './testing.ts'

const scratch = testFolder('planted')
const [tree, data, backup] = [join(scratch, 'tree'), join(scratch, 'data'), join(scratch, 'backup')]
makeTree(tree, 50)

/** Secrets that must not be found anywhere. The product's own secrets are added later. */
const planted = {
  'the password of the mail server': 'planted-mail-7Qk2',
  'the password of a share': 'planted-share-9Zx4',
  'the own password of a user': 'planted-user-3Vw8-long',
  'the key of the secrets': 'planted-key-5Ht1-planted-key-5Ht1-planted',
  'the password of the first sign-in': 'planted-admin-2Lm6',
  'a code of Dropbox': 'planted-code-8Yr3',
  'what Dropbox gives for it': 'planted-token-4Bn7',
  'the key of Azure': 'planted-azure-6Dv5',
  'the password of StorNext': 'planted-stornext-1Gs8',
  'the token of Iconik': 'planted-iconik-7Jf3',
  'the secret of the transfer service': 'planted-soda-5Pc2',
  'the secret of the application that sends mail': 'planted-mail-app-9Kd1',
  'the key of the service account that sends mail': 'planted-service-3Xe6',
} as Record<string, string>
const found = (text: string): string[] => Object.keys(planted).filter((what) => text.includes(planted[what] ?? what))

const dropbox = await startDropbox({
  code: planted['a code of Dropbox'] ?? '',
  token: planted['what Dropbox gives for it'] ?? '',
})
afterAll(() => dropbox.close())
const environment = {
  DROPBOX_APP_KEY: 'appkey12',
  DROPBOX_API: dropbox.url,
  DATAINTELL_SECRET_KEY: planted['the key of the secrets'],
  DATAINTELL_ADMIN_PASSWORD: planted['the password of the first sign-in'],
}
const product = await startProduct(data, { folder: tree, environment })
afterAll(() => product.stop())
const cookies = new Map<string, string>()
const admin = { name: 'admin', password: planted['the password of the first sign-in'] ?? '' }
const ask = signedIn(product.address, admin, cookies)
const call: Product['call'] = async (...input) => {
  const { status, answer } = await ask(...input)
  if (status >= 400) throw new Error(`${input.join(' ')}: ${status} ${JSON.stringify(answer)}`)
  return { status, answer }
}
const made = async (path: string, body: object) => (await call('POST', path, body)).answer
const idOf = (answer: unknown) => (answer as { id: number }).id

/** All NATS messages except replies: an agent receives the password for a mount in a reply. */
const nats = await (async () => {
  const { url, seed } = natsOf({ data, natsUrl: undefined } as Parameters<typeof natsOf>[0])
  return openNats(url, { seed })
})()
afterAll(() => nats.close())
const messages: string[] = []
for (const subject of ['tasks.>', 'scans.>', 'agents.>', 'ask.>', 'live', 'appended', 'backups.>'])
  nats.connection.subscribe(subject, { callback: (_, message) => void messages.push(message.string()) })

/** Command lines and environments of all processes except the one that was started with the secrets. */
function processes(): string[] {
  return globSync('/proc/[0-9]*/{cmdline,environ}')
    .filter((file) => !file.startsWith(`/proc/${product.pid}/`))
    .flatMap((file) => found(textOf(file)).map((what) => `${what} in ${file}: ${textOf(file.replace(/\w+$/, 'comm'))}`))
}
function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

/** Files of a folder that contain a secret, including compressed ones. */
function filesWith(folder: string): string[] {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const bytes = readFileSync(join(parentPath, name))
    const text = (name.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes).toString('latin1')
    return found(text).map((what) => `${what} in ${join(parentPath, name)}`)
  })
}

/** Every declared GET, with the IDs of the created objects as parameters. */
function readingCalls(): string[] {
  const modules = import.meta.glob<object>(['../../events/**/*.ts', '!../../events/**/*.test.ts'], { eager: true })
  const exported: unknown[] = Object.values(modules).flatMap((module) => Object.values(module))
  const nested = exported.flatMap((value) => (typeof value === 'object' && value ? Object.values(value) : []))
  const isGet = (value: unknown): value is Endpoint =>
    typeof value === 'object' && value !== null && 'path' in value && 'method' in value && value.method === 'GET'
  const paths = [...exported, ...nested].filter(isGet).map(({ path }) => path)
  return [...new Set(paths)].flatMap((path) =>
    path.includes(':') ? ids.map((id) => path.replaceAll(/:\w+/g, id)) : path,
  )
}
const ids = ['1', '2', new Date().toLocaleDateString('en-CA')]

async function plant(): Promise<void> {
  await call('PUT', '/configurations', [
    { name: 'spring.mail.password', value: planted['the password of the mail server'] },
    { name: 'iconik.authtoken', value: planted['the token of Iconik'] },
    { name: 'sodaClientSecret', value: planted['the secret of the transfer service'] },
    { name: 'mailClientSecret', value: planted['the secret of the application that sends mail'] },
    { name: 'mailServiceKey', value: planted['the key of the service account that sends mail'] },
  ])
  const nas = { name: 'nas', username: 'scanner', password: planted['the password of a share'], domain: '' }
  const credential = idOf(await made('/v1/networkVolumes/credentials', nas))
  const mdc = { name: 'mdc', host: 'mdc', username: 'ws', password: planted['the password of StorNext'] }
  await made('/v1/storageManager/configs', mdc)
  const free = { description: 'None', currencySymbol: '$', price: 0 }
  const storagePrice = { id: idOf(await made('/v1/storage-prices', free)) }
  const share = { dataintellName: 'share', type: 'SMB', host: '127.0.0.1', shareName: 'films', serverId: 1 }
  await made('/v1/networkVolumes', { ...share, storagePrice, networkVolumeCredential: { id: credential } })
  await made('/v1/dropbox-credentials', { name: 'agency', code: planted['a code of Dropbox'] })
  await call('POST', '/v1/dropbox-credentials', { name: 'again', code: planted['a code of Dropbox'] }).catch(() => {})
  const azure = `AccountName=films;AccountKey=${planted['the key of Azure']}`
  await made('/v1/bucket-credentials', { name: 'azure', type: 'AZURE', accessKey: azure })
  planted['the seed of an agent'] = NewAgent.parse(await made('/servers', { name: 'far' })).seed
  planted['a token of the API'] = NewApiToken.parse(await made('/v1/apiTokens', { name: 'script' })).token
  planted['the token of a wall'] = NewWallToken.parse(await made('/v1/wall/tokens', { name: 'lobby' })).token
  const ana = OneTimePassword.parse(await made('/v1/users', { name: 'ana' }))
  planted['a one-time password'] = ana.password
  const own = planted['the own password of a user']
  const signIn = { name: ana.name, password: ana.password }
  const { status } = await signedIn(product.address, signIn)('PUT', '/currentUserInfo/password', { newPassword: own })
  expect(status).toBe(204)
  planted['the id of a session'] = decodeURIComponent(cookies.get(sessionCookie) ?? '')
}

test('secrets are found nowhere after they were entered and used', async () => {
  await plant()
  const bearer = { authorization: `Bearer ${planted['a token of the API']}` }
  expect((await fetch(`${product.address}/api/v1/dashboard`, { headers: bearer })).status).toBe(200)
  expect(Object.values(planted).filter((secret) => secret.length < 10)).toEqual([])

  const inProcesses = new Set<string>()
  await call('POST', '/v1/scans/volumes/ids', [2])
  for (let running = 1; running > 0;) {
    for (const place of processes()) inProcesses.add(place)
    running = Dashboard.parse((await call('GET', '/v1/dashboard')).answer).scans.filter(isRunning).length
  }
  await call('POST', '/configurations/testEmail').catch(() => {})
  expect([...inProcesses]).toEqual([])
  const [last] = Dashboard.parse((await call('GET', '/v1/dashboard')).answer).scans
  expect(last).toMatchObject({ state: 'failed', reason: expect.stringMatching(/share|mount/i) })

  const answered: string[] = []
  let good = 0
  for (const path of readingCalls()) {
    const { status, answer } = await ask('GET', path)
    if (status === 200) good++
    answered.push(...found(JSON.stringify(answer)).map((what) => `${what} in ${path}`))
  }
  expect(answered).toEqual([])
  expect(good).toBeGreaterThan(50)
  expect(found(messages.join('\n'))).toEqual([])
  expect(messages.length).toBeGreaterThan(10)

  const program = join(import.meta.dirname, 'backup.ts')
  const env = { PATH: process.env['PATH'], DATAINTELL_DATA: data }
  expect(spawnSync(process.execPath, [program, backup], { env }).status).toBe(0)
  expect(filesWith(backup)).toEqual([])
  expect(await rowsWith()).toEqual([])
  expect(found(product.printed())).toEqual([])
  await product.stop()
  expect(filesWith(data)).toEqual([])
})

/** Tables that contain a secret, read through Postgres, whose files may be compressed. */
async function rowsWith(): Promise<string[]> {
  const { url, leave } = await startLocalPostgres(data, () => {})
  const db = openPostgres(url)
  const tables = await db.introspection.getTables()
  const places: string[] = []
  for (const { name } of tables) {
    const rows = await db
      .selectFrom(name as 'events')
      .selectAll()
      .execute()
    places.push(...found(JSON.stringify(rows)).map((what) => `${what} in ${name}`))
  }
  await db.destroy()
  await leave()
  return places
}
