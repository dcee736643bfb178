import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, isIP, type Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { AgentsListen } from '#server/config.ts'

/** Where agents of other machines connect. */
type AgentListener = { url: string; stop(): Promise<void> }

/** Milliseconds that a stranger has to agree on TLS. */
const patience = 10_000
/** How many may be connected at once, and how many of them from one address, so that no stranger holds all places. */
const mostAgents = 1_000
const mostOfAddress = 100

/**
 * Listens for agents of other machines and passes them on to the embedded nats-server, which itself is reached from this
 * machine only. Nothing goes unencrypted but the server's greeting, which says so: the way NATS begins TLS. Who connects
 * still has to sign in with the key of an agent. A certificate that is renewed in its files counts from the next
 * connection on. Throws when there is none, or when it names no host.
 */
export async function listenForAgents(listen: AgentsListen, natsPort: number): Promise<AgentListener> {
  const name = nameOf(readPem(listen.cert), listen)
  let context = readContext(listen)
  const connected = new Set<Socket>()
  const server = createServer((agent) => {
    const { remoteAddress } = agent
    const ofAddress = [...connected].filter((other) => other.remoteAddress === remoteAddress).length
    if (ofAddress >= mostOfAddress) return void agent.destroy()
    connected.add(agent)
    agent.on('close', () => connected.delete(agent))
    context = renewed(context, listen)
    passOn(agent, connect(natsPort, '127.0.0.1'), context)
  })
  server.maxConnections = mostAgents
  server.listen(listen.port, listen.host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `tls://${isIP(name) === 6 ? `[${name}]` : name}:${port}`,
    async stop() {
      server.close()
      for (const agent of connected) agent.destroy()
      await once(server, 'close')
    },
  }
}

/** When one side goes, so does the other. */
function passOn(agent: Socket, nats: Socket, secureContext: SecureContext): void {
  const end = () => void (agent.destroy(), nats.destroy())
  const late = setTimeout(end, patience)
  for (const side of [agent, nats]) side.setNoDelay(true).on('error', end).on('close', end)
  agent.on('close', () => clearTimeout(late))
  nats.once('data', (said) => {
    const greeting = asksForTls(said.toString())
    if (greeting === undefined) return end()
    agent.write(greeting)
    const secure = new TLSSocket(agent, { isServer: true, secureContext })
    secure.on('error', end).on('_tlsError', end).on('close', end)
    secure.on('secure', () => clearTimeout(late))
    nats.pipe(secure).pipe(nats)
  })
}

/**
 * `INFO {…}`, the first that NATS says, with the word that TLS comes next, and nothing of where it runs. Undefined where it
 * says something else, such as that there are too many connections.
 */
function asksForTls(said: string): string | undefined {
  const [, text] = /^INFO (\{.*\})\s*$/.exec(said) ?? []
  if (text === undefined) return undefined
  const { host: _, port: __, client_ip: ___, ...info } = JSON.parse(text) as Record<string, unknown>
  return `INFO ${JSON.stringify({ ...info, tls_required: true })}\r\n`
}

const readContext = ({ cert, key }: AgentsListen): SecureContext =>
  createSecureContext({ cert: readPem(cert), key: readPem(key), minVersion: 'TLSv1.2' })

/** While the files are being written, what is known stays. */
function renewed(known: SecureContext, listen: AgentsListen): SecureContext {
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

/** By what name agents are to connect, so that the certificate is the right one: that of the address, else its first. */
function nameOf(pem: string, { host, cert }: AgentsListen): string {
  const certificate = new X509Certificate(pem)
  if (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) return host
  const names = (certificate.subjectAltName ?? '').matchAll(/(?:DNS|IP Address):([^\s,*]+)/g)
  const [first] = [...names].map(([, name = '']) => name)
  if (first === undefined)
    throw new Error(`The certificate ${cert} names no host (subjectAltName): agents could not trust it`)
  return first
}
