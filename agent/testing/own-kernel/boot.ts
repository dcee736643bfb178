import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testFolder } from '#server/platform/testing/stores.ts'
import { isThere } from '../sambaServer.ts'

const needed = ['linux.uml', 'modprobe', 'ip', 'smbd', 'smbpasswd', 'ganesha.nfsd', 'mount.cifs', 'mount.nfs']
const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin']

/** Returns the reason why no kernel that mounts shares can be started, if any. */
export function missingForOwnKernel(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'root on Linux is required'
  const missing = needed.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  return missing.length === 0 ? undefined : `this machine has no ${missing.join(', ')}`
}

/** Maximum run time of a kernel in milliseconds, including timeouts of unresponsive servers. */
const maxRunMs = 580_000

/**
 * Runs a program in a separate kernel, which can mount SMB and NFS even if this machine's kernel can't (user-mode
 * Linux, an ordinary process), and returns its output. It can read the files of this machine but not write them.
 */
export async function inOwnKernel(program: string): Promise<string> {
  const folder = testFolder('own-kernel')
  const parameters = [
    'mem=1200M',
    'root=none',
    'rootfstype=hostfs',
    'rootflags=/',
    'ro',
    'quiet',
    'con=null',
    `init=${join(import.meta.dirname, 'init.sh')}`,
    `FOLDER=${folder}`,
    `NODE=${process.execPath}`,
    `PROGRAM=${program}`,
  ]
  const options = {
    env: { ...process.env, ...keepingRegisters(folder) },
    timeout: maxRunMs,
    killSignal: 'SIGKILL',
  } as const
  await promisify(execFile)('linux.uml', parameters, options).catch(() => undefined)
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  if (read('output') === '') throw new Error(`The program printed nothing in its kernel. ${read('errors')}`)
  return read('output')
}

/** Variables with which that kernel runs on processors that it doesn't know; see `xstate.c`. Without gcc, none. */
function keepingRegisters(folder: string): { LD_PRELOAD?: string } {
  if (process.arch !== 'x64' || !isThere('gcc')) return {}
  const library = join(folder, 'xstate.so')
  execFileSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'xstate.c')])
  return { LD_PRELOAD: library }
}
