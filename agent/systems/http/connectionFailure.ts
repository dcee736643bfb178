import { cleanLine } from '#events/contract/cleanText.ts'
import { ProxyFailed } from '#events/node/proxiedAgent.ts'
import { ScanFailed, StoreBusy } from '../system.ts'
import { RefusedAddress } from './addresses.ts'
import { NoAnswer } from './transport.ts'

/** The parts of a request that messages about its connection name. */
export type HostContext = {
  host: string
  /** True if the host has answered a request before: then a failure may pass in a moment. */
  hasAnswered: boolean
  /** Secrets that no message may contain. */
  secrets: readonly string[]
  /** Text that follows the message about an unknown host. */
  hint?: string
  /** True if its address begins with http: because a user typed that. */
  isTypedPlain?: boolean
}

const untrusted: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it signed it itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not known',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not known',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name',
}

/** Before the first answer a failed connection is a fault of the set-up; after it the network may come back. */
export function connectionFailure(error: unknown, context: HostContext): Error {
  const code = codeOf(error)
  const reason = whyNotConnected(error, code, context)
  if (error instanceof RefusedAddress || code in untrusted) return new ScanFailed(reason)
  return context.hasAnswered ? new StoreBusy(reason) : new ScanFailed(reason)
}

function whyNotConnected(error: unknown, code: string, context: HostContext): string {
  const { host } = context
  if (error instanceof RefusedAddress) return `The host ${host} resolves to a cloud metadata address, which is blocked`
  if (error instanceof ProxyFailed) return error.message
  if (error instanceof NoAnswer) return `The host ${host} does not answer`
  if (code in untrusted)
    return `The certificate of ${host} is not trusted: ${untrusted[code]}. Authorities to trust are a file in NODE_EXTRA_CA_CERTS of the agent`
  const known = reasons.find(({ codes }) => codes.test(code))
  if (known) return known.reason(context)
  const message = error instanceof Error ? error.message : String(error)
  return `The host ${host} could not be reached: ${withoutSecrets(message, context.secrets)}`
}

const reasons: { codes: RegExp; reason: (context: HostContext) => string }[] = [
  {
    codes: /^(ENOTFOUND|EAI_AGAIN|EAI_NODATA)$/,
    reason: ({ host, hint }) =>
      `The agent can't find the host "${host}". Check ${hint || 'the name'}, or DNS on the agent's machine.`,
  },
  { codes: /^ECONNREFUSED$/, reason: ({ host }) => `The host ${host} refused the connection: nothing answers there` },
  { codes: /^ETIMEDOUT$/, reason: ({ host }) => `The host ${host} does not answer` },
  { codes: /^(EHOSTUNREACH|ENETUNREACH)$/, reason: ({ host }) => `The host ${host} cannot be reached` },
  {
    codes: /^(ECONNRESET|EPIPE)$/,
    reason: ({ host, isTypedPlain, hasAnswered }) =>
      `The host ${host} ended the connection${isTypedPlain && !hasAnswered ? ': is it https?' : ''}`,
  },
  { codes: /^(EPROTO$|ERR_SSL)/, reason: ({ host }) => `The host ${host} does not speak TLS there: is it http?` },
  {
    codes: /^HPE_/,
    reason: ({ host, isTypedPlain }) =>
      `The host ${host} does not speak HTTP there${isTypedPlain ? ': is it https?' : ''}`,
  },
]

/** The code of an error, or that of the first of several addresses that were tried. */
export function codeOf(error: unknown): string {
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  return code ?? errors?.[0]?.code ?? ''
}

/** Characters of a message that are looked through. */
const maxMessage = 256 * 1024

/** The store's own message, on one line and without secrets. */
export function withoutSecrets(message: string, secrets: readonly string[]): string {
  const hidden = secrets
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '…'), message.slice(0, maxMessage))
  return cleanLine(hidden, 300)
}
