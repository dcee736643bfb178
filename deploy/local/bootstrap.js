// Runs first on whatever Node the machine has (20 or newer), so it is plain JavaScript and imports nothing but Node:
// brings the dependencies of the lock file and, where the machine's own Node is too old, a newer one.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const checkout = join(import.meta.dirname, '../..')
const modules = join(checkout, 'node_modules')
const stamp = join(modules, '.installed-from')
const neededNode = 24
const broughtNode = '26.10.0'

const ownNode = Number(process.versions.node.split('.')[0])
if (ownNode < 20) fail(`DataIntell needs Node 20 or newer to begin with; this is ${process.version}.`)
installDependencies()
// Where the dependencies changed, the link that this very program was found by went with the old ones.
if (ownNode < neededNode || isBrought()) linkNode(bringNode())

function isBrought() {
  const tools = join(checkout, '.tools')
  return existsSync(tools) && process.execPath.startsWith(join(realpathSync(tools), '/'))
}

function installDependencies() {
  const lock = createHash('sha256')
    .update(readFileSync(join(checkout, 'package-lock.json')))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  say('Installing the dependencies (about 1,100 MB, a minute or two)')
  npm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(stamp, lock)
}

/** Returns the path of a Node that runs TypeScript; installs it below `.tools` where it is missing. */
function bringNode() {
  const name = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`
  const tools = join(checkout, '.tools', `node-${broughtNode}`)
  const binary = join(tools, 'node_modules', name, 'bin', 'node')
  if (existsSync(binary)) return binary
  say(`This machine has Node ${process.versions.node}; bringing Node ${broughtNode} for DataIntell alone (210 MB)`)
  mkdirSync(tools, { recursive: true })
  npm([
    'install',
    '--prefix',
    tools,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `${name}@${broughtNode}`,
  ])
  return binary
}

/** npm puts `node_modules/.bin` first on the PATH of what it runs next. */
function linkNode(binary) {
  const link = join(modules, '.bin', 'node')
  rmSync(link, { force: true })
  symlinkSync(binary, link)
}

function npm(words) {
  const started = Date.now()
  const ended = spawnSync('npm', words, { cwd: checkout, stdio: ['ignore', 'inherit', 'inherit'] })
  if (ended.status !== 0) fail(`npm ${words[0]} failed. Is the package registry reachable?`)
  say(`  done in ${Math.round((Date.now() - started) / 1000)} s`)
}

function say(words) {
  console.log(words)
}

function fail(words) {
  console.error(words)
  process.exit(1)
}
