import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readBackup, UnfitBackup } from '#server/upkeep/backups/index.ts'
import { runCommand } from '../product.ts'
import { damaged } from './mutate.ts'
import type { Fuzzer, Target } from './target.ts'

/** Copies of a backup with one file damaged, missing or empty: each is refused, by name. */
export async function backupFolders({ data, folder }: Target): Promise<Fuzzer> {
  const whole = join(folder, 'backup')
  const config = { data, secretKey: undefined }
  const { code, printed } = await runCommand('backup', data, whole)
  if (code !== 0) throw new Error(`No backup could be written: ${printed}`)
  await readBackup(whole, config, () => {})
  const files = globSync('**/*', { cwd: whole }).filter((path) => statSync(join(whole, path)).isFile())
  return {
    async send(random) {
      const copy = mkdtempSync(join(folder, 'damaged-'))
      cpSync(whole, copy, { recursive: true })
      const file = join(copy, random.pick(files.toSorted()))
      const before = readFileSync(file)
      const after = random.chance(0.1) ? undefined : damaged(random, before)
      if (after === undefined) rmSync(file)
      else writeFileSync(file, after)
      const input = `backup: ${relative(copy, file)} ${after === undefined ? 'missing' : after.toString('base64').slice(0, 2_000)}`
      const isSame = after?.equals(before) === true
      const wrong = await readBackup(copy, config, () => {}).then(
        () => (isSame || isSameJson(before, after) ? undefined : 'the damaged backup was accepted'),
        (error: unknown) => (error instanceof UnfitBackup ? undefined : `not a message for users: ${String(error)}`),
      )
      rmSync(copy, { recursive: true, force: true })
      return { input, wrong }
    },
  }
}

/** True if only the white space of the manifest has changed. */
function isSameJson(before: Buffer, after: Buffer | undefined): boolean {
  try {
    return JSON.stringify(JSON.parse(before.toString())) === JSON.stringify(JSON.parse(after?.toString() ?? ''))
  } catch {
    return false
  }
}
