import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import { closeFolder } from './files/closeFolder.ts'

export type Log = Logger

/** Names of secret fields in logged objects, at the top or up to two levels below. */
const secrets = ['password', 'passwordHash', 'token', 'secret', 'secretKey', 'seed', 'cookie', 'authorization']
const redacted = secrets.flatMap((word) => [word, `*.${word}`, `*.*.${word}`])

/**
 * Opens the log: lines of JSON in `<folder>/server.<day>.<n>.log`, a new file each day and every 20 MB, the newest 14
 * kept, readable only by the server's user. Without a folder nothing is written.
 */
export function openLog(folder: string | undefined): Log {
  const options = { level: folder ? (process.env['LOG_LEVEL'] ?? 'info') : 'silent', redact: redaction }
  if (!folder) return pino(options)
  closeFolder(folder)
  return pino(
    options,
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
    }),
  )
}

const redaction = { paths: redacted, censor: '[secret]' }
