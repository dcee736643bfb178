import { Agent, type AgentOptions } from 'node:https'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'

/** Certificates that a server may show: the one with this SHA-256 as Node.js writes it, `AB:CD:…`; without it, any trusted one. */
export type AcceptedCertificate = { fingerprint: string | undefined }

/** A certificate that is not accepted. `code` is OpenSSL's or Node's, or `PINNED` where another one is expected. */
export class UntrustedCertificate extends Error {
  code: string
  /** SHA-256 of the certificate shown, as Node.js writes it. */
  fingerprint: string
  constructor(code: string, fingerprint: string) {
    super(`${code}: ${fingerprint}`)
    this.code = code
    this.fingerprint = fingerprint
  }
}

const handshakeMs = 30_000

/**
 * Connections whose certificate is checked before a request is sent, so that no other server sees a password. A failed check throws
 * `UntrustedCertificate`.
 */
export function checkingAgent({ fingerprint }: AcceptedCertificate, options: AgentOptions): Agent {
  const agent = new Agent(options)
  agent.createConnection = (options, created) => {
    // What it is connected to is checked below: Node would not name the certificate that it refuses.
    const socket = connect({ ...(options as ConnectionOptions), rejectUnauthorized: false })
    const fail = (error: Error) => {
      socket.destroy()
      created?.(error, socket)
    }
    const hang = () => fail(new Error(`No TLS connection in ${handshakeMs} ms`))
    socket.setTimeout(handshakeMs, hang)
    socket.once('error', fail).once('secureConnect', () => {
      const shown = socket.getPeerCertificate().fingerprint256
      const fault = fingerprint === undefined ? faultOf(socket) : shown === fingerprint ? undefined : 'PINNED'
      if (fault !== undefined) return fail(new UntrustedCertificate(fault, shown))
      socket.off('error', fail).off('timeout', hang).setTimeout(0)
      created?.(null, socket)
    })
    return undefined
  }
  return agent
}

/** The types leave out that this is the code of an error. */
const faultOf = ({ authorized, authorizationError }: TLSSocket): string | undefined =>
  authorized ? undefined : String(authorizationError)
