import type { Platform } from '#server/platform/platform.ts'
import { atEnd } from '../../kit/ends.ts'
import { openServer, openSessions } from '../../kit/product.ts'
import { defineTool } from '../../kit/tool.ts'
import { measureAlone } from './alone.ts'
import { withConcurrentScan } from './concurrentScan.ts'
import { fillOnce } from './fill/fill.ts'
import { measureLimited } from './limited.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { measureLoad } from './load.ts'
import { type QueryClient, startClient } from './queryClient.ts'
import { printAlone, printAloneHead, printLoad, printStatements } from './report.ts'
import { findTargets } from './targets.ts'

/** Options of benchmarks of filled products. Without `entries` there are 10 million, or 100 million with `large`. */
export const fillOptions = { large: false, entries: 0, data: '' }

/** Starts the product and a client, and fills the product unless it was filled before. */
export async function openFilled({ large, entries, data }: typeof fillOptions) {
  const { platform, address } = await openServer(data === '' ? undefined : data, console.log)
  await fillOnce(platform, entries || (large ? 100_000_000 : 10_000_000), console.log)
  const [cookie = ''] = await openSessions(platform.db, 1)
  const client = startClient(address, cookie)
  atEnd(async () => void (await client.stop()))
  return { platform, client, address }
}

/** Measures kinds of queries one after another, and prints their times. */
export async function measureKinds(
  kinds: Kind[],
  client: QueryClient,
  { clickhouse }: Platform,
  given: { large: boolean; each: boolean; statements?: boolean },
): Promise<void> {
  printAloneHead()
  for (const kind of kinds) {
    const times = await measureAlone(kind, client, clickhouse)
    printAlone(times, given)
    if (given.statements) printStatements(times)
  }
}

/**
 * `npm run bench -- questions [--large]`: fills 10 (100) million entries, measures each kind of query alone and then
 * with eight clients during a scan, and prints the times with the engine's own times and the targets.
 * `--data FOLDER` keeps the filled folder for reuse, `--fill` only fills, `--entries N` sets the number of entries;
 * `--only TEXT` measures only kinds with that text in their name, alone, `--together` only the eight clients, `--limited` only users with
 * limits; `--each` prints each variant, `--statements` the statements for the engine.
 */
export const tool = defineTool({
  options: { ...fillOptions, fill: false, only: '', together: false, limited: false, each: false, statements: false },
  async run(given) {
    const { platform, client, address } = await openFilled(given)
    if (given.fill) return
    if (given.limited) return measureLimited(platform, address, client)
    const kinds = kindsOf(await findTargets(platform))
    const chosen = kinds.filter(({ name }) => name.includes(given.only))
    if (!given.together) await measureKinds(chosen, client, platform, given)
    if (given.only !== '') return
    const { clickhouse } = platform
    const { answer, scans } = await withConcurrentScan(platform, () => measureLoad(kinds, client, clickhouse))
    printLoad(answer, scans)
  },
})
