import type { MailServer } from '#server/platform/mail/mail.ts'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { certificate } from '#agent/simulator/certificate.ts'
import { atEndOfFile } from './testFile.ts'

/** A received mail: recipients, headers by lower-case name, text with its HTML alternative, and attachments. */
type ReceivedMail = {
  to: string[]
  from: string
  headers: Record<string, string>
  text: string
  html: string
  files: { name: string; type: string; bytes: Buffer }[]
  secure: boolean
}

/** A real SMTP server on 127.0.0.1; tests can stop it, start it again on its port, and change its responses. */
export type TestMailServer = { port: number; arrived: ReceivedMail[]; stop(): Promise<void>; start(): Promise<void> }

/** Response to a recipient or a mail instead of accepting it. */
type Refusal = { at: 'recipient' | 'mail' | 'sender'; code: number; text: string }

type Options = SMTPServerOptions & { user?: string; password?: string; refuses?: () => Refusal | undefined }

export async function testMailServer({ user, password, refuses, ...options }: Options = {}): Promise<TestMailServer> {
  const arrived: ReceivedMail[] = []
  const refusal = (at: Refusal['at']) => {
    const wanted = refuses?.()
    return wanted?.at === at ? Object.assign(new Error(wanted.text), { responseCode: wanted.code }) : null
  }
  const make = () =>
    new SMTPServer({
      ...certificate,
      authOptional: user === undefined,
      allowInsecureAuth: true,
      onAuth: (auth, _, done) =>
        auth.username === user && auth.password === password
          ? done(null, { user: auth.username })
          : done(Object.assign(new Error('Invalid login'), { responseCode: 535 })),
      onMailFrom: (_, __, done) => done(refusal('sender')),
      onRcptTo: (_, __, done) => done(refusal('recipient')),
      async onData(stream, { envelope, secure }, done) {
        const source = await text(stream)
        const refused = refusal('mail')
        const to = envelope.rcptTo.map(({ address }) => address)
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        if (!refused) arrived.push({ ...readMail(source), to, from, secure })
        done(refused)
      },
      ...options,
    })
  let server = make()
  const start = async (port: number) => {
    server = make()
    // Clients that disconnect are part of the tests.
    server.on('error', () => undefined)
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return (server.server.address() as AddressInfo).port
  }
  const stop = () => new Promise<void>((done) => server.close(done))
  const port = await start(0)
  atEndOfFile(stop)
  return { port, arrived, stop, start: async () => void (await start(port)) }
}

/** Parses enough of a mail for our tests: a text, its HTML alternative and attachments, with folded lines. */
function readMail(source: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'files'> {
  const whole = readPart(source)
  const parts = partsOf(whole)
  const isFile = ({ headers }: Part) => headers['content-disposition']?.startsWith('attachment') ?? false
  const content = (type: string) => {
    const found = parts.find((part) => !isFile(part) && part.headers['content-type']?.startsWith(type))
    return found ? textOf(found) : ''
  }
  const files = parts.filter(isFile).map(fileOf)
  return { headers: whole.headers, text: content('text/plain'), html: content('text/html'), files }
}

/** The parts of a mail that are not made of parts. */
function partsOf(part: Part): Part[] {
  const [, boundary] = /boundary="([^"]+)"/.exec(part.headers['content-type'] ?? '') ?? []
  if (boundary === undefined) return [part]
  // The line break before a boundary is part of it; text before the first and after the last one is ignored.
  const inner = `\r\n${part.raw}`.split(`\r\n--${boundary}`).slice(1, -1)
  return inner.flatMap((source) => partsOf(readPart(source)))
}

type Part = { headers: Record<string, string>; raw: string }

function readPart(source: string): Part {
  const [head = '', ...body] = source.replace(/^\r\n/, '').split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]/g, ' ').split('\r\n')
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.replace(/^[^:]*: /, ''),
  ])
  return { headers: Object.fromEntries(headers), raw: body.join('\r\n\r\n') }
}

function textOf({ headers, raw }: Part): string {
  const encoding = headers['content-transfer-encoding']
  const text =
    encoding === 'base64' ? Buffer.from(raw, 'base64').toString() : encoding === 'quoted-printable' ? unquote(raw) : raw
  return text.replaceAll('\r\n', '\n')
}

const fileOf = ({ headers, raw }: Part) => ({
  name: nameIn(headers['content-disposition'] ?? ''),
  type: (headers['content-type'] ?? '').replace(/;.*/, ''),
  bytes: Buffer.from(raw, 'base64'),
})

/** A name with letters other than ASCII is encoded as in a URL. */
function nameIn(disposition: string): string {
  const [, plain] = /filename="?([^";]+)"?/.exec(disposition) ?? []
  const [, encoded = ''] = /filename\*0\*=utf-8''([^;]+)/i.exec(disposition) ?? []
  return plain ?? decodeURIComponent(encoded)
}

const unquote = (raw: string) =>
  Buffer.from(
    raw
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()

/** Settings of a mail server in plain text, without an account. */
export const mailServerAt = (host: string, port: number, others: Partial<MailServer> = {}): MailServer => ({
  host,
  port,
  from: 'reports@example.org',
  auth: undefined,
  usesTls: false,
  requiresTls: false,
  beginsWithTls: false,
  ...others,
})
