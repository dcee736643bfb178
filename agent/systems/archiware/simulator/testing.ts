import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask as askHost, forTest, start, stoppedClock } from '#agent/simulator/testing.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type ArchiwareOptions, type ArchiwareSimulator, startArchiware } from './index.ts'

/** Time of the clock in seconds. */
export const now = start / 1_000

/** Starts a simulator for one test. Only the test moves its clock. */
export const simulator = (options: ArchiwareOptions = {}): Promise<ArchiwareSimulator> =>
  forTest(startArchiware({ clock: stoppedClock, ...options }))

type Options = { headers?: Record<string, string>; body?: object; base?: string; password?: string }

/** Answer to a call such as `GET archive/indexes`. */
export async function ask(p5: ArchiwareSimulator, call: string, options: Options = {}) {
  const { headers, body, base = p5.url, password = p5.password } = options
  const [method = '', path = ''] = call.split(/ (.*)/s)
  const authorization = `Basic ${Buffer.from(`${p5.user}:${password}`).toString('base64')}`
  const address = `${base}${path.startsWith('/') ? path : `/rest/v1/${path}`}`
  const answer = await askHost(`${method} ${address}`, { headers: { authorization, ...headers }, body })
  return { status: answer.status, body: answer.body }
}

type Submitted = Partial<{ paths: string[]; meta: unknown; headers: Record<string, string>; plan: string }>

/** Submits an archive job of the client `studio`. */
export const archive = (
  p5: ArchiwareSimulator,
  { paths = ['/mnt/media/a'], meta = [], headers, plan = '10001' }: Submitted,
) =>
  ask(p5, `POST archive/plans/${plan}/archiveselections`, {
    headers: { client: 'studio', time: 'now', ...headers },
    body: { paths: paths.map((path) => ({ path, meta })), description: 'DataIntell job 7' },
  })

type WantedEntry = { ID: string; targetPath?: string }
/** Submits a restore job of the client `studio`. */
export const restore = (p5: ArchiwareSimulator, entries: WantedEntry[], headers: Record<string, string> = {}) =>
  ask(p5, 'POST restore/restoreselections', {
    headers: { client: 'studio', time: 'now', ...headers },
    body: { entries, description: 'DataIntell job 8' },
  })

export const jobOf = async (p5: ArchiwareSimulator, id: string) => (await ask(p5, `GET general/jobs/${id}`)).body
export const reportOf = async (p5: ArchiwareSimulator, id: string) =>
  (await ask(p5, `GET general/jobs/${id}/report`)).body
/** IDs of the jobs that are listed with these headers. */
export const listed = async (p5: ArchiwareSimulator, headers = {}) =>
  (await ask(p5, 'GET general/jobs', { headers })).body.jobs.map(({ ID }: { ID: string }) => ID)

/** A client `studio` with files of this machine under /mnt/media. */
export async function withStudio(options: ArchiwareOptions = {}) {
  const p5 = await simulator(options)
  const folder = testFolder('media')
  mkdirSync(join(folder, 'reel/empty'), { recursive: true })
  for (const name of ['a', 'b', 'reel/c', 'reel/back\\slash']) writeFileSync(join(folder, name), `content of ${name}`)
  const client = p5.addClient('studio', { folders: { '/mnt/media': folder } })
  const index = p5.indexes.get('Default-Archive')!
  const paths = () => [...index.entries()].filter(({ children }) => !children).map(({ generations }) => generations[0])
  return { p5, folder, client, index, files: () => paths().map((generation) => generation?.physicalPath) }
}

/** A simulator with a few entries in its index. */
export async function withMedia() {
  const p5 = await simulator()
  const index = p5.indexes.get('Default-Archive')!
  index.add('mnt/Projects/clip.mov', { size: 734_003_200, mtime: 1_699_990_000, volumes: ['10101', '10102'] })
  index.add('mnt/Projects/day:night/back\\slash^', { size: 5 })
  return { p5, index }
}
