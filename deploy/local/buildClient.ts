import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '../..')
const built = join(checkout, 'client/dist/.built-from')

/** Builds the client if its sources have changed since the last build. Returns true if it was built. */
export async function buildClient(say: (message: string) => void): Promise<boolean> {
  const sources = hashOfSources()
  if (existsSync(built) && readFileSync(built, 'utf8') === sources) return false
  say('Building the client')
  await vite()
  writeFileSync(built, sources)
  return true
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const patterns = ['client/**/*.{ts,tsx,css,html,svg,js}', 'events/**/*.ts', 'vite.config.ts', 'package-lock.json']
  const files = globSync(patterns, { cwd: checkout, exclude: ['client/dist/**'] }).sort()
  for (const file of files) hash.update(file).update(readFileSync(join(checkout, file)))
  return hash.digest('hex')
}

const vite = () =>
  new Promise<void>((resolve, reject) => {
    const program = join(checkout, 'node_modules/vite/bin/vite.js')
    const args = ['build', '--logLevel', 'error']
    const child = spawn(process.execPath, [program, ...args], {
      cwd: checkout,
      stdio: ['ignore', 'ignore', 'inherit'],
      // Tests set another value, with which React would include its development code.
      env: { ...process.env, NODE_ENV: 'production' },
    })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('The client could not be built'))))
  })
