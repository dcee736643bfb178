import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import { openTunnel } from '#events/node/proxiedAgent.ts'
import type { Proxy } from '#events/node/proxy.ts'

/** Checks of a certificate in place of those by the authorities that Node.js trusts. */
export type CertificateCheck = {
  /** SHA-256 of the one certificate that is accepted, with any signer. */
  fingerprint?: string | undefined
  /** Authorities to trust, in PEM. */
  ca?: string
}

/** A certificate that is not accepted. `fingerprint` is that of the presented one, as Node.js writes it: 'AB:CD:…'. */
export class UntrustedCertificate extends Error {
  /** Code of OpenSSL or Node.js; '' where the fingerprint differs from the expected one. */
  code: string
  fingerprint: string
  constructor(code: string, fingerprint: string) {
    super(`Certificate ${fingerprint} is not trusted`)
    this.code = code
    this.fingerprint = fingerprint
  }
}

/** The failure in a sentence for people. */
export function untrustedReason({ code, fingerprint }: UntrustedCertificate, host: string): string {
  if (code === '')
    return `The certificate of ${host} is not the expected one. Its SHA-256 fingerprint is ${fingerprint}. If the certificate was replaced, enter this fingerprint.`
  return `The certificate of ${host} is not trusted (${code}). If its SHA-256 fingerprint ${fingerprint} is the one of this server, enter it in the settings.`
}

type Created = (error: Error | null, stream: Duplex) => void

const handshakeMs = 30_000
const digitsOf = (fingerprint: string) => fingerprint.replaceAll(':', '').toUpperCase()

/** Hands a connection to a request only after its certificate was accepted, so that no password is sent before. */
export class CheckedAgent extends Agent {
  readonly #check: CertificateCheck
  readonly #proxy: Proxy | undefined
  readonly #opening = new Set<TLSSocket>()

  constructor(options: AgentOptions, check: CertificateCheck, proxy?: Proxy) {
    super(options)
    this.#check = check
    this.#proxy = proxy
  }

  override createConnection(options: RequestOptions, created: Created = () => {}): undefined {
    if (!this.#proxy) return this.#open(options, created)
    const { host, port } = options
    openTunnel(this.#proxy, host ?? '', Number(port ?? 443)).then(
      (socket) => this.#open({ ...options, socket }, created),
      // The types have no failure without a connection.
      (error: Error) => created(error, undefined as never),
    )
  }

  override destroy(): void {
    for (const socket of this.#opening) socket.destroy()
    super.destroy()
  }

  #open(options: RequestOptions & { socket?: Duplex }, created: Created): undefined {
    const { fingerprint, ca } = this.#check
    const socket = connect({ ...(options as object), ...(ca && { ca }), rejectUnauthorized: false })
    this.#opening.add(socket)
    const end = (error: Error | null) => {
      if (!this.#opening.delete(socket)) return
      socket.setTimeout(0).off('error', end).off('close', closed).off('timeout', timedOut)
      created(error, socket)
      if (error) socket.destroy()
    }
    const closed = () => end(Object.assign(new Error('The connection was closed'), { code: 'ECONNRESET' }))
    const timedOut = () => end(Object.assign(new Error('The handshake takes too long'), { code: 'ETIMEDOUT' }))
    socket.setTimeout(handshakeMs).on('error', end).on('close', closed).on('timeout', timedOut)
    socket.once('secureConnect', () => end(faultOf(socket, fingerprint)))
  }
}

function faultOf(socket: TLSSocket, expected: string | undefined): UntrustedCertificate | null {
  const { fingerprint256: presented = '' } = socket.getPeerCertificate()
  const isPinned = expected !== undefined && expected !== ''
  if (isPinned) return digitsOf(expected) === digitsOf(presented) ? null : new UntrustedCertificate('', presented)
  // The types have an error; at run time it is the code.
  return socket.authorized ? null : new UntrustedCertificate(String(socket.authorizationError), presented)
}
