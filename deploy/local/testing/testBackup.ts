import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect } from 'vitest'
import { Dashboard, isRunning } from '#events/dashboard.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import type { Product } from '../testing.ts'

/** Folders for a backup and its restore, commands on them, and calls of the product that a test sets as `at.product`. */
export function testBackup() {
  const scratch = testFolder('backup')
  const tree = join(scratch, 'tree')
  const [data, fresh] = [join(scratch, 'data'), join(scratch, 'fresh')]
  const folder = join(scratch, 'a backup')
  const at: { product?: Product } = {}
  afterAll(() => at.product?.stop())

  const call = async (...input: Parameters<Product['call']>) => {
    if (!at.product) throw new Error('No product runs')
    const { status, answer } = await at.product.call(...input)
    if (status >= 400) throw new Error(`${input.join(' ')}: ${status} ${JSON.stringify(answer)}`)
    return answer
  }

  /** Runs a command of the product on a data folder, in the same way as npm. */
  async function run(command: 'backup' | 'restore' | 'replay', dataFolder: string, ...args: string[]) {
    const env = { ...process.env, DATAINTELL_DATA: dataFolder, INIT_CWD: scratch }
    const child = spawn(process.execPath, [join(import.meta.dirname, `../${command}.ts`), ...args], { env })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code: code as number, printed: stdout + stderr }
  }

  async function scanned(): Promise<void> {
    const open = async () => Dashboard.parse(await call('GET', '/v1/dashboard')).scans.filter(isRunning).length
    await expect.poll(open, { timeout: 90_000 }).toBe(0)
  }
  return { scratch, tree, data, fresh, folder, at, call, run, scanned }
}
