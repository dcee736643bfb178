import { spawn } from 'node:child_process'

/** How a program ended: its exit code (null when it was killed), what it said of it, and whether its time was over. */
export type Ended = { code: number | null; said: string; isLate: boolean }

/** Characters of what a program says that are kept. */
const longest = 4_000
/** How long one that was killed may take to go, for the kernel holds it where a server is dead. Milliseconds. */
const patience = 1_000

/**
 * Runs a program without a shell and without a terminal that it could ask for a password, with all that it starts in a
 * group of its own, which is killed after `limit` milliseconds. Throws when there is no such program.
 */
export function runProgram(name: string, words: string[], limit: number): Promise<Ended> {
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  const child = spawn(name, words, { env, stdio: ['ignore', 'ignore', 'pipe'], detached: true })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(0, longest)))
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      if (child.pid !== undefined) kill(child.pid)
      setTimeout(() => resolve({ code: null, said, isLate: true }), patience)
    }, limit)
    child.once('error', (error) => {
      clearTimeout(late)
      reject(error)
    })
    child.once('close', (code, signal) => {
      clearTimeout(late)
      resolve({ code, said, isLate: signal === 'SIGKILL' })
    })
  })
}

function kill(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It ended at this moment.
  }
}
