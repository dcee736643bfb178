import type { Platform } from '#server/platform/platform.ts'
import { sql } from '#server/platform/clickhouse/sql.ts'
import { optimizeTable } from '#server/platform/clickhouse/statements.ts'
import type { Server } from '#server/serve.ts'
import { commitSteps } from '#server/content/snapshots/commit/commitScan.ts'
import { dropReplacedGenerations } from '#server/content/snapshots/commit/leftovers.ts'
import { withVolumeLock } from '#server/content/snapshots/locks.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'
import * as proc from '../../kit/proc.ts'
import { endAll } from '../../kit/ends.ts'
import { openServer, scanStorage } from '../../kit/product.ts'
import { sum, timed } from '../../kit/samples.ts'

type Parts = Record<string, number>

/** Cost of one scan: seconds, bytes on disk, peak memory in bytes, and processor seconds by part. */
export type ScanCost = {
  seconds: number
  entries: number
  disk: number
  server: number
  agent: number
  parts: Parts
}

/** Tables with data from scans. */
const kept = ['entries', 'entry_history', 'volume_statistics', 'duplicate_groups', 'entry_tags']

/**
 * Serves on its own data folder, scans a tree once and then some times again, and prints the costs of the first and of the median one as JSON.
 * A separate process, so that its peak memory is that of a server.
 */
const [root = '', times = '1'] = process.argv.slice(2)
const server = await openServer(process.env['DATAINTELL_DATA'])
const volume = await createFileStorage(server.platform.db, { name: 'bench', path: root })
const first = await scan(server, volume)
const again: ScanCost[] = []
for (let i = 0; i < Number(times); i++) again.push(await scan(server, volume))
const ofServer = ({ parts: { agent = 0, ...parts } }: ScanCost) => sum(Object.values(parts))
const second = again.toSorted((a, b) => ofServer(a) - ofServer(b))[again.length >> 1]
console.log(JSON.stringify({ first, second }))
await endAll()
process.exit(0)

async function scan(server: Server, volume: number): Promise<ScanCost> {
  const { platform } = server
  const measure = measureParts(server)
  const { seconds, result } = await timed(() => scanStorage(platform.db, volume))
  // Until the commit has dropped its tables.
  await withVolumeLock(platform.db, volume, async () => {})
  const parts = measure()
  const memory = { server: proc.peakMemoryOf('self'), agent: proc.peakMemoryOf(server.agentPid()) }
  await dropReplacedGenerations(platform, 0)
  return { seconds, entries: result.files + result.folders, disk: await bytesOnDisk(platform), parts, ...memory }
}

/**
 * Measures the processor seconds of the parts of a scan until the returned function is called. While a block is
 * inserted, all work of this process counts as storing.
 */
function measureParts({ platform: { clickhouse }, agentPid }: Server): () => Parts {
  const parts: Parts = {}
  let before = process.cpuUsage()
  const ended = (part: string) => {
    const { user, system } = process.cpuUsage(before)
    before = process.cpuUsage()
    parts[part] = (parts[part] ?? 0) + (user + system) / 1e6
  }
  const { insertBlock } = clickhouse
  let inserting = 0
  clickhouse.insertBlock = async (block) => {
    if (inserting++ === 0) ended('receiving')
    await insertBlock(block).finally(() => --inserting === 0 && ended('storing'))
  }
  const stepped = () => ended('commit')
  commitSteps.subscribe(stepped)
  const agentSeconds = () => proc.secondsOf(agentPid() ?? 0)
  const ofAgent = agentSeconds()
  return () => {
    ended('the rest of the server')
    clickhouse.insertBlock = insertBlock
    commitSteps.unsubscribe(stepped)
    return { agent: agentSeconds() - ofAgent, ...parts }
  }
}

/** Bytes of the scan data, after the engine has merged its parts. */
async function bytesOnDisk({ clickhouse }: Platform): Promise<number> {
  for (const table of kept) await clickhouse.command(optimizeTable(table, sql`FINAL`))
  const { bytes } = await clickhouse.one<{ bytes: number }>(sql`
    SELECT toFloat64(sum(bytes_on_disk)) AS bytes FROM system.parts
    WHERE active AND database = currentDatabase() AND table IN ${kept}`)
  return bytes
}
