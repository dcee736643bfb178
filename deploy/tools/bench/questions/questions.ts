import { parseArgs } from 'node:util'
import type { Platform } from '#server/platform/platform.ts'
import type { Server } from '#server/serve.ts'
import { measureAlone } from './alone.ts'
import { type QueryClient, startClient } from './queryClient.ts'
import { withFilledProduct } from './fill/filledProduct.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { measureLoad } from './load.ts'
import { aloneHead, reportAlone, reportLoad, reportStatements } from './report.ts'
import { withConcurrentScan } from './concurrentScan.ts'
import { signedIn } from './signedIn.ts'
import { findTargets } from './targets.ts'

/**
 * `npm run bench -- questions [--large]`: fills 10 (100) million entries, measures each kind of query alone and then
 * with eight clients during a scan, and prints the times with the engine's own times and the targets.
 * `--data FOLDER` keeps the filled folder for reuse, `--fill` only fills, `--entries N` sets the number of entries;
 * `--only TEXT` measures only kinds with that text in their name, alone, `--together` only the eight clients; `--each`
 * prints each variant, `--statements` the statements for the engine.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: {
    large: { type: 'boolean', default: false },
    entries: { type: 'string' },
    data: { type: 'string' },
    fill: { type: 'boolean', default: false },
    only: { type: 'string' },
    together: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
  },
})
const entries = Number(given.entries ?? (given.large ? 100_000_000 : 10_000_000))
const say = (message: string) => console.log(message)

await withFilledProduct({ data: given.data, entries, say }, async (server) => {
  if (!given.fill) await measureAll(server)
})
process.exit(0)

async function measureAll({ platform, address }: Server): Promise<void> {
  const client = startClient(address, await signedIn(platform.db))
  const kinds = kindsOf(await findTargets(platform))
  if (!given.together) await measureEachAlone(kinds, client, platform)
  if (given.only === undefined) await measureTogether(kinds, client, platform)
  await client.stop()
}

async function measureEachAlone(kinds: Kind[], client: QueryClient, { clickhouse }: Platform): Promise<void> {
  say(aloneHead)
  for (const kind of kinds.filter(({ name }) => name.includes(given.only ?? ''))) {
    const times = await measureAlone(kind, client, clickhouse)
    reportAlone(say, times, { large: given.large, each: given.each })
    if (given.statements) reportStatements(say, times)
  }
}

async function measureTogether(kinds: Kind[], client: QueryClient, platform: Platform): Promise<void> {
  const { answer, scans } = await withConcurrentScan(platform, () => measureLoad(kinds, client, platform.clickhouse))
  reportLoad(say, answer, scans)
}
