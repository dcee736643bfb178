import { mkdtempSync, rmSync } from 'node:fs'
import { url as debuggerUrl } from 'node:inspector'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Variable with the socket that receives the signs of life. It outlives a server that restarts in its own process, as a pipe would not. */
const variable = 'DATAINTELL_SUPERVISOR'

const [alive, debugged] = ['.', 'd']
const sendEveryMs = 1_000

/** Looks without a sign of life until the server counts as hung, and milliseconds between looks. */
const defaults = { looksUntilHung: 60, lookEveryMs: 1_000 }

/**
 * Calls `onHung` when a server that sent signs of life no longer does. Its own looks are counted instead of comparing times, so a machine that was
 * suspended, or whose clock was changed, is no hang; nor is a server with a debugger. Returns the environment for the server.
 */
export function watchSignsOfLife(onHung: (seconds: number) => void, limits = defaults): NodeJS.ProcessEnv {
  const { looksUntilHung, lookEveryMs } = limits
  const folder = mkdtempSync(join(tmpdir(), 'dataintell-'))
  const path = join(folder, 'alive')
  let isWatched = false
  let looks = 0
  const server = createServer((socket) => {
    socket.setEncoding('latin1').on('data', (signs: string) => {
      looks = 0
      isWatched = signs.endsWith(alive)
    })
    socket.on('close', () => (isWatched = false)).on('error', () => {})
  })
  // Without the socket, the server runs unwatched.
  server.on('error', () => {}).listen(path)
  const timer = setInterval(() => {
    if (!isWatched || ++looks < looksUntilHung) return
    isWatched = false
    onHung((looksUntilHung * lookEveryMs) / 1_000)
  }, lookEveryMs)
  timer.unref()
  server.unref()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { [variable]: path }
}

/** Sends signs of life to the supervisor, if one started this process. */
export function sendSignsOfLife(everyMs = sendEveryMs): void {
  const path = process.env[variable]
  if (path === undefined) return
  const socket = connect(path).on('error', () => {})
  socket.unref()
  setInterval(() => {
    if (socket.writable) socket.write(debuggerUrl() === undefined ? alive : debugged)
  }, everyMs).unref()
}
