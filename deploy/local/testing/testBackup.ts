import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { Dashboard, isRunning } from '#events/dashboard.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { type Product, runProgram } from '../testing.ts'
import { mustOf } from './calls.ts'

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
    return mustOf(at.product.call)(...input)
  }

  /** Runs a command of the product on a data folder, in the same way as npm. */
  const run = (command: 'backup' | 'restore' | 'replay', dataFolder: string, ...args: string[]) =>
    runProgram(command, args, { ...process.env, DATAINTELL_DATA: dataFolder, INIT_CWD: scratch })

  async function scanned(): Promise<void> {
    const open = async () => Dashboard.parse(await call('GET', '/v1/dashboard')).scans.filter(isRunning).length
    await expect.poll(open, { timeout: 90_000 }).toBe(0)
  }
  return { scratch, tree, data, fresh, folder, at, call, run, scanned }
}
