import { join } from 'node:path'
import { pino, type Logger } from 'pino'
import { closeFolder } from './files/closeFolder.ts'

export type Log = Logger

/** Words that name a secret, wherever in a logged object they stand: at the top, or one or two levels below. */
const secrets = ['password', 'passwordHash', 'token', 'secret', 'secretKey', 'seed', 'cookie', 'authorization']
const redacted = secrets.flatMap((word) => [word, `*.${word}`, `*.*.${word}`])

/**
 * The log, as lines of JSON in `<folder>/server.<day>.<n>.log`: a new file each day and every 20 MB, the newest 14 kept, for the
 * user alone that the server runs as.
 * Without a folder nothing is written.
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
