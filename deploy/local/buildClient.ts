import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '../..')
const client = join(checkout, 'client/dist')
/** Names the sources of a build, in its folder. */
const sourcesFile = '.built-from'

/**
 * Builds the client if its sources have changed since the last build. Returns true if it was built. A server keeps serving the old one until
 * the new one is complete.
 */
export async function buildClient(say: (message: string) => void): Promise<boolean> {
  // The container image has the built client without its sources.
  if (!existsSync(join(checkout, 'client/index.html'))) return false
  const sources = hashOfSources()
  const built = join(client, sourcesFile)
  if (existsSync(built) && readFileSync(built, 'utf8') === sources) return false
  say('Building the client')
  const next = join(checkout, `.tools/client-${process.pid}`)
  await vite(next)
  writeFileSync(join(next, sourcesFile), sources)
  replace(client, next)
  return true
}

/** Puts a folder in the place of another, which may not exist. */
function replace(folder: string, next: string): void {
  const last = `${next}-last`
  if (existsSync(folder)) renameSync(folder, last)
  renameSync(next, folder)
  rmSync(last, { recursive: true, force: true })
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const patterns = ['client/**/*.{ts,tsx,css,html,svg,js}', 'events/**/*.ts', 'vite.config.ts', 'package-lock.json']
  const files = globSync(patterns, {
    cwd: checkout,
    exclude: ['client/dist/**', '**/*.test.{ts,tsx}', 'client/testing/**'],
  }).sort()
  for (const file of files) hash.update(file).update(readFileSync(join(checkout, file)))
  return hash.digest('hex')
}

const vite = (outDir: string) =>
  new Promise<void>((resolve, reject) => {
    const program = join(checkout, 'node_modules/vite/bin/vite.js')
    const args = ['build', '--logLevel', 'error', '--outDir', outDir]
    const child = spawn(process.execPath, [program, ...args], {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'inherit'],
      // Tests set another value, with which React would include its development code.
      env: { ...process.env, NODE_ENV: 'production' },
    })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('The client could not be built'))))
  })
