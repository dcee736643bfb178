import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readConfig } from '#server/config.ts'
import { type Server, serve } from '#server/serve.ts'
import { startLocalStores } from '#deploy/local/stores/index.ts'
import { fillOnce } from './fill.ts'

type Options = {
  /** A folder that is kept for reuse; without it, a temporary one. */
  data: string | undefined
  entries: number
  say: (message: string) => void
}

/**
 * Starts the product with its own stores, fills it unless it was filled before, and stops it after the work, or when
 * interrupted.
 */
export async function withFilledProduct(
  { data, entries, say }: Options,
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const config = { ...readConfig(), data: data ? resolve(data) : scratchFolder(), port: 0 }
  const stores = await startLocalStores(config, say)
  const server = await serve(config, stores)
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= server.stop().finally(stores.stop))
  process.once('SIGINT', () => void stop().finally(() => process.exit(1)))
  try {
    await fillOnce(server.platform, entries, say)
    await work(server)
  } catch (error) {
    if (!stopping) throw error
  } finally {
    await stop()
  }
}

function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-questions-'))
  // Postgres may run as another user, which must be able to enter its folder.
  chmodSync(folder, 0o711)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
