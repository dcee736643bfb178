import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The official release that is taken where no package manager has one; checksums as in NATS' own container images. */
const version = '2.10.29'
const releases = 'https://github.com/nats-io/nats-server/releases/download'
const checksums: Record<string, string> = {
  'linux-amd64': 'e314da74a83a1d3876db8814c27eb990fe729640fd6452025b441bcede8390da',
  'linux-arm64': 'da4b27942ecfb4c5f0c54553d2e7f470ddda9d7581cfe8131b351a0e223ed401',
}

/**
 * The lowest version that is taken, that of Debian 12: the tests of lost messages, kills and permissions of agents run with it,
 * and nothing is known of how an older one does.
 */
const lowest = [2, 9, 10] as const

type Finder = { name: string; find: (tools: string, say: (words: string) => void) => string | undefined }

/**
 * The program `nats-server`: from PATH; else taken out of the Debian package, which is not installed, so that no service
 * starts beside ours; else from Homebrew; else the official release.
 */
const finders: Finder[] = [
  { name: 'PATH', find: () => onPath('nats-server') },
  { name: 'the Debian package', find: fromDebian },
  { name: 'Homebrew', find: fromHomebrew },
  { name: 'the official release', find: fromRelease },
]

/** Finds or brings `nats-server`; what is brought lies in `tools`. Throws with all that was tried. */
export function findNatsServer(tools: string, say: (words: string) => void): string {
  const brought = join(tools, 'nats-server')
  if (existsSync(brought) && isNewEnough(versionOf(brought))) return brought
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
  throw new Error(
    `nats-server ${lowest.join('.')} or newer is needed and was not found. Tried: ${tried.join(', ')}. Install it, or set NATS_URL.`,
  )
}

/** The program, if there is one; throws when it is too old. */
function newEnough(program: string | undefined): string | undefined {
  if (!program) return undefined
  const version = versionOf(program)
  if (isNewEnough(version)) return program
  throw new Error(`${program} is version ${version ?? 'unknown'}, older than ${lowest.join('.')}: update it`)
}

const versionOf = (program: string): string | undefined =>
  /v(\d+\.\d+\.\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]

function isNewEnough(version: string | undefined): boolean {
  const parts = version?.split('.').map(Number) ?? []
  const differs = lowest.findIndex((number, place) => parts[place] !== number)
  return parts.length > 0 && (differs === -1 || (parts[differs] ?? 0) > (lowest[differs] ?? 0))
}

/** Also where Debian puts servers, which is on no ordinary user's PATH. */
function onPath(program: string): string | undefined {
  const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/local/sbin:/usr/sbin:/sbin` }
  const { status, stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8', env })
  return status === 0 ? stdout.trim() : undefined
}

function fromDebian(tools: string, say: (words: string) => void): string | undefined {
  if (!onPath('apt-get') || !onPath('dpkg-deb')) return undefined
  say('Getting nats-server from the Debian package')
  return inScratch(tools, (scratch) => {
    const download = () => spawnSync('apt-get', ['download', '-qq', 'nats-server'], { cwd: scratch }).status === 0
    if (!download()) {
      if (process.getuid?.() === 0) execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
      if (!download()) throw new Error('apt-get has no nats-server')
    }
    const [archive] = globSync('nats-server*.deb', { cwd: scratch })
    execFileSync('dpkg-deb', ['-x', join(scratch, archive ?? ''), scratch])
    return keep(tools, globSync('usr/{bin,sbin}/nats-server', { cwd: scratch }).map((file) => join(scratch, file))[0])
  })
}

function fromHomebrew(_: string, say: (words: string) => void): string | undefined {
  if (!onPath('brew')) return undefined
  say('Installing nats-server by Homebrew')
  execFileSync('brew', ['install', '--quiet', 'nats-server'], { stdio: 'ignore' })
  return onPath('nats-server')
}

function fromRelease(tools: string, say: (words: string) => void): string | undefined {
  const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`
  const checksum = checksums[platform]
  if (!checksum) return undefined
  const name = `nats-server-v${version}-${platform}`
  say(`Getting nats-server ${version} from its official release`)
  return inScratch(tools, (scratch) => {
    const archive = join(scratch, 'nats-server.tar.gz')
    const address = `${releases}/v${version}/${name}.tar.gz`
    execFileSync('curl', ['-fsSL', '--max-time', '300', '-o', archive, address], { stdio: 'ignore' })
    const found = createHash('sha256').update(readFileSync(archive)).digest('hex')
    if (found !== checksum) throw new Error('the checksum of the release is wrong')
    execFileSync('tar', ['-xzf', archive, '-C', scratch])
    return keep(tools, join(scratch, name, 'nats-server'))
  })
}

function inScratch<T>(tools: string, work: (scratch: string) => T): T {
  mkdirSync(tools, { recursive: true })
  const scratch = mkdtempSync(join(tools, 'bringing-'))
  // apt downloads as a user of its own where it may write.
  chmodSync(scratch, 0o777)
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
