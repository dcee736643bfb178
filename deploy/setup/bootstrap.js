// Runs first, on the machine's own Node 20 or newer, before anything is installed. So it is plain JavaScript and imports only Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { installLibraries, librariesOfNode, missingLibraries } from './libraries.js'
import { withLock } from './lock.js'
import { newNode, nodePackage, writeNodeManifest } from './nodeRelease.js'

/**
 * `node bootstrap.js [--dev]` installs the dependencies, with `--dev` also those of tests and checks, and a newer Node where
 * the machine's own is too old. Does nothing if all is there.
 */
const withDev = process.argv.includes('--dev')

const checkout = join(import.meta.dirname, '../..')
const modules = join(checkout, 'node_modules')
const stampFile = join(modules, '.installed-from')
const nodeLink = join(modules, '.bin/node')
const neededNode = 24
const nodeFolder = join(checkout, '.tools', `node-${newNode}`)
const nodeBinary = join(nodeFolder, 'node_modules', nodePackage?.name ?? '', 'bin/node')

const ownNode = Number(process.versions.node.split('.')[0])
if (ownNode < 20) fail(`DataIntell needs Node 20 or newer to start with; this is ${process.version}.`)
const needsNewNode = ownNode < neededNode || isNewNode()
try {
  if (!isInstalled()) {
    const onWait = () => console.log('Waiting for another process that installs the dependencies')
    withLock(join(checkout, '.tools/bootstrap.lock'), onWait, install)
  }
} catch (error) {
  fail(error instanceof Error ? error.message : String(error))
}
if (withDev) installHooks()

/** Lets git check the subjects of commits, unless the checkout has hooks of its own, or is not one of git. */
function installHooks() {
  if (!existsSync(join(checkout, '.git'))) return
  /** @param {string[]} args */
  const git = (...args) => spawnSync('git', args, { cwd: checkout, encoding: 'utf8' })
  if (git('config', 'core.hooksPath').status === 1) git('config', 'core.hooksPath', 'deploy/check/hooks')
}

/** The Node that runs this may be the installed one, whose link then has to stay. */
function isNewNode() {
  return existsSync(nodeFolder) && process.execPath.startsWith(join(realpathSync(nodeFolder), '/'))
}

function isInstalled() {
  return hasDependencies() && (!needsNewNode || (existsSync(nodeBinary) && isLinked()))
}

/** @param {number} lock descriptor that npm inherits: it outlives a bootstrap that is killed */
function install(lock) {
  // First, because a download of minutes would be in vain without them.
  if (needsNewNode) installLibraries(`Node ${newNode}`, librariesOfNode)
  if (needsNewNode && !existsSync(nodeBinary)) installNode(lock)
  if (!hasDependencies()) installDependencies(lock)
  if (needsNewNode && !isLinked()) linkNode()
}

/** @param {number} lock */
function installNode(lock) {
  if (!nodePackage)
    throw new Error(`DataIntell needs Node ${neededNode} or newer; this is ${process.version}. Install a newer one.`)
  const why = `this machine has ${process.versions.node} and ${neededNode} is needed`
  console.log(`Installing Node ${newNode} for DataIntell only, as ${why} (60 MB to download, 210 MB on disk)`)
  const making = `${nodeFolder}.making`
  rmSync(making, { recursive: true, force: true })
  writeNodeManifest(making, nodePackage)
  npm(['ci', '--prefix', making], lock)
  rmSync(nodeFolder, { recursive: true, force: true })
  renameSync(making, nodeFolder)
}

/** Lock file that the dependencies were installed from, and whether those of development are among them. */
function readStamp() {
  const [lockHash = '', extent] = existsSync(stampFile) ? readFileSync(stampFile, 'utf8').split(' ') : []
  return { lockHash, hasDev: lockHash !== '' && extent !== 'production' }
}

function hasDependencies() {
  const { lockHash, hasDev } = readStamp()
  return lockHash === hashOfLockFile() && (hasDev || !withDev)
}

function hashOfLockFile() {
  const content = readFileSync(join(checkout, 'package-lock.json'))
  return createHash('sha256').update(content).digest('hex')
}

/**
 * Installs from scratch if nothing was completely installed before. Otherwise changes only what differs: that is quicker, and
 * `npm ci` would remove everything while a product may be running. Dependencies of development are kept.
 * @param {number} lock
 */
function installDependencies(lock) {
  const { lockHash, hasDev } = readStamp()
  const wanted = hashOfLockFile()
  const all = withDev || hasDev
  const extent = all ? '--include=dev' : '--omit=dev'
  console.log(announcement(lockHash, wanted, all))
  if (lockHash === '') npm(['ci', extent], lock)
  else {
    rmSync(stampFile)
    npm(['install', extent, '--no-save'], lock)
  }
  installLibraries('An installed package', nativePackages().flatMap(missingLibraries))
  writeStamp(all ? wanted : `${wanted} production`)
}

/**
 * @param {string} lockHash
 * @param {string} wanted
 * @param {boolean} all
 */
function announcement(lockHash, wanted, all) {
  if (lockHash === wanted) return 'Adding the dependencies of tests and checks (80 MB to download, 130 MB on disk)'
  if (lockHash !== '') return 'Updating the dependencies'
  const sizes = all ? '400 MB to download, 1,200 MB on disk' : '350 MB to download, 1,100 MB on disk'
  return `Installing the dependencies, half of which is ClickHouse (${sizes})`
}

/** @param {string} content */
function writeStamp(content) {
  writeFileSync(`${stampFile}.new`, content)
  renameSync(`${stampFile}.new`, stampFile)
}

/** Folders of the packages for this platform. */
function nativePackages() {
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'))
  return Object.keys(packages ?? {})
    .filter((path) => path !== '' && packages[path].cpu)
    .map((path) => join(checkout, path))
    .filter((path) => existsSync(path))
}

function isLinked() {
  return lstatSync(nodeLink, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(nodeLink) === nodeBinary
}

/** npm puts `node_modules/.bin` first on the PATH of the scripts that it runs. */
function linkNode() {
  mkdirSync(dirname(nodeLink), { recursive: true })
  rmSync(`${nodeLink}.new`, { force: true })
  symlinkSync(nodeBinary, `${nodeLink}.new`)
  renameSync(`${nodeLink}.new`, nodeLink)
}

/**
 * @param {string[]} args
 * @param {number} lock
 */
function npm(args, lock) {
  const started = Date.now()
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', [...args, ...quiet], {
    cwd: checkout,
    stdio: ['ignore', 'ignore', 'inherit', lock],
  })
  if (status !== 0) throw new Error(`npm ${args[0]} failed. Is the package registry reachable?`)
  console.log(`  done in ${Math.round((Date.now() - started) / 1000)} s`)
}

/** @param {string} message */
function fail(message) {
  console.error(message)
  process.exit(1)
}
