import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { exitCodes, Failure, UsageError } from './failures.ts'
import type { Values } from './options.ts'

/** Address of the product, and the API token for it. */
export type Connection = { server: string; token: string | undefined }

/** A saved server. `tokenFile` is in the folder of the settings unless it is absolute. */
type Profile = { server: string; tokenFile: string }
type Settings = { profiles: Record<string, Profile> }
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
  if (named) return { server: addressOf(named), token: readToken(tokenFile, env) }
  const saved = findProfile(profile, env)
  return {
    server: addressOf(saved.server),
    token: readTokenFile(tokenFile ?? join(dirname(settingsFile(env)), saved.tokenFile)),
  }
}

function readToken(tokenFile: string | undefined, env: Environment): string | undefined {
  const { DATAINTELL_TOKEN: token, DATAINTELL_TOKEN_FILE: file } = env
  if (tokenFile !== undefined) return readTokenFile(tokenFile)
  if (token && file) throw new UsageError('DATAINTELL_TOKEN and DATAINTELL_TOKEN_FILE are both set. Unset one of them.')
  return file ? readTokenFile(file) : token || undefined
}

/** Reads a token. Throws a `UsageError` if other users can read the file, as ssh does. */
function readTokenFile(file: string): string {
  let mode: number
  try {
    mode = statSync(file).mode
    if (process.platform === 'win32' || (mode & 0o077) === 0) return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`The token file ${file} can't be read: ${(error as Error).message}.`)
  }
  throw new UsageError(`Other users can read the token file ${file}. Run: chmod 600 '${file}'`)
}

function readSettings(env: Environment): Settings {
  const file = settingsFile(env)
  if (!existsSync(file)) return { profiles: {} }
  try {
    const { profiles = {} } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Settings>
    return { profiles }
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${(error as Error).message}. Correct or delete it.`)
  }
}

function findProfile(name: string | undefined, env: Environment): Profile {
  const { profiles } = readSettings(env)
  const found = name === undefined ? Object.values(profiles)[0] : profiles[name]
  if (found) return found
  const known = Object.keys(profiles)
  throw new UsageError(
    name === undefined
      ? 'No server is known. Run "dataintell login ADDRESS", or set DATAINTELL_SERVER and DATAINTELL_TOKEN_FILE.'
      : `There is no profile ${name}. ${known.length > 0 ? `Known: ${known.join(', ')}.` : 'Run "dataintell login ADDRESS".'}`,
  )
}

/** Saves a server and its token, which only this user can read. Returns the file with the token. */
export function saveProfile(name: string, { server, token = '' }: Connection, env: Environment): string {
  if (!/^[\w.-]+$/.test(name)) throw new UsageError(`${name} can't be the name of a profile. Use letters and digits.`)
  const file = settingsFile(env)
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const tokenFile = join(folder, `${name}.token`)
  // The mode of a file that exists would stay.
  rmSync(tokenFile, { force: true })
  writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 })
  const { profiles } = readSettings(env)
  const next = { ...profiles, [name]: { server, tokenFile: `${name}.token` } }
  writeFileSync(file, `${JSON.stringify({ profiles: next }, undefined, 2)}\n`, { mode: 0o600 })
  return tokenFile
}

/** The address without a slash at its end. Throws a `UsageError` unless it is one of HTTP. */
export function addressOf(text: string): string {
  const address = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!address)
    throw new UsageError(`${text} is not the address of a server. Write it as https://dataintell.example.com.`)
  return `${address.origin}${address.pathname.replace(/\/+$/, '')}`
}

/** A request below `/api`. */
export type ApiRequest = { method: string; path: string; body?: unknown }

const maxRetries = 3
const maxDelaySeconds = 60

/** Sends a request. Waits and tries again if the server is busy. Throws a `Failure` unless it succeeds. */
export async function send(connection: Connection, request: ApiRequest, retries = maxRetries): Promise<Response> {
  const { server, token } = connection
  const { method, path, body } = request
  const response = await fetch(`${server}/api${path}`, {
    method,
    headers: {
      accept: 'application/json',
      'user-agent': 'dataintell-cli',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: Error & { cause?: Error }) => {
    throw new Failure(`${server} can't be reached: ${error.cause?.message || error.message}. Check the address.`)
  })
  const isPage = response.headers.get('content-type')?.includes('html')
  if (isPage) throw new Failure(`${server} answered with a web page instead of data. Check the address.`)
  if (response.ok) return response
  const delay = Number(response.headers.get('retry-after') ?? Number.NaN)
  if (method === 'GET' && [429, 503].includes(response.status) && retries > 0 && delay <= maxDelaySeconds) {
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, delay * 1000))
    return send(connection, request, retries - 1)
  }
  throw await failureOf(response, connection)
}

type Problem = { message?: string; subErrors?: { field: string; message: string }[] }

async function failureOf(response: Response, { server, token }: Connection): Promise<Failure> {
  const text = await response.text()
  let problem: Problem = {}
  try {
    problem = JSON.parse(text) as Problem
  } catch {
    // A proxy answered.
  }
  const { message = `${server} answered with ${response.status}`, subErrors = [] } = problem
  const lines = [message, ...subErrors.map(({ field, message }) => `  ${field} ${message}`), ...hintOf(response, token)]
  return new Failure(lines.join('\n'), exitOf(response.status))
}

function hintOf({ status }: Response, token: string | undefined): string[] {
  if (status !== 401) return []
  return token === undefined
    ? ['No API token is set. Set DATAINTELL_TOKEN_FILE, or run "dataintell login ADDRESS".']
    : ['Add a token at Settings > Tokens, then run "dataintell login ADDRESS".']
}

function exitOf(status: number): number {
  if (status === 400) return exitCodes.usage
  if (status === 401 || status === 403) return exitCodes.notAllowed
  return status === 404 ? exitCodes.notFound : exitCodes.failed
}
