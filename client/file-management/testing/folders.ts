import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameFromBytes } from '#events/scans/names.ts'

export const manyFiles = 1_200
export const crowd = 100_000

/** Names that are not easily shown, copied or put into an address. */
export const oddNames = [
  'quotes "double" \'single\'.txt',
  'two\nlines.txt',
  '\u0645\u0631\u062d\u0628\u0627 \u202e reversed.mov',
  '100%25 of a+b&c=d#e?f.txt',
  '  spaces  .txt',
]
const notUtf8 = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0xff, 0x2e, 0x74, 0x78, 0x74])
export const notUtf8Name = nameFromBytes(notUtf8)
export const oddFolder = '50%25 "of" \u202eall'

/** A storage with nested, hidden and empty folders, odd names, and folders of thousands of files. */
export function makeFolders(root: string): void {
  const folder = (...names: string[]) => {
    const path = join(root, ...names)
    mkdirSync(path, { recursive: true })
    return path
  }
  writeFileSync(join(folder('projects', 'alpha', 'shots'), 'shot.mov'), 'x'.repeat(60_000))
  writeFileSync(join(folder('projects', 'alpha'), 'notes.txt'), 'notes')
  writeFileSync(join(folder('projects', 'beta'), 'beta.mov'), 'y'.repeat(30_000))
  folder('projects', 'nothing')
  writeFileSync(join(folder('.hidden'), 'secret.txt'), 'secret')
  const odd = folder('odd')
  for (const name of oddNames) writeFileSync(join(odd, name), name)
  writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), notUtf8]), 'not UTF-8')
  writeFileSync(join(folder('odd', oddFolder), 'inside.txt'), 'inside')
  const many = folder('many')
  for (let index = 0; index < manyFiles; index++)
    writeFileSync(join(many, `frame_${String(index).padStart(4, '0')}.dpx`), '.'.repeat(2_000 - index))
  const crowded = folder('crowd')
  for (let index = 0; index < crowd; index++) closeSync(openSync(join(crowded, `${index}`), 'w'))
}
