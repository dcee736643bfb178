import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import type { Platform } from '#server/platform/platform.ts'
import { type Server, serve } from '#server/serve.ts'
import { startLocalStores } from '../../local/stores/index.ts'
import { measureAlone } from './alone.ts'
import { type Asker, startAsker } from './asker.ts'
import { fillOnce } from './fill/fill.ts'
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
const config = { ...readConfig(), data: given.data ? resolve(given.data) : scratchFolder(), port: 0 }
const say = (words: string) => console.log(words)

const stores = await startLocalStores(config, say)
const server = await serve(config, stores)
let stopping: Promise<void> | undefined
const stop = () => (stopping ??= server.stop().finally(stores.stop))
process.once('SIGINT', () => void stop().finally(() => process.exit(1)))
try {
  await fillOnce(server.platform, entries, say)
  if (!given.fill) await askAll(server)
} catch (error) {
  if (!stopping) throw error
} finally {
  await stop()
}
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

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-questions-'))
  // Postgres may run as a user of its own, which has to get to its folder.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
