import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Tool, toolsFolder } from '../tool.ts'

const packageFolder = import.meta.dirname
const lockFile = readFileSync(join(packageFolder, 'package-lock.json'))
const folder = join(toolsFolder, `azurite-${createHash('sha256').update(lockFile).digest('hex').slice(0, 12)}`)
const program = join(folder, 'node_modules/azurite/dist/src/blob/main.js')

/** Microsoft's emulator of Azure Blob Storage. Few tests use it and it is large, so it isn't a dependency of development. */
export const azurite: Tool = {
  name: 'Azurite',
  find: () => (existsSync(program) ? program : undefined),
  install,
  help: 'Azurite could not be installed: is the package registry reachable?',
}

/** Installs next to the final place and moves it there, so that an interrupted install leaves nothing that is found. */
function install(lock: number): void {
  console.log('Installing Azurite for the tests of Azure (40 MB to download)')
  const making = `${folder}.making`
  rmSync(making, { recursive: true, force: true })
  mkdirSync(making, { recursive: true })
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(packageFolder, file), join(making, file))
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', args, { cwd: making, stdio: ['ignore', 'ignore', 'inherit', lock] })
  renameSync(making, folder)
}
