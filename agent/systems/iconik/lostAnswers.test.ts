import { expect, test } from 'vitest'
import type { IconikSimulator } from './simulator/index.ts'
import { expectOnce, run, statesOf, threeFiles, withFiles } from './testing.ts'

/** Calls of an upload to each storage, as the simulator names them. */
const calls = {
  all: [
    'roles.list',
    'storages.read',
    'storages.access',
    'collections.read',
    'assets.create',
    'formats.create',
    'fileSets.create',
    'files.create',
    'files.change',
    'files.keyframes',
  ],
  S3: ['s3.start', 'parts.list', 's3.putPart', 'parts.url', 's3.complete'],
  GCS: ['gcs.start', 'gcs.putChunk'],
  B2: ['large.start', 'b2.putPart', 'large.finish', 'b2.putFile'],
  AZURE: ['azure.putBlock', 'azure.putBlockList', 'azure.putBlob'],
  FILE: ['storages.files'],
}
type Method = Exclude<keyof typeof calls, 'all'>
const methods: Method[] = ['S3', 'GCS', 'B2', 'AZURE', 'FILE']

const notOfGateways = /^(storages[.]access|files[.]change)$/

/** Calls that send all bytes again if only their answer was lost. */
const repeated = /putFile|putBlob/

const faults: Record<string, (iconik: IconikSimulator, call: string) => void> = {
  'the answer is lost': ({ faults }, call) => faults.loseAnswer(call),
  'half of the answer is lost': ({ faults }, call) => faults.malformNext(call),
  'the server fails': ({ faults }, call) => faults.failNext(call, 503, 'Service Unavailable'),
}

for (const [name, inject] of Object.entries(faults))
  test.for(methods)(`%s: ${name}, at each call`, async (method) => {
    const isCommon =
      name === 'the answer is lost' ? /S3|FILE/.test(method) : name !== 'the server fails' && method === 'S3'
    const common = isCommon ? calls.all : []
    const tried = [...common, ...calls[method]].filter((call) => method !== 'FILE' || !notOfGateways.test(call))
    const results = await Promise.all(
      tried.map(async (call) => {
        const prepared = await withFiles()
        const { iconik, list, collection } = prepared
        inject(iconik, call)
        await run(iconik, list, { storage: `${method} 1`, collectionId: collection.id })
        expect([call, statesOf(list)]).toEqual([call, threeFiles.map(() => 'done')])
        if (!repeated.test(call)) expectOnce(prepared, method !== 'FILE')
        return iconik.requestsOf(call).length
      }),
    )
    expect(results.every((count) => count > 0)).toBe(true)
  })
