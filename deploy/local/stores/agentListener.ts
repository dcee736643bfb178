import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, isIP, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { openAgentGate } from './agentGate.ts'
import type { AgentsListen } from '#server/platform/config.ts'

/** Address for agents on other machines. */
type AgentListener = { url: string; stop(): Promise<void> }

/** Milliseconds for a client to agree on TLS and to present the key of an agent. */
const signInTimeoutMs = 10_000

/**
 * Accepts agents of other machines and forwards them to the embedded nats-server, which listens only on this machine.
 * Only the server's greeting is unencrypted; it announces TLS, as usual for NATS. Clients still have to sign in with
 * the key of an agent. A reload certificate applies from the next connection on. Throws without a certificate, or if
 * it names no host.
 */
export async function listenForAgents(listen: AgentsListen, natsPort: number): Promise<AgentListener> {
  const name = hostNameOf(readPem(listen.cert), listen)
  let context = readContext(listen)
  const gate = openAgentGate()
  const server = createServer((agent) => {
    const { signedIn } = gate.admit(agent)
    context = reload(context, listen)
    forward(agent, connect(natsPort, '127.0.0.1'), context, signedIn)
  })
  server.listen(listen.port, listen.host)
  await once(server, 'listening')
  // Of a connection that can't be accepted, such as without a free file descriptor: the agent tries again.
  server.on('error', () => {})
  const { port } = server.address() as AddressInfo
  return {
    url: `tls://${isIP(name) === 6 ? `[${name}]` : name}:${port}`,
    async stop() {
      server.close()
      gate.end()
      await once(server, 'close')
    },
  }
}

/**
 * Forwards data both ways. If one side closes, the other is closed, too. Calls `signedIn` when nats-server accepts the key of
 * an agent: it answers the PING that clients send with it, and answers strangers only with errors.
 */
function forward(agent: Socket, nats: Socket, secureContext: SecureContext, signedIn: () => void): void {
  const end = () => void (agent.destroy(), nats.destroy())
  const late = setTimeout(end, signInTimeoutMs)
  for (const side of [agent, nats]) side.setNoDelay(true).on('error', end).on('close', end)
  agent.on('close', () => clearTimeout(late))
  nats.once('data', (data) => {
    const greeting = requireTls(data.toString())
    if (greeting === undefined) return end()
    agent.write(greeting)
    const secure = new TLSSocket(agent, { isServer: true, secureContext })
    secure.on('error', end).on('_tlsError', end).on('close', end)
    const watch = acceptance(() => {
      nats.off('data', watch)
      clearTimeout(late)
      signedIn()
    })
    nats.on('data', watch)
    nats.pipe(secure).pipe(nats)
  })
}

/** Calls `accepted` for the first line `PONG` or `+OK` in the data; lines may be split. */
function acceptance(accepted: () => void): (data: Buffer) => void {
  let rest = ''
  return (data) => {
    const lines = (rest + data.toString('latin1')).split('\r\n')
    rest = (lines.pop() ?? '').slice(-maxLineLength)
    if (lines.some((line) => line === 'PONG' || line === '+OK')) accepted()
  }
}
/** Longer than the lines that matter; of others the end is enough. */
const maxLineLength = 16

/**
 * `INFO {…}`, the first line from NATS, changed to require TLS and to hide its address. Undefined for other messages,
 * such as too many connections.
 */
function requireTls(greeting: string): string | undefined {
  const [, text] = /^INFO (\{.*\})\s*$/.exec(greeting) ?? []
  if (text === undefined) return undefined
  const { host: _, port: __, client_ip: ___, ...info } = JSON.parse(text) as Record<string, unknown>
  return `INFO ${JSON.stringify({ ...info, tls_required: true })}\r\n`
}

const readContext = ({ cert, key }: AgentsListen): SecureContext =>
  createSecureContext({ cert: readPem(cert), key: readPem(key), minVersion: 'TLSv1.2' })

/** Reloads the certificate. Keeps the known one while the files are being written. */
function reload(known: SecureContext, listen: AgentsListen): SecureContext {
  try {
    return readContext(listen)
  } catch {
    return known
  }
}

function readPem(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`${file} cannot be read (${code}): see AGENTS_TLS_CERT and AGENTS_TLS_KEY`, { cause: error })
  }
}

/** Host name for agents that matches the certificate: that of the address, else the first name in the certificate. */
function hostNameOf(pem: string, { host, cert }: AgentsListen): string {
  const certificate = new X509Certificate(pem)
  if (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) return host
  const names = (certificate.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^\s,*]+)/g)
  const [first] = [...names].map(([, name = '']) => name)
  if (first === undefined)
    throw new Error(`The certificate ${cert} names no host (subjectAltName): agents could not trust it`)
  return first
}
