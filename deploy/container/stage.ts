import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { buildDerived } from '../local/buildDerived.ts'
import { buildClient } from '../local/buildClient.ts'
import { imageFiles } from './imageFiles.ts'

/**
 * `node deploy/container/stage.ts FOLDER`: builds the client and copies the files of the images to FOLDER/server and
 * FOLDER/embedded, see `imageFiles`. The Containerfile runs it. Fonts that the client also has become links to those.
 */
const checkout = join(import.meta.dirname, '../..')
const folder = resolve(process.argv[2] ?? '')
await buildClient(console.log)
buildDerived()
const { server, embedded } = imageFiles()
const fonts = server.filter((file) => file.endsWith('.woff2'))
const ofClient = new Map(fonts.filter((file) => file.startsWith('client/')).map((file) => [hashOf(file), file]))
for (const file of server) {
  const twin = file.startsWith('node_modules/') && fonts.includes(file) ? ofClient.get(hashOf(file)) : undefined
  const target = join(folder, 'server', file)
  if (twin === undefined) copy(file, target)
  else link(join(folder, 'server', twin), target)
}
for (const file of embedded) copy(file, join(folder, 'embedded', file))

function copy(file: string, to: string): void {
  cpSync(join(checkout, file), to, { verbatimSymlinks: true })
}

function link(to: string, from: string): void {
  mkdirSync(dirname(from), { recursive: true })
  symlinkSync(relative(dirname(from), to), from)
}

function hashOf(file: string): string {
  return createHash('sha256')
    .update(readFileSync(join(checkout, file)))
    .digest('hex')
}
