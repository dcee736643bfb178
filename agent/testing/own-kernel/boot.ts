import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { testFolder } from '#server/platform/testing/stores.ts'

const needed = ['linux.uml', 'modprobe', 'ip', 'smbd', 'smbpasswd', 'ganesha.nfsd', 'mount.cifs', 'mount.nfs']
const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/sbin']

/** Why no kernel can be started that mounts shares, or nothing. */
export function whyNoOwnKernel(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  const missing = needed.filter((program) => !folders.some((folder) => existsSync(join(folder, program))))
  return missing.length === 0 ? undefined : `this machine has no ${missing.join(', ')}`
}

/** How long a kernel may live, in milliseconds: it waits for servers that are silent. */
const limit = 580_000

/**
 * Runs a program in a kernel of its own, which can mount SMB and NFS whatever this machine's can (user-mode Linux, an
 * ordinary process), and returns what it printed. It sees the files of this machine and can write none of them.
 */
export async function inOwnKernel(program: string): Promise<string> {
  const folder = testFolder('own-kernel')
  const words = [
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
  await promisify(execFile)('linux.uml', words, { timeout: limit, killSignal: 'SIGKILL' }).catch(() => undefined)
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '')
  if (read('said') === '') throw new Error(`The program said nothing in its kernel. ${read('errors')}`)
  return read('said')
}
