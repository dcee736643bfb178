import { createHash } from 'node:crypto'
import type { Cluster } from '../cluster.ts'
import { type Answer, refused } from '../errors.ts'
import { invalidToken, limitOf } from '../pages.ts'
import type { Incoming } from '../requests.ts'
import type { User } from '../sessions.ts'
import type { Inode } from '../tree/inodes.ts'
import type { Name } from '../tree/names.ts'
import { type Attribute, detailOf, type Row, rowWriter } from './attributes.ts'
import { readQuery } from './query.ts'
import { mayEnter, type Target } from './target.ts'
import { type Position, walkPage } from './walk.ts'

const optionNames = new Set(['detail', 'limit', 'max-depth', 'type', 'hidden', 'sort', 'dir'])

type Listing = {
  target: Target
  path: Name
  request: Incoming
  user: User
  attributes: Record<string, Attribute>
}
type Place = { options: string; positions: Position[] }
/** Place where a listing continues, with a hash of the path and the query that it belongs to. */
type Token = Place & { hash: string }

/** Answers a page of a directory, or of the entries below it that a query selects. */
export function listDirectory(cluster: Cluster, listing: Listing): Answer {
  const { target, request, user, attributes } = listing
  const isQuery = request.method === 'POST'
  const place = placeOf(cluster, listing)
  const options = new URLSearchParams(place.options)
  const limit = limitOf(options, 1_000)
  const write = rowWriter(detailOf(options.get('detail'), attributes), attributes)
  const matches = isQuery ? readQuery(request.body, attributes) : () => true
  const type = options.get('type')
  const rows: string[] = []
  const walk = {
    view: target.view,
    maxDepth: depthOf(options),
    listOf: listerOf(target, options, limit, attributes),
    accepts: (row: Row) =>
      (type === null || attributes['type']?.(row) === type) &&
      (options.get('hidden') !== 'false' || !row.name.startsWith('.')) &&
      matches(row),
    // A recursive GET ignores the ACLs that stop a query.
    enters: (directory: Inode) => !isQuery || mayEnter(directory, user),
  }
  const next = walkPage(walk, place.positions, limit < 0 ? Infinity : limit, (row) => rows.push(write(row)))
  const token: Token | undefined = next && { options: place.options, positions: next, hash: hashOf(listing) }
  const resume = token ? `,"resume":"${cluster.tokens.issue(token)}"` : ''
  const body = Buffer.from(`{"children":[${rows.join(',')}]${resume}}`, 'latin1')
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

/** Returns the place that a request's token names, or the first one. Options may be repeated next to the token. */
function placeOf({ tokens, switches }: Cluster, listing: Listing): Place {
  const { query } = listing.request
  const options = optionsOf(query)
  const resume = query.get('resume')
  if (resume === null) return { options, positions: [[listing.target.inode.index, 0]] }
  const token = tokens.read(resume) as Token
  if (switches.resume === 'alone' && options !== '')
    throw refused('AEC_BAD_REQUEST', 'resume excludes other options.', 'resume')
  const isOfOptions = token.options === options || (switches.resume !== 'withOptions' && options === '')
  if (token.hash !== hashOf(listing) || !isOfOptions) throw invalidToken()
  return token
}

const hashOf = ({ path, request: { method, body } }: Listing): string =>
  createHash('sha256').update(`${method} ${path}\n`).update(body).digest('base64url')

/** Returns the options of a listing in a fixed order. */
function optionsOf(query: URLSearchParams): string {
  const options = new URLSearchParams(query)
  options.delete('resume')
  options.delete('query')
  options.sort()
  for (const name of options.keys())
    if (!optionNames.has(name)) throw refused('AEC_BAD_REQUEST', `Unsupported argument: ${name}`, name)
  return options.toString()
}

function depthOf(options: URLSearchParams): number {
  const text = options.get('max-depth') ?? '0'
  if (!/^-?\d+$/.test(text)) throw refused('AEC_BAD_REQUEST', `Invalid depth '${text}'.`, 'max-depth')
  return Number(text) < 0 ? Infinity : Number(text)
}

/** Returns a function that lists the visible children of a directory. With `sort`, it reads the whole directory first. */
function listerOf(
  { view, onlyChildren }: Target,
  options: URLSearchParams,
  limit: number,
  attributes: Record<string, Attribute>,
): (directory: Inode) => readonly [Name, number][] {
  const sort = options.get('sort')
  const visible = ({ index, children }: Inode) => {
    const list = children?.list() ?? []
    const only = onlyChildren.get(index)
    return only === undefined ? list : list.filter(([name]) => name === only)
  }
  if (sort === null) return visible
  const read = Object.hasOwn(attributes, sort) ? attributes[sort] : undefined
  if (read === undefined) throw refused('AEC_BAD_REQUEST', `Unknown attribute '${sort}'.`, 'sort')
  if (limit > 1_000 || limit < 0) throw refused('AEC_BAD_REQUEST', 'With sort, the limit is at most 1000.', 'limit')
  const direction = options.get('dir') === 'DESC' ? -1 : 1
  return (directory) => {
    const keyOf = ([name, index]: [Name, number]) => {
      const inode = view.get(index)
      return inode ? read({ inode, name, directory: directory.index }) : ''
    }
    return visible(directory)
      .map((child) => ({ child, key: keyOf(child) }))
      .sort((a, b) => (a.key < b.key ? -direction : Number(a.key > b.key) * direction))
      .map(({ child }) => child)
  }
}
