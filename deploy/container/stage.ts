import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buildClient } from '../local/buildClient.ts'
import { imageFiles } from './imageFiles.ts'

/**
 * `node deploy/container/stage.ts FOLDER`: builds the client and copies the files of the images to FOLDER/server and
 * FOLDER/embedded, see `imageFiles`. The Containerfile runs it.
 */
const folder = resolve(process.argv[2] ?? '')
await buildClient(console.log)
for (const [part, files] of Object.entries(imageFiles()))
  for (const file of files)
    cpSync(join(import.meta.dirname, '../..', file), join(folder, part, file), { verbatimSymlinks: true })
