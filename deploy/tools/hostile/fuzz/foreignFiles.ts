import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type BucketOptions, openS3 } from '#agent/systems/s3/index.ts'
import { bucketOf, delivered, folder, place } from '#agent/systems/s3/inventory/testing.ts'
import { objectsOf, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { messageOf } from '#agent/systems/system.ts'
import { madeUpObjects } from '#agent/testing/madeUpStore.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { damaged, shown, withOneOdd } from './mutate.ts'
import type { Fuzzer, Outcome } from './target.ts'

/** Milliseconds to read a small bucket or its inventory, on a busy machine. */
const deadlineMs = 90_000
/** Pages of a bucket of 300 objects. */
const maxPages = 1_000

const account = { accessKey: 'AKIAPLANTED0000KEY11', secretKey: 'planted/SECRET+4471=' }
const objects = madeUpObjects(300)
type Files = Map<string, Uint8Array>

/** Damaged inventories (manifests, CSV, gzip, Parquet) and damaged XML of a bucket, read by the agent's code. */
export function foreignFiles(): Fuzzer {
  return { send: (random) => (random.chance(0.3) ? sendXml(random) : sendInventory(random)) }
}

async function sendInventory(random: Random) {
  const format = random.pick(['CSV', 'Parquet'] as const)
  const { files, changed } = damagedInventory(random, delivered(objects, { format }))
  const buckets = { media: { objects: objectsOf(objects) }, reports: bucketOf(files) }
  const store = await startSimulator({ accounts: [account], buckets })
  const outcome = await read({ endpoint: store.url, inventory: place }).finally(() => store.close())
  return { input: `inventory as ${format}: ${changed}`, ...outcome }
}

/** Damages the manifest, or a file, whose manifest is then made to agree with it. */
function damagedInventory(random: Random, files: Files): { files: Files; changed: string } {
  const manifestKey = [...files.keys()].find((key) => key.endsWith('manifest.json')) ?? ''
  const manifest = JSON.parse(Buffer.from(files.get(manifestKey) ?? []).toString()) as {
    files: { key: string; size: number; MD5checksum: string }[]
  }
  if (random.chance(0.3)) {
    const odd = withOneOdd(random, manifest)
    const text = Buffer.from(JSON.stringify(odd) ?? '')
    return withManifest(files, manifestKey, random.chance(0.3) ? damaged(random, text) : text)
  }
  const [file] = manifest.files
  if (!file) return { files, changed: 'nothing' }
  const bytes = files.get(file.key) ?? new Uint8Array()
  const isInner = file.key.endsWith('.gz') && random.chance(0.6)
  const broken = isInner ? gzipSync(damaged(random, gunzipSync(bytes))) : damaged(random, bytes)
  Object.assign(file, { size: broken.length, MD5checksum: createHash('md5').update(broken).digest('hex') })
  const whole = withManifest(files, manifestKey, Buffer.from(JSON.stringify(manifest)))
  whole.files.set(file.key, broken)
  return { files: whole.files, changed: `${file.key} ${broken.toString('base64')}` }
}

function withManifest(files: Files, key: string, text: Buffer): { files: Files; changed: string } {
  const sum = Buffer.from(createHash('md5').update(text).digest('hex'))
  const changed = new Map(files).set(key, text).set(`${folder}/${key.split('/').at(-2)}/manifest.checksum`, sum)
  return { files: changed, changed: `manifest ${shown(text)}` }
}

const listing = `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
<Name>media</Name><Prefix></Prefix><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys><EncodingType>url</EncodingType>
<IsTruncated>false</IsTruncated><Contents><Key>a%2Fb.mov</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>
<ETag>&quot;5d41402abc4b2a76b9719d911017c592&quot;</ETag><Size>5</Size><StorageClass>STANDARD</StorageClass></Contents>
<Contents><Key>c</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>7</Size></Contents>
<CommonPrefixes><Prefix>d/</Prefix></CommonPrefixes></ListBucketResult>`

async function sendXml(random: Random) {
  const page = damaged(random, Buffer.from(listing))
  const status = random.chance(0.8) ? 200 : random.pick([200, 400, 403, 404, 301, 416])
  // The same damage forever would be a listing without an end.
  const pages = [page, Buffer.from(listing)]
  const server = createServer((_, response) => {
    response.writeHead(pages.length > 1 ? status : 200, { 'content-type': 'application/xml' })
    response.end(pages.length > 1 ? pages.shift() : pages[0])
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const outcome = await read({ endpoint: `http://127.0.0.1:${port}` }).finally(() => {
    server.close()
    server.closeAllConnections()
  })
  return { input: `page with status ${status}: ${shown(page)}`, ...outcome }
}

type ReadOutcome = Pick<Outcome, 'answer' | 'wrong'>

/** Reads a bucket to its end. Wrong are no end, and a failure that says nothing to users. */
async function read(options: Partial<BucketOptions>): Promise<ReadOutcome> {
  const signal = AbortSignal.timeout(deadlineMs)
  const opened = openS3({ type: 'OTHER', bucket: 'media', prefix: '', ...account, ...options }, { idleMs: 2_000 })
  const parts = ['']
  try {
    for (let pages = 0; parts.length > 0; pages++) {
      if (pages > maxPages) return { wrong: `the listing has more than ${maxPages} pages` }
      const { entries, rest } = await opened.page(parts.pop() ?? '', { idle: 2, signal })
      for (const { name, size } of entries)
        if (typeof name !== 'string' || Number.isNaN(size)) return { wrong: 'an entry is not one' }
      parts.push(...rest)
    }
    return { answer: 'read' }
  } catch (error) {
    if (signal.aborted) return { wrong: `no end after ${deadlineMs / 1_000} s` }
    if (isForUsers(error)) return { answer: 'refused' }
    return { wrong: `not a message for users: ${messageOf(error)}\n${(error as Error).stack}` }
  } finally {
    opened.close()
  }
}

/** Errors of the language or the system reach users, but say nothing to them. */
const isForUsers = (error: unknown): boolean =>
  error instanceof Error && !builtIn.includes(error.name) && !/^E[A-Z]{3,}\b/.test(error.message)
const builtIn = ['TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'AssertionError']
