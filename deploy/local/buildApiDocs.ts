import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '../..')
const program = join(checkout, 'deploy/openapi/write.ts')
const document = join(checkout, 'server/platform/api-docs/openapi.json')
/** Names the sources of the document. */
const sourcesFile = join(checkout, 'server/platform/api-docs/.built-from')

/** Generates `server/platform/api-docs/openapi.json` if its sources have changed since the last time. */
export function buildApiDocs(): void {
  // The container image has the document without its generator.
  if (!existsSync(program)) return
  const sources = hashOfSources()
  if (existsSync(document) && existsSync(sourcesFile) && readFileSync(sourcesFile, 'utf8') === sources) return
  execFileSync(process.execPath, [program, document], { stdio: ['ignore', 'ignore', 'inherit'] })
  writeFileSync(sourcesFile, sources)
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const patterns = ['events/**/*.ts', 'deploy/openapi/**/*.ts', 'package-lock.json']
  for (const file of globSync(patterns, { cwd: checkout, exclude: ['**/*.test.ts'] }).sort())
    hash.update(file).update(readFileSync(join(checkout, file)))
  return hash.digest('hex')
}
