import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const checkout = join(import.meta.dirname, '../..')

/** Files that are generated from the declared calls: the program that writes one, and its sources besides the contract. */
const derived = [
  { file: 'server/platform/api-docs/openapi.json', program: 'deploy/openapi/write.ts', sources: [] },
  {
    file: 'server/platform/cli/dataintell',
    program: 'deploy/cli/package.ts',
    sources: ['deploy/cli/**/*.ts', 'package.json'],
  },
]
const contract = ['events/**/*.ts', 'deploy/openapi/**/*.ts', 'package-lock.json']

/** Generates the OpenAPI document and the command line if their sources have changed since the last time. */
export function buildDerived(): void {
  for (const { file, program, sources } of derived) {
    // The container image has the files without their generators.
    if (!existsSync(join(checkout, program))) continue
    const target = join(checkout, file)
    /** Names the sources of the file. */
    const stamp = join(dirname(target), '.built-from')
    const hash = hashOf([...contract, ...sources])
    if (existsSync(target) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue
    execFileSync(process.execPath, [join(checkout, program), target], { stdio: ['ignore', 'ignore', 'inherit'] })
    writeFileSync(stamp, hash)
  }
}

function hashOf(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of globSync(patterns, { cwd: checkout, exclude: ['**/*.test.ts'] }).sort())
    hash.update(file).update(readFileSync(join(checkout, file)))
  return hash.digest('hex')
}
