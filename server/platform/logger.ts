import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import { closeFolder } from './files/closeFolder.ts'
import { counter } from './http/metrics.ts'

export type Log = Logger

/** Names of secret fields in logged objects, at the top or up to two levels below. */
const secrets = ['password', 'passwordHash', 'token', 'secret', 'secretKey', 'seed', 'cookie', 'authorization']
const redacted = secrets.flatMap((word) => [word, `*.${word}`, `*.*.${word}`])

/** Pause after which a log that could not be written is opened again, in ms. */
const reopenAfterMs = 10_000

const lostLines = counter('log_lines_lost_total', 'Lines that could not be written to the log, at least')

/**
 * Opens the log: lines of JSON in `<folder>/server.<day>.<n>.log`, a new file each day and every 20 MB, the newest 14
 * kept, readable only by the server's user. With LOG_STDOUT=true it is also printed. Without a folder nothing is written. While the log can't be written, as on
 * a full disk, lines are lost and counted; the first line after that has their number.
 */
export function openLog(folder: string | undefined, reopenMs = reopenAfterMs): Log {
  const options = { level: folder ? (process.env['LOG_LEVEL'] ?? 'info') : 'silent', redact: redaction }
  if (!folder) return pino(options)
  closeFolder(folder)
  const file = lossy(
    () => openFile(folder),
    reopenMs,
    (lost, error) => log.warn({ lost, error }, 'Lines of the log were lost: it could not be written'),
  )
  const log = pino(options, process.env['LOG_STDOUT'] === 'true' ? printing(file) : file)
  return log
}

type LogOutput = { write(line: string): void }

/** For containers, whose output is collected. The collector may end. */
function printing(file: LogOutput): LogOutput {
  process.stdout.on('error', () => {})
  return {
    write(line) {
      process.stdout.write(line)
      file.write(line)
    },
  }
}

type LogFile = ReturnType<typeof pino.transport>

const openFile = (folder: string): LogFile =>
  pino.transport({
    target: 'pino-roll',
    options: {
      file: join(folder, 'server'),
      extension: '.log',
      frequency: 'daily',
      dateFormat: 'yyyy-MM-dd',
      size: '20m',
      limit: { count: 13, removeOtherLogFiles: true },
      mode: 0o600,
    },
  })

/**
 * A log file that is opened again after it failed. The line that made it fail, and those that its thread still had, are
 * lost but not counted.
 */
function lossy(open: () => LogFile, reopenMs: number, onBack: (lost: number, error: string) => void): LogOutput {
  let file: LogFile | undefined
  let lost = 0
  let reason = ''
  const start = () => {
    const opened = open()
    opened.on('error', (error: Error) => {
      reason = error.message
      if (file !== opened) return
      file = undefined
      setTimeout(start, reopenMs).unref()
    })
    file = opened
    if (reason === '') return
    const [missed, why] = [lost, reason]
    lost = 0
    onBack(missed, why)
  }
  start()
  return {
    write(line) {
      if (file) return file.write(line)
      lost++
      lostLines.inc()
    },
  }
}

const redaction = { paths: redacted, censor: '[secret]' }
