import { cleanLine } from '#events/contract/cleanText.ts'
import { productName } from '#server/platform/config.ts'
import { NotSent } from './notSent.ts'

/**
 * `proxyReason`: reason why the proxy didn't connect to the server, which was then tried directly. `by`: kind of the sign-in, if
 * there was to be one, and `offered`: methods of the server.
 */
type Server = {
  host: string
  port: number
  proxyReason?: string | undefined
  by?: 'password' | 'token' | undefined
  offered: readonly string[]
}

/** Error properties of a failed delivery. */
type Failure = {
  message: string
  code?: string
  originalCode?: string
  /** The failed command: `RCPT TO`, `AUTH PLAIN` … */
  command?: string
  response?: string
  permanent?: boolean
  responseCode?: number
}

/** Returns the reason of a failed delivery. Only rejections of this recipient or this mail are permanent. */
export function mailProblem(error: unknown, server: Server, limit: number): NotSent {
  const failure = error as Failure
  const isTooLarge = isSizeProblem(failure)
  const isRefused = failure.permanent === true && ['RCPT TO', 'DATA'].includes(failure.command ?? '')
  const permanent = isTooLarge || (isRefused && !isGreetingProblem(failure))
  const reason = reasonOf(failure, server, limit)
  const { proxyReason } = server
  const whole = proxyReason === undefined || failure.response !== undefined ? reason : `${reason}. ${proxyReason}`
  return new NotSent(whole, { permanent, isTooLarge, cause: error })
}

/** Servers answer 552 or 523, or another code with 5.3.4 or 5.2.3; nodemailer itself compares with an announced limit. */
const isSizeProblem = ({ code, responseCode, response = '' }: Failure): boolean =>
  (code === 'EMESSAGE' && responseCode === undefined) ||
  (responseCode === 552 && !/\b5\.2\.2\b/.test(response)) ||
  responseCode === 523 ||
  /^5\d\d[ -]5\.(3\.4|2\.3)\b/.test(response)

/** Servers that check the greeting may refuse it only at the recipient, as `Helo command rejected`. */
const isGreetingProblem = ({ command = '', response = '' }: Failure): boolean =>
  ['EHLO', 'HELO'].includes(command) || /\b(helo|ehlo)\b/i.test(response)

function reasonOf(failure: Failure, server: Server, limit: number): string {
  const where = `The mail server ${server.host}:${server.port}`
  const { code, response } = failure
  if (code === 'EABORT' || code === 'ETIMEDOUT') return `${where} did not answer within ${limit / 1_000} seconds`
  if (code === 'EDNS') return `There is no mail server named ${server.host}`
  if (isSizeProblem(failure))
    return `${where} does not accept emails of this size${quoted(response ?? failure.message)}`
  if (response && isGreetingProblem(failure))
    return `${where} refused the name of this server. Enter a full EHLO name in the email settings${quoted(response)}`
  if (code === 'ETLS' || failure.originalCode) return connectionProblem(failure, where, server)
  const atSignIn = signInProblem(failure, where, server)
  if (atSignIn !== undefined) return atSignIn
  if (response) return `${where} refused ${refused[failure.command ?? ''] ?? 'the command'}${quoted(response)}`
  if (code === 'ECONNECTION') return `${where} closed the connection`
  return `${where} could not be used: ${failure.message}`
}

const passwordMethods = ['PLAIN', 'LOGIN', 'CRAM-MD5']

/** Refusals by Exchange Online that concern every password, also the right one. */
const refusesPasswords = /\b5\.7\.(139|30)\b/

function signInProblem({ code, responseCode, response }: Failure, where: string, server: Server): string | undefined {
  const said = quoted(response)
  const { by, offered } = server
  if (responseCode === 530 && by !== undefined && offered.length === 0)
    return `${where} offers no sign-in on this connection. Switch on TLS in the email settings${said}`
  if (code !== 'EAUTH') return undefined
  const isSupported = offered.some((method) => (by === 'token' ? ['XOAUTH2'] : passwordMethods).includes(method))
  const isMismatch = offered.length > 0 && !isSupported
  const offers = `${where} only offers ${offered.join(', ')} to sign in`
  if (by === 'token')
    return isMismatch
      ? `${offers}. Choose the sign-in by password in the email settings${said}`
      : `${where} refused the access token. ${checkRights}${said}`
  if (isMismatch) return `${offers}${offered.some(isForTokens) ? `, and no password. ${alternatives}` : others}${said}`
  if (refusesPasswords.test(response ?? '')) return `${where} accepts no password. ${alternatives}${said}`
  return response === undefined
    ? `${where} requires a password. Set it in the email settings`
    : `${where} refused the username or the password${said}`
}

const isForTokens = (method: string): boolean => method === 'XOAUTH2' || method === 'OAUTHBEARER'

const checkRights = 'Check that SMTP is enabled for the mailbox, and that the application may send as the username'
const others =
  `. ${productName} supports ${passwordMethods.join(', ')} and XOAUTH2. Enable one of these on the mail server, ` +
  'or a connector that accepts mail of this host without a sign-in'
const alternatives =
  'Choose the sign-in of Microsoft 365 or Google in the email settings, or use a relay connector or high volume email'

function connectionProblem({ message, originalCode, response }: Failure, where: string, server: Server): string {
  if (originalCode === 'ECONNREFUSED') return `${where} refused the connection`
  if (originalCode === 'ECONNRESET') return `${where} closed the connection`
  if (originalCode === 'ERR_SSL_WRONG_VERSION_NUMBER') return `${where} does not accept TLS on connect`
  if (originalCode && unreachable.includes(originalCode)) return `${where} cannot be reached`
  if (response) return `${where} offers no TLS, which the settings require${quoted(response)}`
  // Node appends advice for the operator.
  const why = message.replace('Error initiating TLS - ', '').replace(/;.*/s, '')
  return (
    `The connection to the mail server ${server.host}:${server.port} is not safe: ${why}. ` +
    `Its certificate must be valid for ${server.host}; NODE_EXTRA_CA_CERTS may name an authority of your own`
  )
}

const unreachable = ['EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']

const refused: Record<string, string> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  DATA: 'the mail',
  CONN: 'the connection',
}

/** The server's response, on one line and shortened. */
const quoted = (response: string | undefined): string => (response ? `: ${cleanLine(response, 300)}` : '')
