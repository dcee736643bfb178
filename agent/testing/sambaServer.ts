import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '#deploy/local/testing/freePort.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** True if PATH has this program. */
export const isThere = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)))

const kernelMounts = (): boolean => /\tcifs$/m.test(readFileSync('/proc/filesystems', 'utf8'))

/** Returns the reason why no share of a real server can be mounted here, if any. */
export function missingForSamba(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it takes root on Linux'
  const needed = ['smbd', 'smbpasswd', ...(kernelMounts() ? ['mount.cifs'] : ['smbclient', 'rclone', 'fusermount3'])]
  const missing = needed.filter((program) => !isThere(program))
  if (missing.length > 0) return `this machine has no ${missing.join(', ')}`
  return kernelMounts() || existsSync('/dev/fuse') ? undefined : 'this machine has no /dev/fuse'
}

export type Samba = {
  port: number
  start(): Promise<void>
  /** Stops the server and the processes of its connections. */
  stop(): Promise<void>
  /** Keeps its connections but stops responding, like a machine that hangs. */
  suspend(): Promise<void>
  resume(): Promise<void>
}

/**
 * Starts a real SMB server on a free port and stops it after the test. It shares a folder as `media` with root, who has
 * this password, and as `pub` with guests.
 */
export async function startSamba(scratch: string, share: string, password: string): Promise<Samba> {
  const samba = await sambaServer(scratch, share, password)
  atEndOfFile(samba.stop)
  await samba.start()
  return samba
}

/** Prepares the same server; the caller starts and stops it. */
export async function sambaServer(scratch: string, share: string, password: string): Promise<Samba> {
  for (const name of ['private', 'lock', 'state', 'cache']) mkdirSync(join(scratch, name), { recursive: true })
  const port = await freePort()
  const conf = join(scratch, 'smb.conf')
  writeFileSync(conf, configuration(scratch, share, port))
  execFileSync('smbpasswd', ['-c', conf, '-a', '-s', 'root'], { input: `${password}\n${password}\n`, stdio: 'pipe' })
  const run = () => spawn('smbd', ['-F', '--no-process-group', '-s', conf], { stdio: 'ignore', detached: true })
  let child: ReturnType<typeof run> | undefined
  const signal = (name: NodeJS.Signals) => void (child?.pid !== undefined && process.kill(-child.pid, name))
  return {
    port,
    async start() {
      child = run()
      while (!(await answersAt(port))) await wait(50)
    },
    suspend: async () => signal('SIGSTOP'),
    resume: async () => signal('SIGCONT'),
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      signal('SIGKILL')
      await once(child, 'exit')
    },
  }
}

const configuration = (scratch: string, share: string, port: number) => `[global]
  server role = standalone server
  smb ports = ${port}
  interfaces = lo
  bind interfaces only = yes
  passdb backend = tdbsam:${scratch}/passdb.tdb
  private dir = ${scratch}/private
  lock directory = ${scratch}/lock
  state directory = ${scratch}/state
  cache directory = ${scratch}/cache
  pid directory = ${scratch}/lock
  log file = ${scratch}/log.smbd
  disable netbios = yes
  map to guest = Bad User
  server min protocol = SMB2
[media]
  path = ${share}
[pub]
  path = ${share}
  guest ok = yes
  guest only = yes
`

/**
 * For kernels that can't mount SMB: a folder for the start of PATH with a `mount` that checks the server with smbclient
 * like mount.cifs, fails with the messages of mount.cifs, and mounts with rclone as type cifs.
 */
export function smbPrograms(folder: string): string | undefined {
  if (kernelMounts()) return undefined
  mkdirSync(folder, { recursive: true })
  for (const [name, script] of Object.entries({ mount, fusermount })) {
    writeFileSync(join(folder, name), script)
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

const mount = `#!/bin/bash
source=$3 folder=$4 options=,$6,
host=\${source#//}; share=\${host#*/}; host=\${host%%/*}
port=\${options##*,port=}; port=\${port%%,*}
file=\${options##*,credentials=}; file=\${file%%,*}
output=$(smbclient "//$host/$share" -p "$port" -A "$file" -s /dev/null -c ls 2>&1) || case "$output" in
  *LOGON_FAILURE*|*ACCESS_DENIED*) echo "mount error(13): Permission denied" >&2; exit 32;;
  *BAD_NETWORK_NAME*) echo "mount error(2): No such file or directory" >&2; exit 32;;
  *CONNECTION_REFUSED*) echo "mount error(111): could not connect to $host" >&2; exit 32;;
  *) echo "$output" >&2; exit 32;;
esac
export RCLONE_CONFIG=/dev/null RCLONE_SMB_HOST=$host RCLONE_SMB_PORT=$port
export RCLONE_SMB_USER=$(sed -n 's/^username=//p' "$file")
export RCLONE_SMB_PASS=$(sed -n 's/^password=//p' "$file" | tr -d '\\n' | rclone obscure -)
setsid rclone mount ":smb:$share" "$folder" --read-only --dir-cache-time 0 --low-level-retries 1 >/dev/null 2>&1 </dev/null &
for try in $(seq 100); do grep -q " $folder " /proc/self/mountinfo && exit 0; sleep 0.1; done
echo "rclone mounted nothing" >&2; exit 32
`

/** rclone has no option for the file system name. */
const fusermount = `#!/bin/bash
exec fusermount3 "\${@/subtype=rclone/subtype=cifs}"
`

/** True if a local port accepts connections. */
export async function answersAt(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}
