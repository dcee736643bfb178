import { ask as askHost, forTest, stoppedClock } from '#agent/simulator/testing.ts'
import { type IconikOptions, type IconikSimulator, startIconik } from './index.ts'

/** Starts a simulator for one test. Only the test moves its clock. */
export const simulator = (options: IconikOptions = {}): Promise<IconikSimulator> =>
  forTest(startIconik({ clock: stoppedClock, ...options }))

type Options = { body?: object | undefined; headers?: Record<string, string>; token?: string }

/** Answer to a call such as `GET files/v1/storages/`. */
export function ask(iconik: IconikSimulator, call: string, { body, headers, token = iconik.token }: Options = {}) {
  const [method = '', path = ''] = call.split(/ (.*)/s)
  const signIn = { 'App-ID': iconik.appId, 'Auth-Token': token }
  return askHost(`${method} ${iconik.apiUrl}${path}`, { headers: { ...signIn, ...headers }, body })
}

/** Answer to a request of the upload host, without the headers of the API. */
export const send = (method: string, url: string, body?: string | Buffer, headers: Record<string, string> = {}) =>
  askHost(`${method} ${url}`, { headers, body })

type NewFile = {
  storage?: string
  name?: string
  size?: number
  directory?: string
  externalId?: string
  file?: object
}

/** Creates an asset with a format, a file set and a file on a storage. Fails unless each one is created. */
export async function createFile(iconik: IconikSimulator, values: NewFile = {}) {
  const { storage: storageName = 'S3 1', name = 'clip.mov', size = 5, directory = 'proj/day1', externalId } = values
  const storage = iconik.storageNamed(storageName)
  const create = async (path: string, body: object) => {
    const answer = await ask(iconik, `POST ${path}`, { body })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const asset = await create('assets/v1/assets/', { title: name, external_id: externalId })
  const below = `files/v1/assets/${asset.id}`
  const format = await create(`${below}/formats/`, { name: 'ORIGINAL', storage_methods: [storage.method] })
  const set = { name, base_dir: directory, component_ids: [], format_id: format.id, storage_id: storage.id }
  const fileSet = await create(`${below}/file_sets/`, set)
  const file = await create(`${below}/files/`, {
    original_name: name,
    directory_path: directory,
    type: 'FILE',
    size,
    storage_id: storage.id,
    file_set_id: fileSet.id,
    format_id: format.id,
    ...values.file,
  })
  return { asset, format, fileSet, file, path: `${below}/files/${file.id}/` }
}

/** Text of an element. */
export const elementOf = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(xml)?.[1]
