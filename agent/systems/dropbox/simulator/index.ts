import type { IncomingMessage, ServerResponse } from 'node:http'
import { newPort } from '#agent/simulator/listen.ts'
import { bodyOf } from '#agent/simulator/simulate.ts'
import { type ListedEntry, listedEntries, type SimulatedFile } from './entries.ts'

export type { SimulatedFile } from './entries.ts'

/** Differences between the simulator and a healthy Dropbox; they may be changed while it runs. */
type Behaviour = {
  /** Entries of a page, if fewer than requested. */
  pageSize?: number
  /** Calls for which an access token is good. */
  callsOfToken?: number
  /** Number of the next calls that are refused as too many. */
  busy?: number
  busyHeaders?: Record<string, string>
  /** Number of the next cursors that are no longer known. */
  resets?: number
  /** Each file is repeated at the end of the list, in its state at that time. */
  repeats?: boolean
  /** Refresh tokens are worth nothing any more. */
  isRevoked?: boolean
  /** Rights that the app was not given. */
  missingScope?: string
  allocation?: object
  /** The account is a member of a team: its own folder is at this path of the space of the team. */
  home?: string
  /** Names of accounts by their ids; others are not known. */
  names?: Record<string, string>
  /** Names of accounts may not be read. */
  withoutSharing?: boolean
  /** Instead of an answer. */
  instead?: ((response: ServerResponse) => void) | undefined
}

export type SimulatorOptions = {
  appKey: string
  refreshToken: string
  files: SimulatedFile[]
  behaviour?: Behaviour
}

type State = SimulatorOptions & {
  behaviour: Behaviour
  tokens: Map<string, number>
  lists: Map<string, { entries: ListedEntry[]; at: number }>
}
type Answer = { status: number; body: object | string | null; headers?: Record<string, string> }

/** A Dropbox on the loopback: the sign-in, lists of folders, the account and its space. `calls` are the names of its calls. */
export async function startDropbox(options: SimulatorOptions) {
  const state: State = { ...options, behaviour: { ...options.behaviour }, tokens: new Map(), lists: new Map() }
  const calls: string[] = []
  const { url, stop: close } = await newPort((request, response) => {
    calls.push((request.url ?? '').replace('/2/', ''))
    void bodyOf(request).then((body) => {
      if (state.behaviour.instead) return state.behaviour.instead(response)
      const { status, body: answer, headers = {} } = answerTo(state, request, body)
      const isText = typeof answer === 'string'
      response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
      response.end(isText ? answer : JSON.stringify(answer))
    })
  })
  return { url, behaviour: state.behaviour, files: state.files, calls, close }
}

const refused = (status: number, summary: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { error_summary: `${summary}/...`, error: { '.tag': summary.split('/')[0] } },
})

function answerTo(state: State, request: IncomingMessage, body: string): Answer {
  if (request.url === '/oauth2/token') return signIn(state, new URLSearchParams(body))
  const { behaviour } = state
  const token = (request.headers.authorization ?? '').replace('Bearer ', '')
  const left = state.tokens.get(token)
  if (left === undefined) return refused(401, 'invalid_access_token')
  if (left === 0) return refused(401, 'expired_access_token')
  state.tokens.set(token, left - 1)
  if (behaviour.busy) {
    behaviour.busy--
    return refused(429, 'too_many_requests', behaviour.busyHeaders)
  }
  if (behaviour.missingScope) return refused(401, 'missing_scope')
  if (request.headers['content-type'] !== 'application/json') return { status: 400, body: 'Bad HTTP "Content-Type"' }
  const inSpace = spaceOf(state, request.headers['dropbox-api-path-root'])
  if (inSpace === undefined)
    return { status: 422, body: { error_summary: 'invalid_root/..', error: { '.tag': 'invalid_root' } } }
  return (
    callsOf[(request.url ?? '').replace('/2/', '')]?.(inSpace, JSON.parse(body)) ?? { status: 404, body: 'Unknown' }
  )
}

/** The files as a call sees them: those of the account's own folder, or of the whole team with the namespace of its space. */
function spaceOf(state: State, root: string | string[] | undefined): State | undefined {
  const { home } = state.behaviour
  if (root !== undefined) return home !== undefined && root === '{".tag":"root","root":"team"}' ? state : undefined
  if (home === undefined) return state
  const own = state.files.filter(({ path }) => path.startsWith(`${home}/`))
  return { ...state, files: own.map((file) => ({ ...file, path: file.path.slice(home.length) })) }
}

function signIn({ behaviour, refreshToken, appKey, tokens }: State, form: URLSearchParams): Answer {
  const failed = (error: string): Answer => ({ status: 400, body: { error, error_description: `It is ${error}` } })
  if (form.get('grant_type') !== 'refresh_token') return failed('unsupported_grant_type')
  if (form.get('client_id') !== appKey) return failed('invalid_client')
  if (behaviour.isRevoked || form.get('refresh_token') !== refreshToken) return failed('invalid_grant')
  const token = `sl.simulated-${tokens.size}`
  tokens.set(token, behaviour.callsOfToken ?? Infinity)
  return { status: 200, body: { access_token: token, token_type: 'bearer', expires_in: 14_400 } }
}

type Argument = {
  path?: string
  recursive?: boolean
  limit?: number
  cursor?: string
  account_ids?: string[]
} | null

const callsOf: Record<string, (state: State, argument: Argument) => Answer> = {
  'files/list_folder': (state, argument) => beginList(state, argument),
  'files/list_folder/continue'(state, argument) {
    const list = state.lists.get(argument?.cursor ?? '')
    if (list === undefined) return { status: 400, body: 'Error in call to API function: Invalid "cursor" parameter' }
    if (state.behaviour.resets) {
      state.behaviour.resets--
      return refused(409, 'reset')
    }
    return pageOf(state, list.entries, list.at, 2_000)
  },
  'users/get_current_account': ({ behaviour: { home } }) => ({
    status: 200,
    body: {
      account_id: 'dbid:planted',
      email: 'a@example.com',
      root_info: { root_namespace_id: home === undefined ? 'own' : 'team', home_namespace_id: 'own' },
    },
  }),
  'users/get_account_batch'({ behaviour: { names = {}, withoutSharing } }, argument) {
    if (withoutSharing) return refused(401, 'missing_scope')
    const ids = argument?.account_ids ?? []
    const accounts = ids.map((id) => ({ account_id: id, name: { display_name: names[id] }, email: 'b@example.com' }))
    return ids.some((id) => names[id] === undefined) ? refused(409, 'no_account') : { status: 200, body: accounts }
  },
  'users/get_space_usage': ({ behaviour }, argument) =>
    argument === null
      ? {
          status: 200,
          body: { used: 300, allocation: behaviour.allocation ?? { '.tag': 'individual', allocated: 1_000 } },
        }
      : { status: 400, body: 'Error in call to API function: request body: expected null' },
}

function beginList(state: State, argument: Argument): Answer {
  const { path = '', recursive = false, limit = 500 } = argument ?? {}
  if (path === '/' || path.endsWith('/') || (path !== '' && !path.startsWith('/')))
    return refused(409, 'path/malformed_path')
  const entries = listedEntries(state.files, path, { recursive, repeats: state.behaviour.repeats ?? false })
  return typeof entries === 'string' ? refused(409, entries) : pageOf(state, entries, 0, limit)
}

function pageOf({ behaviour, lists }: State, entries: ListedEntry[], from: number, limit: number): Answer {
  const to = Math.min(entries.length, from + Math.min(limit, behaviour.pageSize ?? limit))
  const cursor = `AAcursor-${lists.size}`
  lists.set(cursor, { entries, at: to })
  return { status: 200, body: { entries: entries.slice(from, to), cursor, has_more: to < entries.length } }
}
