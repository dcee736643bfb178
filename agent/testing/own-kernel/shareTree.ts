import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Numbers of files in the folders of `/many`: none, a block of names, several listings. */
const sizes = [0, 1, 63, 64, 65, 1_500]
/** Names that differ only in case or in the form of a character, and a long one, which both kinds of servers keep. */
const oddNames = ['A', 'a', 'é', 'e\u0301', ' blank', '文件 😀', '-rf', 'x'.repeat(240)]

/** Creates a shared folder that everyone can read. Scans read `/shows` in it, and walks `/many`. */
export function shareTree(scratch: string): string {
  const folder = join(scratch, 'media')
  mkdirSync(join(folder, 'shows/first'), { recursive: true })
  for (let n = 0; n < 50; n++) writeFileSync(join(folder, 'shows/first', String(n)), 'x'.repeat(n * 100))
  writeFileSync(join(folder, 'above'), 'not scanned')
  for (const size of sizes) {
    const below = join(folder, 'many', `of ${size}`)
    mkdirSync(join(below, 'a/b/c/d'), { recursive: true })
    for (let n = 0; n < size; n++) writeFileSync(join(below, `${'long name '.repeat(6)}${n}`), 'x'.repeat(n % 9))
    writeFileSync(join(below, 'a/b/c/d/bottom'), 'deep')
  }
  mkdirSync(join(folder, 'many/odd'))
  for (const name of oddNames) writeFileSync(join(folder, 'many/odd', name), name)
  symlinkSync('A', join(folder, 'many/odd/link'))
  for (let n = 0; n < 200; n++) mkdirSync(join(folder, `many/wide/${n}`), { recursive: true })
  for (const path of [scratch, folder]) chmodSync(path, 0o755)
  return folder
}
