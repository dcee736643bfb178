import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { toolsFolder } from '#deploy/setup/tool.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { isThere } from './sambaServer.ts'

/** Number of CAP_SYS_ADMIN, which mounting takes; see capabilities(7). */
const mayMount = 21n

/** Returns the reason why the slow file system can't be mounted here, if any. */
export function missingForSlowFs(): string | undefined {
  if (process.platform !== 'linux') return 'it takes Linux'
  const [, capabilities = '0'] = /^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (((BigInt(`0x${capabilities}`) >> mayMount) & 1n) === 0n) return 'it takes root, and the right to mount'
  if (!existsSync('/dev/fuse')) return 'this machine has no /dev/fuse'
  if (!isThere('gcc')) return 'this machine has no gcc'
  return existsSync('/usr/include/linux/fuse.h') ? undefined : 'this machine has no linux/fuse.h'
}

/** Tree and behavior of a slow file system. `deploy/tools/bench/slow/slowFs.c` describes them and the names of entries. */
export type SlowFsOptions = {
  folders?: number
  files?: number
  huge?: number
  links?: number
  /** 1: all entries have the same time. */
  copied?: number
  /** 1: a folder is the root again. */
  again?: number
  /** Microseconds. */
  latency?: number
  workers?: number
  /** 1: listings don't have the kinds of entries. */
  untyped?: number
  repeats?: number
  hang?: string[]
  fail?: { name: string; errno: number; count: number }[]
}

/** Calls since the mount. `waiting` calls are due later, `hanging` ones never. */
export type SlowFsCalls = { calls: number; waiting: number; mostWaiting: number; hanging: number }

export type SlowFs = {
  /** Path of the mount. */
  mount: string
  calls(): Promise<SlowFsCalls>
  /** Stops answering any call until `resume`. */
  suspend(): void
  resume(): void
  /** Ends the server without unmounting. Calls then fail with ENOTCONN. */
  kill(): Promise<void>
  /** Unmounts. Calls that wait or hang fail; until then not even SIGKILL ends their process. */
  unmount(): Promise<void>
}

/** Mounts a slow file system in a temporary folder. It is unmounted at the end of the test file at the latest. */
export async function mountSlowFs(options: SlowFsOptions): Promise<SlowFs> {
  const mount = mkdtempSync(join(tmpdir(), 'dataintell-slow-'))
  const child = spawn(compiled('slowFs'), [mount, '--with-parent', ...argumentsOf(options)])
  const errors = text(child.stderr)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const exited = once(child, 'exit')
  if ((await lines.next()).value !== 'ready') {
    rmdirSync(mount)
    throw new Error(`slowFs: ${await errors}`)
  }
  let unmounted: Promise<void> | undefined
  const unmount = async () => {
    child.kill('SIGTERM')
    child.kill('SIGCONT')
    await exited
    if (child.signalCode !== null) execFileSync('umount', ['-l', mount])
    rmdirSync(mount)
  }
  const report = async () => {
    child.kill('SIGUSR1')
    const { value } = await lines.next()
    if (value === undefined) throw new Error('The slow file system has ended')
    return JSON.parse(value) as SlowFsCalls
  }
  let before: Promise<unknown> = Promise.resolve()
  const slowFs: SlowFs = {
    mount,
    // One after another, as a signal that is sent twice may arrive once.
    calls() {
      const latest = before.then(report, report)
      before = latest
      return latest
    },
    suspend: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    unmount: () => (unmounted ??= unmount()),
  }
  atEndOfFile(slowFs.unmount)
  return slowFs
}

function argumentsOf({ hang = [], fail = [], ...numbers }: SlowFsOptions): string[] {
  return [
    ...Object.entries(numbers).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...hang.flatMap((name) => ['--hang', name]),
    ...fail.flatMap(({ name, errno, count }) => ['--fail', name, String(errno), String(count)]),
  ]
}

const sources = join(import.meta.dirname, '../../deploy/tools/bench/slow')

/**
 * Path of a program, compiled if its source is new: the slow file system, or a wrapper that runs a command without
 * io_uring. Throws the messages of gcc.
 */
export function compiled(program: 'slowFs' | 'deny'): string {
  const hash = createHash('sha256')
  for (const file of [`${program}.c`, 'tree.h']) hash.update(readFileSync(join(sources, file)))
  const path = join(toolsFolder, 'slow', `${program}-${hash.digest('hex').slice(0, 12)}`)
  if (existsSync(path)) return path
  mkdirSync(join(toolsFolder, 'slow'), { recursive: true })
  // Several processes may compile at once.
  const own = `${path}.${process.pid}`
  execFileSync('gcc', ['-O2', '-o', own, join(sources, `${program}.c`)])
  renameSync(own, path)
  return path
}
