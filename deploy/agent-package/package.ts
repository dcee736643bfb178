import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { packagedFiles } from './files.ts'

/**
 * `npm run agent:package [-- FOLDER]` builds the agent for other machines of this platform: its code, the libraries it
 * needs, Node, an installer and a systemd unit. Does nothing if the package in the folder is up to date. Prints its path.
 */
const checkout = join(import.meta.dirname, '../..')
const folder = resolve(process.argv[2] ?? join(checkout, '.tools/agent-package'))
const name = `dataintell-agent-${process.platform}-${process.arch}`
const target = join(folder, `${name}.tar.gz`)
/** Names the sources of the package. */
const stamp = join(folder, `${name}.built-from`)
/** Files of this folder that are part of the package. */
const own = ['install.sh', 'dataintell-agent', 'dataintell-agent@.service']

const files = packagedFiles()
const sources = hashOfSources()
if (!existsSync(target) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sources) await build()
console.log(target)

async function build(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const making = mkdtempSync(join(folder, 'making-'))
  try {
    const root = join(making, 'dataintell-agent')
    for (const file of files) copy(join(checkout, file), join(root, file))
    for (const file of own) copy(join(import.meta.dirname, file), join(root, file))
    chmodSync(join(root, 'dataintell-agent'), 0o755)
    copy(process.execPath, join(root, 'bin/node'))
    writeFileSync(join(root, 'package.json'), packageJson())
    const packed = join(making, 'packed.tar.gz')
    await pack(making, packed)
    renameSync(packed, target)
    writeFileSync(stamp, sources)
  } finally {
    rmSync(making, { recursive: true, force: true })
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** The part of our own that the agent reads. */
function packageJson(): string {
  const { version, type } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as Record<string, string>
  const imports = { '#events/*': './events/*', '#agent/*': './agent/*' }
  return `${JSON.stringify({ name: 'dataintell-agent', version, private: true, type, imports }, undefined, 2)}\n`
}

/** Low compression takes a third of the time for a tenth more bytes. */
async function pack(from: string, to: string): Promise<void> {
  // With GNU's tar the same files make the same package, so that replicas of a server have equal ones.
  const reproducible = ['--sort=name', '--mtime=2026-01-01 00:00Z', '--mode=u+rwX,go+rX,go-w']
  const options = ['--owner=0', '--group=0', ...(process.platform === 'linux' ? reproducible : [])]
  const tar = spawn('tar', ['-cf', '-', ...options, 'dataintell-agent'], {
    cwd: from,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(tar, 'exit')
  await pipeline(tar.stdout, createGzip({ level: 3 }), createWriteStream(to, { mode: 0o644 }))
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`tar ended with ${code}`)
}

/** Libraries are known by the lock file, and Node by its version. */
function hashOfSources(): string {
  const hash = createHash('sha256').update(process.version)
  const code = files.filter((file) => !file.startsWith('node_modules/'))
  const all = [...code, ...own.map((file) => join('deploy/agent-package', file)), 'package.json', 'package-lock.json']
  for (const file of all) hash.update(file).update(readFileSync(join(checkout, file)))
  return hash.update(String(statSync(process.execPath).size)).digest('hex')
}
