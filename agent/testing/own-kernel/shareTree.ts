import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder that a server shares, which everybody may read; of it, `/shows` is scanned. */
export function shareTree(scratch: string): string {
  const folder = join(scratch, 'media')
  mkdirSync(join(folder, 'shows/first'), { recursive: true })
  for (let n = 0; n < 50; n++) writeFileSync(join(folder, 'shows/first', String(n)), 'x'.repeat(n * 100))
  writeFileSync(join(folder, 'above'), 'not scanned')
  for (const path of [scratch, folder]) chmodSync(path, 0o755)
  return folder
}
