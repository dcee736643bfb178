import { createTransport } from 'nodemailer'
import { productName } from '#server/config.ts'
import { mailProblem } from './mailProblem.ts'

/**
 * A mail server. `usesTls`: STARTTLS if offered; `requiresTls`: only with STARTTLS; `beginsWithTls`: TLS from the first
 * byte. With TLS the certificate must be valid, and there is no fallback to plain text.
 */
export type MailServer = {
  host: string
  port: number
  from: string
  auth: { user: string; password: string } | undefined
  usesTls: boolean
  requiresTls: boolean
  beginsWithTls: boolean
}

/** `messageId` is the part before the `@`; retries of a mail have the same. */
export type Mail = {
  to: string
  subject: string
  text: string
  messageId?: string
  files?: readonly { name: string; bytes: Buffer }[]
}

/** Timeout for sending a mail, in milliseconds: attachments may have to cross a slow line. */
const defaultTimeoutMs = ({ files = [] }: Mail): number => (files.length > 0 ? 90_000 : 30_000)

/** Sends a mail through the server. Throws `NotSent` with the reason for users. */
export async function sendMail(server: MailServer, mail: Mail, limit = defaultTimeoutMs(mail)): Promise<void> {
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.beginsWithTls,
    requireTLS: server.requiresTls && !server.beginsWithTls,
    ignoreTLS: !server.usesTls,
    ...(server.auth && { auth: { user: server.auth.user, pass: server.auth.password } }),
    connectionTimeout: limit,
    greetingTimeout: limit,
    socketTimeout: limit,
    dnsTimeout: limit,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { messageId, files = [], ...content } = mail
  const domain = server.from.slice(server.from.lastIndexOf('@') + 1)
  await transport
    .sendMail({
      ...content,
      from: { name: productName, address: server.from },
      ...(messageId && { messageId: `<${messageId.replace(/[^\w.-]/g, '-')}@${domain}>` }),
      attachments: files.map(({ name, bytes }) => ({ filename: name, content: bytes })),
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.timeout(limit),
    })
    .catch((error: unknown) => {
      throw mailProblem(error, server, limit)
    })
}
