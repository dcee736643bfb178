import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'

/** Identifies a process even after a crash: process IDs are reused, so the start time is included. */
export type ProcessIdentity = { pid: number; born: string }

/** The current process with this ID, if any. */
export function findProcess(pid: number): ProcessIdentity | undefined {
  const born = process.platform === 'linux' ? bornOnLinux(pid) : bornElsewhere(pid)
  return born === undefined ? undefined : { pid, born }
}

/** True if the same process still runs, and not another one with its ID. */
export const isAlive = ({ pid, born }: ProcessIdentity): boolean => findProcess(pid)?.born === born

/** Environment for the processes of stores. Without secrets, because they may run as another user. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TZ, LANG } = process.env
  return { PATH, HOME, TZ, LANG }
}

/** Waits up to `milliseconds` until a process has ended; true if it has. */
export async function waitForEnd(known: ProcessIdentity, milliseconds: number): Promise<boolean> {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    if (!isAlive(known)) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return !isAlive(known)
}

/** The 22nd field is the start in clock ticks since boot. A zombie process counts as ended. */
function bornOnLinux(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return state === 'Z' || state === 'X' ? undefined : fields[18]
}

function bornElsewhere(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    return line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '')
  } catch {
    return undefined
  }
}

/** The command line of a process, or the title it gave itself; empty if it has ended. */
export const titleOf = (pid: number): string =>
  process.platform === 'linux'
    ? lineOnLinux(pid)
    : (linesElsewhere()
        .find((each) => each.pid === pid)
        ?.line.replace(/^\s*\d+\s+/, '') ?? '')

/** Finds a process by a part of its command line, such as `-c <its configuration>`. */
export function findByCommandLine(part: string): ProcessIdentity | undefined {
  const lines = process.platform === 'linux' ? linesOnLinux() : linesElsewhere()
  const found = lines.find(({ line }) => `${line} `.includes(`${part} `))
  return found && findProcess(found.pid)
}

/** Finds the process that has the same file open under this descriptor, if its files can be read. Linux only. */
export function findByOpenFile(descriptor: number, file: string): ProcessIdentity | undefined {
  if (process.platform !== 'linux') return undefined
  const pid = readdirSync('/proc').find(
    (name) => /^\d+$/.test(name) && isSameFile(`/proc/${name}/fd/${descriptor}`, file),
  )
  return pid === undefined ? undefined : findProcess(Number(pid))
}

/** Undefined if either file can't be read. */
export function isSameFile(one: string, other: string): boolean | undefined {
  try {
    const [a, b] = [statSync(one), statSync(other)]
    return a.dev === b.dev && a.ino === b.ino
  } catch {
    return undefined
  }
}

const linesOnLinux = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), line: lineOnLinux(name) }))

const lineOnLinux = (pid: number | string): string => readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')

const linesElsewhere = () =>
  execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => ({ pid: Number.parseInt(line), line }))

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
