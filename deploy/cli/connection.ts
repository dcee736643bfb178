import { createReadStream, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { exitCodes, Failure, UsageError } from './failures.ts'
import type { Values } from './options.ts'

/** Address of the product, and the API token for it. */
export type Connection = { server: string; token: string | undefined }

type Environment = Record<string, string | undefined>

const settingsFile = (env: Environment): string =>
  join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'dataintell/config.json')

/**
 * Returns the server and the token of a command. A token belongs to the place that names the server: that of a profile is never sent to
 * another server. Throws a `UsageError` without a server.
 */
export function findConnection(values: Values, env: Environment): Connection {
  const { server, profile, 'token-file': tokenFile } = values as Record<string, string | undefined>
  const named = server ?? (profile === undefined ? env['DATAINTELL_SERVER'] : undefined)
  if (named) return { server: addressOf(named), token: readToken(addressOf(named), tokenFile, env) }
  const saved = findProfile(profile, env)
  return { server: addressOf(saved.server), token: readTokenFile(tokenFile ?? saved.tokenFile) }
}

function readToken(server: string, tokenFile: string | undefined, env: Environment): string | undefined {
  const { DATAINTELL_TOKEN: token, DATAINTELL_TOKEN_FILE: file, DATAINTELL_SERVER: own } = env
  if (tokenFile !== undefined) return readTokenFile(tokenFile)
  if (token && file) throw new UsageError('DATAINTELL_TOKEN and DATAINTELL_TOKEN_FILE are both set. Unset one of them.')
  if ((token || file) && own && addressOf(own) !== server)
    throw new UsageError(
      `The API token of the environment is for ${addressOf(own)}. For ${server}, add --token-file FILE, or run "dataintell login".`,
    )
  return file ? readTokenFile(file) : token ? checkToken(token, 'DATAINTELL_TOKEN') : undefined
}

/** Returns a token without spaces around it. Throws a `UsageError`, which never contains the text, unless it can be a token. */
export function checkToken(text: string, source: string): string {
  const token = text.trim()
  if (/^[!-~]+$/.test(token)) return token
  throw new UsageError(`${source} must have one API token, without spaces and line breaks. Copy it again.`)
}

/** Reads a token. Throws a `UsageError` if other users can read the file, as ssh does. */
function readTokenFile(file: string): string {
  let token: string | undefined
  try {
    if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) token = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`The token file ${file} can't be read: ${(error as Error).message}.`)
  }
  if (token !== undefined) return checkToken(token, `The token file ${file}`)
  throw new UsageError(`Other users can read the token file ${file}. Run: chmod 600 '${file}'`)
}

/** Addresses of saved servers by the names of their profiles. Each has its token next to the settings. */
function readProfiles(env: Environment): Record<string, string> {
  const file = settingsFile(env)
  try {
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}. Correct or delete it.`)
  }
}

const tokenFileOf = (name: string, env: Environment): string => join(dirname(settingsFile(env)), `${name}.token`)

function findProfile(wanted: string | undefined, env: Environment): { server: string; tokenFile: string } {
  const profiles = readProfiles(env)
  const [first] = Object.keys(profiles)
  const name = wanted ?? first ?? ''
  const server = profiles[name]
  if (server) return { server, tokenFile: tokenFileOf(name, env) }
  const fault = wanted === undefined ? 'No server is known.' : `There is no profile ${wanted}.`
  const known = first === undefined ? '' : ` Known: ${Object.keys(profiles).join(', ')}.`
  const hint = 'Run "dataintell login ADDRESS", or set DATAINTELL_SERVER and DATAINTELL_TOKEN_FILE.'
  throw new UsageError(`${fault}${known} ${hint}`)
}

/** Saves a server and its token, which only this user can read. Returns the file with the token. */
export function saveProfile(name: string, { server, token = '' }: Connection, env: Environment): string {
  // JSON objects have numbers first, so that one would become the default.
  if (!/^(?!\d+$)[\w.-]+$/.test(name))
    throw new UsageError(`${name} can't be the name of a profile. Use letters, or letters and digits.`)
  const [file, tokenFile] = [settingsFile(env), tokenFileOf(name, env)]
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // The mode of a file that exists would stay.
  rmSync(tokenFile, { force: true })
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 })
  writeFileSync(file, `${JSON.stringify({ ...readProfiles(env), [name]: server }, undefined, 2)}\n`)
  return tokenFile
}

/** The address without a slash at its end. Throws a `UsageError` unless it is one of HTTP. */
export function addressOf(text: string): string {
  const address = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!address)
    throw new UsageError(`${text} is not the address of a server. Write it as https://dataintell.example.com.`)
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}`
}

/** A request below `/api`. The body is JSON, or a file that is sent as it is read. */
export type ApiRequest = { method: string; path: string; body?: unknown; file?: string }

const maxDelaySeconds = 60

/** Sends a request. Waits and tries again if the server is busy. Throws a `Failure` unless it succeeds. */
export async function send(connection: Connection, request: ApiRequest, retries = 3): Promise<Response> {
  const { server, token } = connection
  const { method, path, body, file } = request
  const response = await fetch(`${server}/api${path}`, {
    method,
    // Another address would get no token, and a POST would become a GET.
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      'user-agent': 'dataintell-cli',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file !== undefined && { body: Readable.toWeb(createReadStream(file)) as never, duplex: 'half' as const }),
  }).catch((error: Error & { cause?: Error }) => {
    const fault = error.cause?.message || error.message
    throw new Failure(`${server} can't be reached: ${fault}. Check the address.`, exitCodes.failed, true)
  })
  const location = response.headers.get('location')
  if (location !== null) throw new Failure(`${server} redirects to ${location}. Use the address of the product itself.`)
  const isBusy = response.status === 429 || response.status >= 500
  const isPage = !isBusy && response.headers.get('content-type')?.includes('html')
  if (isPage) throw new Failure(`${server} answered with a web page instead of data. Check the address.`)
  if (response.ok) return response
  const delayMs = retries > 0 ? retryDelayMs(request, response) : undefined
  if (delayMs !== undefined) {
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, delayMs))
    return send(connection, request, retries - 1)
  }
  throw await failureOf(response, connection, isBusy)
}

/** Delay after which a request that only reads is sent again; undefined if it isn't. */
function retryDelayMs({ method, path }: ApiRequest, { status, headers }: Response): number | undefined {
  const isRead = method === 'GET' || path.startsWith('/v1/search')
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return isRead && [429, 503].includes(status) && seconds <= maxDelaySeconds ? seconds * 1000 : undefined
}

const maxOutageMs = 300_000

/** Repeats a read while the server can't be reached or is busy, and throws its last error after 5 minutes. */
export async function retryUntilAvailable<T>(
  read: () => Promise<T>,
  note: (text: string) => void,
  delayMs = 5_000,
): Promise<T> {
  for (let first: number | undefined; ;) {
    try {
      return await read()
    } catch (error) {
      const isCut = error instanceof TypeError && error.message === 'terminated'
      const fault = isCut ? 'The answer of the server was cut off.' : (error as Error).message
      if (!(isCut || (error as Failure).isTemporary) || Date.now() - (first ?? Date.now()) > maxOutageMs) throw error
      if (first === undefined) note(`${fault} Trying again for 5 minutes.`)
      first ??= Date.now()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
  }
}

type Problem = { message?: string; subErrors?: { field: string; message: string }[] }

async function failureOf(response: Response, { server, token }: Connection, isBusy: boolean): Promise<Failure> {
  const text = await response.text()
  let problem: Problem = {}
  try {
    problem = JSON.parse(text) as Problem
  } catch {
    // A proxy answered.
  }
  const { message = `${server} answered with ${response.status}.`, subErrors = [] } = problem
  const login =
    token === undefined ? 'No API token is set. Set DATAINTELL_TOKEN_FILE' : 'Add a token at Settings > Tokens'
  const hint = response.status === 401 ? [`${login}, or run "dataintell login ADDRESS".`] : []
  const lines = [message, ...subErrors.map(({ field, message }) => `  ${field} ${message}`), ...hint]
  return new Failure(lines.join('\n'), exitOf[response.status], isBusy)
}

const { usage, notAllowed, notFound } = exitCodes
const exitOf: Record<number, number> = { 400: usage, 401: notAllowed, 403: notAllowed, 404: notFound }
