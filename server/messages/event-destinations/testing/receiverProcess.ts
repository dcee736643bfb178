import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Posted, readOtlp, readSyslog, startHttpReceiver, startSyslogReceiver } from './receivers.ts'

/**
 * Receivers of all kinds that confirm, in a process that can be killed: `receiverProcess.ts <folder> <TLS port> <OTLP port> <webhook port>`.
 * Each writes the number of an event into its file before it confirms, unless the number is there already, and the key and content of each batch.
 */
const [folder = '', ...ports] = process.argv.slice(2)

function fileOf(name: string) {
  const file = join(folder, name)
  let last = existsSync(file) ? Number(readFileSync(file, 'utf8').trim().split('\n').at(-1)) : 0
  return (seq: number) => {
    if (seq <= last) return
    appendFileSync(file, `${seq}\n`)
    last = seq
  }
}

const noteBatch = ({ headers, body }: Posted) =>
  appendFileSync(
    join(folder, 'batches'),
    `${String(headers['idempotency-key'])} ${createHash('sha256').update(body).digest('hex')}\n`,
  )

const [ofSyslog, ofOtlp, ofWebhook] = ['syslog', 'otlp', 'webhook'].map(fileOf)
await startSyslogReceiver((message) => ofSyslog?.(Number(readSyslog(message).params['seq'])), {
  port: Number(ports[0]),
  broken: ({ message }) => appendFileSync(join(folder, 'broken'), `${message}\n`),
})
await startHttpReceiver(
  (posted, response) => {
    noteBatch(posted)
    for (const { 'dataintell.seq': seq } of readOtlp(posted.body)) ofOtlp?.(seq)
    response.setHeader('Content-Type', 'application/json').end('{}')
  },
  { port: Number(ports[1]) },
)
await startHttpReceiver(
  (posted, response) => {
    noteBatch(posted)
    for (const { position } of JSON.parse(posted.body) as { position: number }[]) ofWebhook?.(position)
    response.writeHead(204).end()
  },
  { port: Number(ports[2]) },
)
process.stdout.write('ready\n')
