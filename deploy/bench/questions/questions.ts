import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig } from '#server/config.ts'
import { serve } from '#server/serve.ts'
import { startLocalStores } from '../../local/stores/index.ts'
import { fillOnce } from './fill/fill.ts'

/**
 * `npm run bench -- questions [--large] [--entries N] [--data FOLDER] [--fill]`: fills 10 million entries, or 100 with
 * `--large`, and asks them. A folder is kept and used again; `--fill` only fills it.
 */
const { values: given } = parseArgs({
  args: process.argv.slice(3),
  options: {
    large: { type: 'boolean', default: false },
    entries: { type: 'string' },
    data: { type: 'string' },
    fill: { type: 'boolean', default: false },
  },
})
const entries = Number(given.entries ?? (given.large ? 100_000_000 : 10_000_000))
const config = { ...readConfig(), data: given.data ? resolve(given.data) : scratchFolder(), port: 0 }
const say = (words: string) => console.log(words)

const stores = await startLocalStores(config, say)
const server = await serve(config, stores)
try {
  await fillOnce(server.platform, entries, say)
} finally {
  await server.stop()
  await stores.stop()
}
process.exit(0)

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-questions-'))
  // Postgres may run as a user of its own, which has to get to its folder.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.once('SIGINT', () => process.exit(1))
  return folder
}
