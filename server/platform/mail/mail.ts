import type { Socket } from 'node:net'
import { callbackify } from 'node:util'
import { createTransport, type SMTPConnectionOptions, type Transporter } from 'nodemailer'
import { machine } from '#events/node/index.ts'
import { isLoopback } from '#events/node/loopback.ts'
import { openTunnel, type ProxyFailed } from '#events/node/proxiedAgent.ts'
import { type Proxy, proxyFor, type ProxySettings } from '#events/node/proxy.ts'
import { productName } from '#server/platform/config.ts'
import { accessToken, forgetToken, type MailApplication } from './accessToken.ts'
import { mailHtml } from './mailHtml.ts'
import { mailProblem } from './mailProblem.ts'

/**
 * A mail server. `usesTls`: STARTTLS if offered, and always for a password; `requiresTls`: only with STARTTLS; `beginsWithTls`:
 * TLS from the first byte. With TLS the certificate must be valid, and there is no fallback to plain text. `ehloName` is the
 * name of this server in the greeting.
 */
export type MailServer = {
  host: string
  port: number
  from: string
  auth: ({ user: string } & ({ password: string } | { application: MailApplication })) | undefined
  usesTls: boolean
  requiresTls: boolean
  beginsWithTls: boolean
  ehloName?: string | undefined
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

/** Estimated bytes of a mail in transit: attachments are a third larger, and the text is also sent as HTML. */
const sizeOf = ({ text, files = [] }: Mail): number =>
  files.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length * 1.37), 4_000 + 3 * Buffer.byteLength(text))

/**
 * Sends a mail through the server, which is reached through the proxy of the environment for https. Many proxies only connect
 * to web servers: then the mail server is reached directly. Throws `NotSent` with the reason for users.
 */
export async function sendMail(
  server: MailServer,
  mail: Mail,
  limit = defaultTimeoutMs(mail),
  proxies = machine().proxies,
): Promise<void> {
  const { host, port } = server
  const signal = AbortSignal.timeout(limit)
  const proxy = proxyFor(proxies, { protocol: 'https:', hostname: host, port })
  const offer = readOffer()
  const transport = createTransport({
    ...(proxy && { proxy: proxy.url.href }),
    host,
    port,
    ...(server.ehloName && { name: server.ehloName }),
    secure: server.beginsWithTls,
    requireTLS: needsStartTls(server),
    ignoreTLS: !server.usesTls,
    ...(server.auth && { auth: await signInOf(server.auth, proxies) }),
    customAuth: { PLAIN: (context) => signInByPlain(context, offer.methods()) },
    logger: offer.logger,
    transactionLog: true,
    ...timeouts(limit),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const proxyFailed = proxy && connectThrough(transport, proxy, server)
  const { messageId, files = [], ...content } = mail
  const domain = server.from.slice(server.from.lastIndexOf('@') + 1)
  await transport
    .sendMail({
      ...content,
      html: mailHtml(content.subject, content.text),
      from: { name: productName, address: server.from },
      // With the size, a server that announced a smaller limit refuses the mail before it is transferred.
      envelope: { from: server.from, to: mail.to, size: sizeOf(mail) },
      ...(messageId && { messageId: `<${messageId.replace(/[^\w.-]/g, '-')}@${domain}>` }),
      attachments: files.map(({ name, bytes }) => ({ filename: name, content: bytes })),
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal,
    })
    .catch((error: unknown) => {
      if ((error as { code?: string }).code === 'EAUTH') forgetToken()
      const by = !server.auth ? undefined : 'password' in server.auth ? 'password' : 'token'
      throw mailProblem(error, { host, port, proxyReason: proxyFailed?.(), by, offered: offer.methods() }, limit)
    })
}

const timeouts = (limit: number) => ({
  connectionTimeout: limit,
  greetingTimeout: limit,
  socketTimeout: limit,
  dnsTimeout: limit,
  socketCloseTimeout: 0,
})

const signInOf = async (auth: NonNullable<MailServer['auth']>, proxies: ProxySettings) =>
  'password' in auth
    ? { user: auth.user, pass: auth.password }
    : { type: 'OAuth2', user: auth.user, accessToken: await accessToken(auth.application, proxies) }

/** Reads the sign-in methods that the server offers from its responses, because nodemailer only keeps those it knows. */
function readOffer() {
  let methods: string[] = []
  const debug = ({ tnx }: { tnx?: string }, text: unknown) => {
    if (tnx !== 'server' || typeof text !== 'string' || !/^250[ -]AUTH[ =]/im.test(text)) return
    const names = [...text.matchAll(/^250[ -]AUTH[ =](.{0,500})/gim)].flatMap(([, names = '']) => names.split(/[\s=]+/))
    methods = [...new Set(names.map((name) => name.toUpperCase()))].filter((name) => /^[\w-]{1,20}$/.test(name))
  }
  return { methods: () => methods, logger: { debug } }
}

type PlainSignIn = Parameters<NonNullable<SMTPConnectionOptions['customAuth']>[string]>[0]

/** Like that of nodemailer, but a server that offers other methods only doesn't get the password. */
async function signInByPlain({ auth, sendCommand }: PlainSignIn, offered: readonly string[]): Promise<void> {
  if (offered.length > 0 && !offered.includes('PLAIN')) throw new Error('PLAIN is not offered')
  const { user, pass } = auth.credentials
  if (!pass) throw new Error('There is no password')
  const { response } = await sendCommand(`AUTH PLAIN ${Buffer.from(`\0${user}\0${pass}`).toString('base64')}`)
  if (!response.startsWith('2')) throw new Error('Invalid login')
}

/** Anyone between could remove the offer of TLS, and read a password that follows. */
function needsStartTls({ host, auth, usesTls, requiresTls, beginsWithTls }: MailServer): boolean {
  return !beginsWithTls && (requiresTls || (usesTls && auth !== undefined && !isLoopback(host)))
}

type Connected = (error: Error | null, socket: { connection: Socket } | false) => void

/**
 * Makes a transport connect through a proxy, or directly if that fails. Returns a function that returns the reason of the
 * failure, if there was one.
 */
function connectThrough(transport: Pick<Transporter, 'set'>, proxy: Proxy, { host, port }: MailServer) {
  let reason: string | undefined
  const tunnel = async () => {
    try {
      return { connection: await openTunnel(proxy, host, port) }
    } catch (error) {
      reason = (error as ProxyFailed).message
      return false
    }
  }
  const open = (_: unknown, __: unknown, done: Connected) => callbackify(tunnel)(done)
  transport.set(`proxy_handler_${proxy.url.protocol.replace(':', '')}`, open)
  return () => reason
}
