import { createServer } from 'node:http'
import { join } from 'node:path'
import { startIconik } from '#agent/systems/iconik/simulator/index.ts'
import { startStorNext } from '#agent/systems/stornext/simulator/index.ts'
import { startTransfers } from '#agent/systems/transfers/simulator/index.ts'
import { fillIndex, startArchiware } from '#agent/systems/archiware/simulator/index.ts'
import { startDropbox } from '#agent/systems/dropbox/simulator/index.ts'
import { certificate as tls } from '#agent/simulator/certificate.ts'
import { newClock } from '#agent/simulator/clock.ts'
import { fillTree, startPowerScale } from '#agent/systems/power-scale/simulator/index.ts'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { madeUpObjects } from '#agent/testing/madeUpStore.ts'
import { startDropbox as startDropboxSignIn } from '#server/scanning/sources/buckets/testing.ts'
import type { Product } from '#deploy/local/testing.ts'
import type { Must } from '#deploy/local/testing/calls.ts'
import { atEnd } from '../../kit/ends.ts'
import { type Lane, portOf, type ProxyOptions, startProxy } from './proxy.ts'

type Call = Parameters<Product['call']>

/** A call that makes the product request answers of a system. A `job` is started by the call and continues after it. */
export type Trigger = { lane: Lane; call: Call; isJob: boolean }

type Proxied = { lane: Lane; url: string }

/** A storage for actions: its folder and the names of its files. */
export type Files = { folder: string; names: string[] }

type Starting = Files & {
  /** Starts a proxy for a simulator. */
  proxied(upstream: string, options?: Partial<ProxyOptions>): Promise<Proxied>
}
/** A product in which the systems are set up. `films` is the ID of the storage for actions. */
export type SetUp = {
  films: number
  storagePrice: { id: number }
  must: Must
  made(path: string, body: object): Promise<number>
}
type System = { environment?: NodeJS.ProcessEnv; setUp(product: SetUp): Promise<Trigger[]> }

/** A call that is answered after the system. */
const asked = ({ lane }: Proxied, ...call: Call): Trigger => ({ lane, call, isJob: false })
const started = ({ lane }: Proxied, ...call: Call): Trigger => ({ lane, call, isJob: true })

/** Ends a simulator with the run. */
const running = <T extends { close(): Promise<unknown> }>(simulator: T): T => (
  atEnd(() => simulator.close()),
  simulator
)

/** Simulated seconds pass faster, so that jobs end soon. */
const clock = { speed: 50 }
const pathsOf = ({ folder, names }: Files) => ({ dataIntellPaths: names.map((name) => join(folder, name)) })

async function s3({ proxied }: Starting): Promise<System> {
  const [accessKey, privateKey] = ['AKIAPLANTED0000KEY11', 'planted/SECRET+4471=']
  const buckets = { media: { objects: objectsOf(madeUpObjects(1_500)) } }
  const { url } = running(await startSimulator({ accounts: [{ accessKey, secretKey: privateKey }], buckets }))
  const keys = ({ url }: Proxied) => ({ name: url, type: 'OTHER', accessKey, privateKey, url })
  return bucketSystem({ keys, proxy: await proxied(url) })
}

type Buckets = { keys(proxy: Proxied): { type: string }; proxy: Proxied }

/** A provider with the bucket `media`: its names, its check and its scan. */
const bucketSystem = ({ keys, proxy }: Buckets): System => ({
  async setUp({ made, storagePrice }) {
    const awsCredentialsId = await made('/v1/bucket-credentials', keys(proxy))
    const { type } = keys(proxy)
    const place = { name: 'media', type, region: '', path: '', namespace: '', awsCredentialsId }
    const bucket = { ...place, description: `bucket ${type}`, storagePrice }
    return [
      asked(proxy, 'POST', `/v1/buckets/names?credentialsId=${awsCredentialsId}`),
      asked(proxy, 'POST', '/v1/buckets/check', place),
      started(proxy, 'POST', '/v1/scans/buckets/ids', [await made('/v1/buckets', bucket)]),
    ]
  },
})

const properties =
  '<Properties><Creation-Time>Thu, 01 Jan 2026 00:00:00 GMT</Creation-Time><Last-Modified>Thu, 01 Jan 2026 00:00:00 GMT</Last-Modified>' +
  '<Etag>"0x1"</Etag><Content-Length>5</Content-Length><BlobType>BlockBlob</BlobType></Properties>'
const azureLists = {
  containers: `<Containers><Container><Name>media</Name>${properties}</Container></Containers>`,
  blobs: `<Blobs><Blob><Name>a/b.mov</Name>${properties}</Blob><Blob><Name>c.mov</Name>${properties}</Blob></Blobs>`,
}

/** Azure always sends the same two lists. */
async function azure({ proxied }: Starting): Promise<System> {
  const server = createServer(({ url }, response) => {
    const list = url?.includes('restype=container') ? azureLists.blobs : azureLists.containers
    response.setHeader('content-type', 'application/xml')
    response.end(`<?xml version="1.0"?><EnumerationResults>${list}<NextMarker /></EnumerationResults>`)
  })
  const port = await portOf(server)
  const keys = ({ url: name }: Proxied) => {
    const accessKey = `DefaultEndpointsProtocol=http;AccountName=a;AccountKey=cGxhbnRlZA==;BlobEndpoint=${name}/a;`
    return { name, type: 'AZURE', accessKey, privateKey: '', url: '' }
  }
  return bucketSystem({ keys, proxy: await proxied(`http://127.0.0.1:${port}`) })
}

async function dropbox({ proxied, names }: Starting): Promise<System> {
  const [appKey, code, token] = ['appkey12', 'planted-code', 'planted-token']
  const files = names.map((name, i) => ({ path: `/Clips/${name}`, size: i, modified: 1_760_000_000 }))
  const lists = running(await startDropbox({ appKey, refreshToken: token, files, behaviour: { pageSize: 5 } }))
  const signIn = running(await startDropboxSignIn({ code, token }))
  signIn.answer = { status: 200, body: { access_token: 'short', token_type: 'bearer', refresh_token: token } }
  const upstream = (body: string) => (body.includes('authorization_code') ? signIn.url : lists.url)
  const proxy = await proxied('', { upstream })
  return {
    environment: { DROPBOX_API: proxy.url, DROPBOX_APP_KEY: appKey },
    async setUp({ made, storagePrice }) {
      const awsCredentialsId = await made('/v1/dropbox-credentials', { name: 'agency', code })
      const again = await made('/v1/dropbox-credentials', { name: 'again', code })
      const place = { name: '', type: 'DROPBOX', region: '', path: '/', namespace: '', awsCredentialsId }
      const id = await made('/v1/buckets', { ...place, description: 'dropbox', storagePrice })
      return [
        asked(proxy, 'POST', '/v1/buckets/check', place),
        asked(proxy, 'PUT', `/v1/dropbox-credentials/${again}`, { name: 'again', code }),
        started(proxy, 'POST', '/v1/scans/buckets/ids', [id]),
      ]
    },
  }
}

async function powerScale({ proxied }: Starting): Promise<System> {
  const time = newClock({ start: Date.now() / 1_000, speed: 1 / 1_000 })
  const cluster = running(await startPowerScale({ clock: time }))
  fillTree(cluster.tree, 300)
  const proxy = await proxied(`https://${cluster.host}`, { tls })
  return {
    async setUp({ made, storagePrice }) {
      const user = { name: 'cluster', username: 'scan', password: 'secret' }
      const place = {
        host: new URL(proxy.url).host,
        path: '/ifs/data',
        certificateFingerprint: cluster.fingerprint,
        dellPowerScaleCredentials: { id: await made('/v1/powerScales/credentials', user) },
      }
      const days = { fullScanSnapshotExpiresDays: 7, deltaScanSnapshotExpiresDays: 7 }
      const id = await made('/v1/powerScales', { ...place, ...days, dataintellName: 'cluster', storagePrice })
      return [
        asked(proxy, 'POST', '/v1/powerScales/check', place),
        started(proxy, 'POST', '/v1/scans/powerScales/ids', [id]),
      ]
    },
  }
}

async function p5({ proxied, ...files }: Starting): Promise<System> {
  const server = running(await startArchiware({ clock }))
  fillIndex(server.addIndex('Media'), 500)
  server.addClient('studio', { folders: { [files.folder]: files.folder } })
  const proxy = await proxied(server.url)
  return {
    async setUp({ made, storagePrice }) {
      const { user: username, password } = server
      const id = await made('/v1/archiwares/credentials', { name: 'P5', url: proxy.url, username, password })
      const place = { name: 'index', indexId: 'Media', path: '/', archiwareP5Credential: { id }, storagePrice }
      const target = `clientId=studio&credentialsId=${id}&serverId=1`
      return [
        asked(proxy, 'GET', `/v1/archiwares/credentials/${id}/indexes`),
        asked(proxy, 'GET', '/v1/archiwares/plans'),
        asked(proxy, 'GET', '/v1/archiwares/clients'),
        started(proxy, 'POST', '/v1/scans/archiwares/ids', [await made('/v1/archiwares', place)]),
        started(proxy, 'POST', `/v1/archiwares/plans/10001/archiveselections?${target}`, pathsOf(files)),
      ]
    },
  }
}

async function storNext({ proxied, ...files }: Starting): Promise<System> {
  const root = '/stornext/snfs1/projects'
  const controller = running(await startStorNext({ clock: { speed: 200_000 } }))
  for (const name of files.names) controller.addFile(`${root}/${name}`, { size: 300e6 })
  const proxy = await proxied(controller.url)
  return {
    async setUp({ must, made, films }) {
      const config = { name: 'mdc', host: proxy.url, username: 'dataintell', password: 'planted-password' }
      const storageManagerConfigId = await made('/v1/storageManager/configs', config)
      const mapping = { volumeId: films, dataintellPath: files.folder, storageManagerPath: root }
      await made('/v1/storageManager/volumeMappings', { ...mapping, storageManagerConfigId })
      const query = [{ name: { value: files.names[0] } }]
      const [file] = (await must<{ elements: { fileId: string }[] }>('POST', '/v1/search?size=1', query)).elements
      return [
        asked(proxy, 'GET', `/v1/storageManager/files/${file?.fileId}`),
        started(proxy, 'POST', '/v1/storageManager/archiveselections', pathsOf(files)),
      ]
    },
  }
}

async function iconik({ proxied, ...files }: Starting): Promise<System> {
  const { uploadUrl, url, appId, token, ...simulated } = running(await startIconik({ clock }))
  simulated.fillCollections(60)
  const uploads = await proxied(uploadUrl)
  const rewrite = (text: string) => text.replaceAll(uploadUrl, uploads.url)
  const proxy = await proxied(url, { lane: uploads.lane, rewrite })
  return {
    environment: { ICONIK_URL: proxy.url },
    async setUp({ must }) {
      const keys = { iconikAppId: appId, 'iconik.authtoken': token }
      await must(
        'PUT',
        '/configurations',
        Object.entries(keys).map(([name, value]) => ({ name, value })),
      )
      const { id } = simulated.storageNamed('S3 1')
      const upload = { collectionId: null, storageId: id, storageType: 'S3', ...pathsOf(files) }
      return [
        asked(proxy, 'GET', '/v1/iconik/collections'),
        asked(proxy, 'GET', '/v1/iconik/storages'),
        started(proxy, 'POST', '/v1/iconik/jobs', upload),
      ]
    },
  }
}

async function transfers({ proxied, folder, names }: Starting): Promise<System> {
  const service = running(await startTransfers({ clock }))
  service.addStorage('st-1', { folder })
  service.addStorage('st-2', { name: 'Cloud A', type: 'Amazon S3' })
  const proxy = await proxied(service.url)
  return {
    environment: { SODA_URL: proxy.url, SODA_CLIENT_ID: service.clientId, SODA_CLIENT_SECRET: service.clientSecret },
    async setUp({ made, films }) {
      const mapping = { volumeId: films, dataintellPath: folder, sodaStorageId: 'st-1', sodaPath: '/' }
      await made('/v1/soda/volumeMappings', mapping)
      const target = { name: 'Cloud A', path: '/in', storageId: 'st-2', isDirectory: true }
      const sources = names.map((name) => ({ name, path: join(folder, name), storageId: films, isDirectory: false }))
      return [
        asked(proxy, 'GET', '/v1/soda/storages'),
        asked(proxy, 'GET', '/v1/soda/storages/st-1/folders?path=/'),
        started(proxy, 'POST', '/v1/soda/jobs', { transferType: 'COPY', target, sources }),
      ]
    },
  }
}

/**
 * Starts all simulated systems, each behind proxies that change its answers. Returns the environment of a product, a function that sets them
 * up there, and the requests to another host, which only arrive if a redirect is followed.
 */
export async function startSystems(files: Files) {
  const followed: string[] = []
  const trap = createServer(({ method, url, headers }, response) => {
    followed.push(`${method} ${url} ${JSON.stringify(headers)}`)
    response.end('{}')
  })
  const trapUrl = `http://127.0.0.1:${await portOf(trap)}`
  const starting: Starting = {
    ...files,
    async proxied(upstream, { lane = { change: undefined, answers: 0, turn: Promise.resolve() }, ...options } = {}) {
      return { lane, url: await startProxy({ lane, trap: trapUrl, upstream: () => upstream, ...options }) }
    },
  }
  const starts = [s3, azure, dropbox, powerScale, p5, storNext, iconik, transfers]
  const systems = await Promise.all(starts.map((start) => start(starting)))
  return {
    environment: Object.assign({}, ...systems.map(({ environment }) => environment)) as NodeJS.ProcessEnv,
    followed,
    setUp: async (product: SetUp) => (await Promise.all(systems.map((system) => system.setUp(product)))).flat(),
  }
}
