import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from '../../setup/lock.js'
import { findProgram } from '../../setup/tool.ts'
import { CannotStart } from '#server/platform/config.ts'

/** Official release, for machines whose package manager has none; checksums as in NATS' own container images. */
const version = '2.10.29'
const releases = 'https://github.com/nats-io/nats-server/releases/download'
const checksums: Record<string, string> = {
  'linux-amd64': 'e314da74a83a1d3876db8814c27eb990fe729640fd6452025b441bcede8390da',
  'linux-arm64': 'da4b27942ecfb4c5f0c54553d2e7f470ddda9d7581cfe8131b351a0e223ed401',
}

/** Minimum version, that of Debian 12. Tests of lost messages, kills and agent permissions pass with it; older ones are untested. */
const minVersion = [2, 9, 10] as const

type Finder = { name: string; find: (tools: string, say: (message: string) => void) => string | undefined }

/** Tried in this order. The Debian package is only unpacked: installing it would start a service of the system. */
const finders: Finder[] = [
  { name: 'PATH', find: () => findProgram('nats-server') },
  { name: 'the Debian package', find: fromDebian },
  { name: 'Homebrew', find: fromHomebrew },
  { name: 'the official release', find: fromRelease },
]

/**
 * Returns the path of `nats-server`, putting it into `tools` first if it is missing; other processes wait meanwhile. Throws
 * with everything that was tried.
 */
export function findNatsServer(tools: string, say: (message: string) => void): string {
  const find = () => [join(tools, 'nats-server'), findProgram('nats-server')].find(isUsable)
  const onWait = () => say('Waiting for another process before installing nats-server')
  return find() ?? withLock(join(tools, 'nats-server.lock'), onWait, () => find() ?? install(tools, say))
}

const isUsable = (program: string | undefined): boolean => program !== undefined && isNewEnough(versionOf(program))

function install(tools: string, say: (message: string) => void): string {
  const tried: string[] = []
  for (const { name, find } of finders) {
    try {
      const program = newEnough(find(tools, say))
      if (program) return program
      tried.push(name)
    } catch (error) {
      tried.push(`${name} (${error instanceof Error ? error.message.split('\n')[0] : error})`)
    }
  }
  throw new CannotStart(
    `nats-server ${minVersion.join('.')} or newer is needed and was not found. Tried: ${tried.join(', ')}. Install it, or set NATS_URL.`,
  )
}

/** Throws if the program is too old. */
function newEnough(program: string | undefined): string | undefined {
  if (!program) return undefined
  const version = versionOf(program)
  if (isNewEnough(version)) return program
  throw new CannotStart(`${program} is version ${version ?? 'unknown'}, older than ${minVersion.join('.')}: update it`)
}

const versionOf = (program: string): string | undefined =>
  /v(\d+\.\d+\.\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]

function isNewEnough(version: string | undefined): boolean {
  const parts = version?.split('.').map(Number) ?? []
  const differs = minVersion.findIndex((number, place) => parts[place] !== number)
  return parts.length > 0 && (differs === -1 || (parts[differs] ?? 0) > (minVersion[differs] ?? 0))
}

function fromDebian(tools: string, say: (message: string) => void): string | undefined {
  if (!findProgram('apt-get') || !findProgram('dpkg-deb')) return undefined
  say('Downloading nats-server from the Debian package (4 MB to download)')
  return inScratch(tools, (scratch) => {
    // As root, apt would download as a user of its own, to whom the folder is closed.
    const command = ['download', '-qq', '-o', 'APT::Sandbox::User=root', 'nats-server']
    const download = () => spawnSync('apt-get', command, { cwd: scratch }).status === 0
    if (!download()) {
      if (process.getuid?.() === 0) execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
      if (!download()) throw new Error('apt-get has no nats-server')
    }
    const [archive] = globSync('nats-server*.deb', { cwd: scratch })
    execFileSync('dpkg-deb', ['-x', join(scratch, archive ?? ''), scratch])
    return keep(tools, globSync('usr/{bin,sbin}/nats-server', { cwd: scratch }).map((file) => join(scratch, file))[0])
  })
}

function fromHomebrew(_: string, say: (message: string) => void): string | undefined {
  if (!findProgram('brew')) return undefined
  say('Installing nats-server with Homebrew')
  execFileSync('brew', ['install', '--quiet', 'nats-server'], { stdio: 'ignore' })
  return findProgram('nats-server')
}

function fromRelease(tools: string, say: (message: string) => void): string | undefined {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const checksum = checksums[platform]
  if (!checksum) return undefined
  const name = `nats-server-v${version}-${platform}`
  say(`Downloading nats-server ${version} from its official release`)
  return inScratch(tools, (scratch) => {
    const archive = join(scratch, 'nats-server.tar.gz')
    const address = `${releases}/v${version}/${name}.tar.gz`
    download(address, archive)
    const found = createHash('sha256').update(readFileSync(archive)).digest('hex')
    if (found !== checksum) throw new Error('the checksum of the release is wrong')
    execFileSync('tar', ['-xzf', archive, '-C', scratch])
    return keep(tools, join(scratch, name, 'nats-server'))
  })
}

/** Downloads in a child process, since this program starts synchronously and a bare machine has no curl. */
function download(address: string, file: string): void {
  const script = `
    const answer = await fetch(process.argv[1], { signal: AbortSignal.timeout(300_000) })
    if (!answer.ok) throw new Error(answer.status)
    await require('node:fs/promises').writeFile(process.argv[2], answer.body)`
  const env = { ...process.env, NODE_USE_ENV_PROXY: '1' }
  execFileSync(process.execPath, ['--eval', `(async () => {${script}})()`, address, file], { stdio: 'ignore', env })
}

function inScratch<T>(tools: string, work: (scratch: string) => T): T {
  mkdirSync(tools, { recursive: true, mode: 0o755 })
  // Closed to other users, who could replace the program between its check and its move.
  const scratch = mkdtempSync(join(tools, 'bringing-'))
  try {
    return work(scratch)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function keep(tools: string, found: string | undefined): string | undefined {
  if (!found || !existsSync(found)) return undefined
  const kept = join(tools, 'nats-server')
  renameSync(found, kept)
  chmodSync(kept, 0o755)
  return kept
}
