import { vi } from 'vitest'
import { createApp } from '#server/app.ts'
import { testMailServer } from '#server/platform/testing/mailServer.ts'
import { testPlatform } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { startFigures } from '#server/work/projects/index.ts'
import { routesOf } from '#server/serve.ts'
import { scanFolders } from '#server/content/snapshots/oracle/scanFolders.ts'
import { startDropbox } from '#server/scanning/sources/buckets/testing.ts'
import { asUser, testSession } from '#server/testing.ts'
import { answerAsAgent } from './agent.ts'
import type { Values } from '../play.ts'

const dates = { previousDate: '2026-01-01', date: '2026-01-02' }

/**
 * Opens the product with what the calls need first, which was added by calls: a file storage, an archive index and a
 * project, with two snapshots. Agents, mail servers and Dropbox are fakes.
 */
export async function openWorld() {
  const dropbox = await startDropbox({ code: 'none', token: 'none' })
  dropbox.answer = { status: 200, body: { access_token: 'short', token_type: 'bearer', refresh_token: 'kept' } }
  atEndOfFile(() => dropbox.close())
  const stores = await testPlatform()
  const platform = { ...stores, config: { ...stores.config, dropboxAppKey: 'appkey12', dropboxApi: dropbox.url } }
  const mail = await testMailServer()
  atEndOfFile(() => mail.stop())
  answerAsAgent(platform)
  const app = createApp(platform, routesOf(platform))
  const admin = asUser(app, await testSession(platform.db, ['ROLE_ADMIN']))
  const guest = asUser(app, await testSession(platform.db, []))
  const known: Values = { ...dates, mailPort: String(mail.port), ...(await addRecords(admin)) }
  await addSnapshots(platform, known)
  await countProjects(platform, admin, known)
  return { admin, guest, known }
}
type Ask = ReturnType<typeof asUser>

async function addRecords(admin: Ask): Promise<Values> {
  const add = async (path: string, body: object) =>
    (await admin('POST', `/api${path}`, body).expect(200)).body.id as number
  const price = await add('/v1/storage-prices', { description: 'Basic', currencySymbol: '$', price: 12 })
  const storagePrice = { id: price }
  const storage = await add('/volumeSettings', { name: 'Films', path: '/mnt/films', storagePrice })
  const p5 = await add('/v1/archiwares/credentials', {
    name: 'P5',
    username: 'p5',
    password: 'planted',
    url: 'https://p5.example.com:8443',
  })
  await add('/v1/archiwares', {
    indexId: 'Default-Archive',
    path: '/mnt',
    name: 'Tapes',
    archiwareP5Credential: { id: p5 },
    storagePrice,
    serverId: 1,
  })
  const [{ id: index, volumeSettingId: archive }] = (await admin('GET', '/api/v1/archiwares').expect(200)).body.elements
  await admin('PUT', '/api/currentUserInfo', { email: 'ana@example.com' }).expect(204)
  const paths = [{ path: '/a', volumeId: storage }]
  const project = await add('/projects', { name: 'Rushes', allocatedSize: 1_000, paths })
  const agent = await add('/servers', { name: 'Basement' })
  await setUpTransfers(admin, storage)
  return { price, storage, p5, index, archive, project, agent }
}

async function setUpTransfers(admin: Ask, volumeId: number): Promise<void> {
  const values = { sodaUrl: 'https://soda.example.com', sodaClientId: 'di', sodaClientSecret: 'planted' }
  const entries = Object.entries(values).map(([name, value]) => ({ name, value }))
  await admin('PUT', '/api/configurations', entries).expect(200)
  const mapping = { volumeId, dataintellPath: '/mnt/films', sodaStorageId: 'st-1', sodaPath: '/films' }
  await admin('POST', '/api/v1/soda/volumeMappings', mapping).expect(200)
}

const file = (path: string, inode: number, size = 10) => ({ path, inode, size, allocatedSize: size })
const folder = (path: string, inode: number) => ({ path, inode, isDirectory: true })

/** `/a` and `/b` are duplicates; on the second day a file is new, one larger and one deleted. */
async function addSnapshots(platform: Parameters<typeof scanFolders>[0], { storage, archive }: Values): Promise<void> {
  const [films, tapes] = [Number(storage), Number(archive)]
  const rest = [
    { path: '/a', entries: [file('/a/one.mov', 21), file('/a/README', 22, 7)] },
    { path: '/b', entries: [file('/b/one.mov', 31), file('/b/README', 32, 7)] },
    { path: '/.cache', entries: [] },
  ]
  const folders = [folder('/a', 2), folder('/b', 3), folder('/.cache', 4)]
  const first = [file('/grows.log', 11, 5), file('/deleted.tmp', 12)]
  const second = [file('/grows.log', 11, 50), file('/new.txt', 13, 3)]
  for (const [date, files] of [
    [dates.previousDate, first],
    [dates.date, second],
  ] as const) {
    await scanFolders(platform, { volumeId: films, indexingDate: date }, [
      { path: '', entries: [...folders, ...files] },
      ...rest,
    ])
  }
  await scanFolders(platform, { volumeId: tapes, indexingDate: dates.date }, [
    { path: '', entries: [{ ...file('/old.mov', 41), backupDate: 1_700_000_000 }] },
  ])
}

async function countProjects(platform: Parameters<typeof startFigures>[0], admin: Ask, known: Values): Promise<void> {
  const running = startFigures(platform)
  const hasBothDates = async () => {
    const { body } = await admin('GET', `/api/v1/projects/${known['project']}/history`).expect(200)
    if (body.length < 2) throw new Error('The project is still being counted')
  }
  await vi.waitFor(hasBothDates, { timeout: 60_000, interval: 100 })
  await running.stop()
}
