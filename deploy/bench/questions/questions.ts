import { parseArgs } from 'node:util'
import type { Platform } from '#server/platform/platform.ts'
import type { Server } from '#server/serve.ts'
import { measureAlone } from './alone.ts'
import { type Asker, startAsker } from './asker.ts'
import { withFilledProduct } from './fill/filledProduct.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { measureLoad } from './load.ts'
import { aloneHead, reportAlone, reportLoad, reportStatements } from './report.ts'
import { withScanBeside } from './scanBeside.ts'
import { signedIn } from './signedIn.ts'
import { findTargets } from './targets.ts'

/**
 * `npm run bench -- questions [--large]` fills 10 million entries, or 100, asks each kind of question alone and then by
 * eight clients beside a scan, and prints the times beside the engine's own and the aims.
 *
 * `--data FOLDER` keeps the filled folder and uses it again, `--fill` only fills, `--entries N` fills so many; `--only TEXT`
 * asks only kinds with that in their name, alone, `--together` only the eight clients; `--each` shows each way to ask, `--statements` what the engine is asked.
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
const say = (words: string) => console.log(words)

await withFilledProduct({ data: given.data, entries, say }, async (server) => {
  if (!given.fill) await askAll(server)
})
process.exit(0)

async function askAll({ platform, address }: Server): Promise<void> {
  const asker = startAsker(address, await signedIn(platform.db))
  const kinds = kindsOf(await findTargets(platform))
  if (!given.together) await askAlone(kinds, asker, platform)
  if (given.only === undefined) await askTogether(kinds, asker, platform)
  await asker.stop()
}

async function askAlone(kinds: Kind[], asker: Asker, { clickhouse }: Platform): Promise<void> {
  say(aloneHead)
  for (const kind of kinds.filter(({ name }) => name.includes(given.only ?? ''))) {
    const times = await measureAlone(kind, asker, clickhouse)
    reportAlone(say, times, { large: given.large, each: given.each })
    if (given.statements) reportStatements(say, times)
  }
}

async function askTogether(kinds: Kind[], asker: Asker, platform: Platform): Promise<void> {
  const { answer, scans } = await withScanBeside(platform, () => measureLoad(kinds, asker, platform.clickhouse))
  reportLoad(say, answer, scans)
}
