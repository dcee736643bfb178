import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Creates a shared folder that everyone can read. Scans read `/shows` in it. */
export function shareTree(scratch: string): string {
  const folder = join(scratch, 'media')
  mkdirSync(join(folder, 'shows/first'), { recursive: true })
  for (let n = 0; n < 50; n++) writeFileSync(join(folder, 'shows/first', String(n)), 'x'.repeat(n * 100))
  writeFileSync(join(folder, 'above'), 'not scanned')
  for (const path of [scratch, folder]) chmodSync(path, 0o755)
  return folder
}
