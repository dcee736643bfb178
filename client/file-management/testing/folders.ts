import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameFromBytes } from '#events/contract/fileNames.ts'

/** Names that are difficult to display, copy or put in a URL. */
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

export const reels = 40
export const frames = 150

/** A storage with nested and empty folders, odd names, and a folder of many folders; its last folder has many files. */
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
  const odd = folder('odd')
  for (const name of oddNames) writeFileSync(join(odd, name), name)
  writeFileSync(Buffer.concat([Buffer.from(`${odd}/`), notUtf8]), 'not UTF-8')
  writeFileSync(join(folder('odd', oddFolder), 'inside.txt'), 'inside')
  for (let reel = 10; reel < 10 + reels; reel++) folder('projects', 'reels', `reel ${reel}`)
  for (let frame = 0; frame < frames; frame++)
    writeFileSync(join(root, 'projects', 'reels', 'reel 49', `frame ${frame}`), '')
}
