import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { installPackage } from '#deploy/setup/installPackage.js'
import { scratchFolder } from '../../kit/ends.ts'
import { agentMemory, openProduct, type Running, runJob } from '../../kit/product.ts'
import { medianOfThree, timed } from '../../kit/samples.ts'
import { defineTool } from '../../kit/tool.ts'
import { account, bucket, startSystem } from './simulated.ts'

/**
 * `npm run bench -- objects [KEYS]`: lists a bucket in a store on the loopback interface with rclone and with the agent, and scans
 * it with the whole product into a committed snapshot, each as a ratio to rclone. The store's processor share shows that it is not the
 * bottleneck. Linux only.
 */
export const tool = defineTool({
  options: { keys: 1_000_000 },
  positional: 'keys',
  async run({ keys }) {
    const scratch = scratchFolder()
    const store = await startSystem('store', keys)
    const url = store.facts['url'] ?? ''
    console.log(`${keys} keys in one bucket`)
    const measured = async (...work: Parameters<typeof store.measure>) => (await store.measure(...work)).seconds
    const rclone = await measured('rclone lsf -R', () => medianOfThree(() => listWithRclone(url, scratch)))
    const listing = await measured('listing', () => medianOfThree(() => listWithAgent(url)))
    const running = await openProduct(join(scratch, 'data'))
    const id = await addBucket(running, url)
    const scan = () => runJob(running.must, '/v1/scans/buckets/ids?cloneIndex=true', [id])
    const committed = await measured('scan to committed snapshot', async () => (await timed(scan)).seconds)
    console.log(`keys per second, listing   ${Math.round(keys / listing)}`)
    console.log(`keys per second, committed ${Math.round(keys / committed)}`)
    console.log(`peak memory, agent         ${agentMemory(running.product)}`)
    const [listed, scanned] = [listing / rclone, committed / rclone].map((ratio) => ratio.toFixed(2))
    console.log(`listing / rclone ${listed} (target 0.4), committed / rclone ${scanned} (target 0.8)`)
    await store.end()
  },
})

function listWithRclone(url: string, scratch: string): Promise<number> {
  const isThere = () => spawnSync('rclone', ['version']).status === 0
  if (!isThere()) installPackage('to compare with (15 MB to download)', 'rclone')
  if (!isThere()) throw new Error('No rclone was found: install the package rclone')
  const args = ['lsf', '-R', '--fast-list', '--s3-list-version', '2', '--format', 'p', `:s3:${bucket}`]
  // Ignores this machine's own S3 settings.
  const env = {
    PATH: process.env['PATH'],
    RCLONE_CONFIG: join(scratch, 'rclone.conf'),
    RCLONE_S3_PROVIDER: 'Other',
    RCLONE_S3_ENDPOINT: url,
    RCLONE_S3_ACCESS_KEY_ID: account.accessKey,
    RCLONE_S3_SECRET_ACCESS_KEY: account.secretKey,
  }
  return timed(() => spawnSync('rclone', args, { env, stdio: ['ignore', 'ignore', 'pipe'] })).then(
    ({ seconds, result }) => {
      if (result.status !== 0) throw new Error(`rclone ended with ${result.status}: ${result.stderr}`)
      return seconds
    },
  )
}

const listWithAgent = (url: string): number =>
  Number(execFileSync(process.execPath, [join(import.meta.dirname, 'listing.ts'), url], { encoding: 'utf8' }))

async function addBucket({ product, made }: Running, url: string): Promise<number> {
  const keys = { accessKey: account.accessKey, privateKey: account.secretKey, url }
  const awsCredentialsId = await made('/v1/bucket-credentials', { name: 'Bench', type: 'OTHER', ...keys })
  const storagePrice = await product.freeBook()
  return made('/v1/buckets', { name: bucket, description: 'Bench', type: 'OTHER', awsCredentialsId, storagePrice })
}
