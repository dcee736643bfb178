import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Image } from './buildImages.ts'

const exec = promisify(execFile)

/** Folder of the volume, folders to show read-only by their place in the container, environment, and words of the program. */
export type Run = {
  volume: string
  shows?: Record<string, string>
  environment?: Record<string, string>
  words?: string[]
  /** Another user than that of the image, as `1000:1000`. */
  user?: string
  /** Limit of memory in bytes. */
  memory?: number
}

/**
 * Starts a container without a daemon: its own processes and mounts, a read-only root, one volume at /data and an empty /tmp. It
 * shares the network of this machine.
 */
export function runContainer(image: Image, run: Run) {
  const { volume, environment = {}, words = image.words.command, user = image.user, memory } = run
  if (!existsSync(volume)) makeVolume(volume, image.user)
  const group = memory === undefined ? '' : join(groups, `dataintell-${process.pid}-${Date.now()}`)
  const argv = [...image.words.entry, ...words]
  const script = `${memory === undefined ? '' : limited(group, memory)}
    exec unshare --mount --pid --fork sh -c '${mounts(image.root, run)}
    exec chroot --userspec=${user} ${image.root} /usr/bin/env --chdir=/opt/dataintell "$@"' sh "$@"`
  const env = { ...image.environment, ...environment }
  const child = spawn('sh', ['-e', '-c', script, 'sh', ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  /** With its first process the kernel ends all others of a container. */
  const end = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(firstProcess(child), 'SIGKILL')
  }
  return {
    printed: () => printed,
    /** Exit code of the container; null if it was killed. */
    exited,
    /** The first process of the container, as this machine numbers it. */
    pid: () => firstProcess(child),
    /** Sends a signal to the first process of the container. */
    signal: (name: NodeJS.Signals) => void process.kill(firstProcess(child), name),
    /** Runs another program in the container, as `docker exec` does. Returns its output and exit code. */
    execute: (...argv: string[]) => executeIn(firstProcess(child), user, env, argv),
    /** Commands of the processes in the container, by their state, such as `Z` for one that no process has reaped. */
    processes: () => processesOf(firstProcess(child)),
    /** Stops it as `docker stop` does: kills it after ten seconds. */
    async stop() {
      const late = setTimeout(end, 10_000)
      process.kill(firstProcess(child), 'SIGTERM')
      return exited.finally(() => clearTimeout(late))
    },
    async kill() {
      end()
      await exited
    },
  }
}

const groups = '/sys/fs/cgroup/memory'
/** True if this machine limits the memory of groups by version 1, which the test can use. */
export const canLimitMemory = existsSync(join(groups, 'memory.limit_in_bytes'))

const limited = (group: string, memory: number): string =>
  `mkdir ${group}; echo ${memory} > ${group}/memory.limit_in_bytes; echo $$ > ${group}/cgroup.procs`

function makeVolume(volume: string, user: string): void {
  mkdirSync(volume, { recursive: true })
  const [uid = 0, gid = 0] = user.split(':').map(Number)
  chownSync(volume, uid, gid)
}

/** Shell commands that mount the parts of a container in the new name space. Shared memory is as small as Docker's. */
function mounts(root: string, { volume, shows = {} }: Run): string {
  const binds = Object.entries(shows).map(([place, folder]) => [folder, join(root, place)])
  for (const [, place = ''] of binds) mkdirSync(place, { recursive: true })
  return [
    'set -e',
    'mount --make-rprivate /',
    `mount --bind ${root} ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /sys ${root}/sys`,
    `mount --rbind /dev ${root}/dev`,
    `mount -t tmpfs -o size=64m,mode=1777 tmpfs ${root}/dev/shm`,
    `mount -t tmpfs -o mode=1777 tmpfs ${root}/tmp`,
    `mount --bind ${volume} ${root}/data`,
    ...binds.map(([folder, place]) => `mount --bind ${folder} ${place}; mount -o remount,bind,ro ${place}`),
    `mount -o remount,bind,ro ${root}`,
  ].join('; ')
}

/** The child of `unshare`, which is process 1 of its name space. */
function firstProcess({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  if (children === '') throw new Error('The container has no process')
  return Number(children.split(' ')[0])
}

async function executeIn(pid: number, user: string, env: NodeJS.ProcessEnv, argv: string[]) {
  const [uid, gid] = user.split(':')
  const inside = ['--target', String(pid), '--mount', '--pid', '--root', '--wd']
  const args = [...inside, `--setuid=${uid}`, `--setgid=${gid}`, '--', ...argv]
  const { code, stdout, stderr } = await exec('nsenter', args, { env, maxBuffer: 2 ** 26 }).then(
    (output) => ({ code: 0, ...output }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
  return { code, printed: `${stdout}${stderr}` }
}

function processesOf(first: number): { pid: number; state: string; command: string }[] {
  return globSync('/proc/[0-9]*/status').flatMap((file) => {
    try {
      const status = readFileSync(file, 'utf8')
      if (!isIn(first, status, file)) return []
      const [, state = ''] = /^State:\s+(\w)/m.exec(status) ?? []
      const command = readFileSync(file.replace(/status$/, 'cmdline'), 'utf8').replaceAll('\0', ' ')
      return [{ pid: Number(file.split('/')[2]), state, command }]
    } catch {
      return []
    }
  })
}

/** True if a process has a number of its own in the name space of a container, and is a descendant of its first process. */
function isIn(first: number, status: string, file: string): boolean {
  const [, numbers = ''] = /^NSpid:\s+(.*)$/m.exec(status) ?? []
  if (numbers.trim().split(/\s+/).length < 2) return false
  for (let pid = Number(file.split('/')[2]); pid > 1; pid = parentOf(pid)) if (pid === first) return true
  return false
}

const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
