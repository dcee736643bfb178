import type { Cluster } from '../cluster.ts'
import { type Answer, json, refused } from '../errors.ts'
import type { Incoming } from '../requests.ts'
import type { User } from '../sessions.ts'
import { decodedPath } from '../tree/names.ts'
import { type Attribute, attributesOf } from './attributes.ts'
import { listDirectory } from './listing.ts'
import { maxQueryBytes } from './query.ts'
import { findTarget, type Target } from './target.ts'

/** Answers a request below `/namespace`: a listing, a query, or the metadata of an entry. */
export function answerNamespace(cluster: Cluster, request: Incoming, user: User): Answer {
  if (user.without?.includes('ISI_PRIV_NS_IFS_ACCESS'))
    throw refused(
      'AEC_FORBIDDEN',
      'Privilege check failed. The following privilege is required: ISI_PRIV_NS_IFS_ACCESS',
    )
  const { method, query, body } = request
  const path = decodedPath(request.path.slice('/namespace'.length))
  if (path === undefined) throw refused('AEC_BAD_REQUEST', 'The path is not encoded correctly.')
  const isQuery = method === 'POST' && query.has('query')
  if (method !== 'GET' && !isQuery) throw refused('AEC_METHOD_NOT_ALLOWED', `${method} is not supported.`)
  if (body.length > maxQueryBytes) return queryTooLarge(cluster.switches.largeQueryStatus)
  const target = findTarget(cluster, path, user)
  if (target === 'snapshots') return listSnapshots(cluster)
  const attributes = attributesIn(cluster, target)
  if (query.has('metadata')) return metadataOf(target, attributes)
  if (target.inode.kind !== 'directory')
    throw refused('AEC_METHOD_NOT_ALLOWED', 'The content of files is not simulated.')
  return listDirectory(cluster, { target, path, request, user, attributes })
}

/** Attributes of entries in a view. The paths of directories are kept for one page. */
function attributesIn({ tree, switches }: Cluster, { view, prefix }: Target): Record<string, Attribute> {
  const shownPrefix = switches.containerPath === 'live' ? '/ifs' : prefix
  const paths = new Map<number, string>()
  const containerPathOf = (directory: number) => {
    const inode = view.get(directory)
    const path = paths.get(directory) ?? `${shownPrefix}${inode ? view.pathOf(inode).slice('/ifs'.length) : ''}`
    paths.set(directory, path)
    return path
  }
  return attributesOf({ tree, blockUnit: switches.blockUnit, containerPathOf })
}

/** Lists the directory `/ifs/.snapshot`. */
function listSnapshots({ snapshots }: Cluster): Answer {
  const names = snapshots.all().flatMap(({ name }) => (name === undefined ? [] : [{ name }]))
  return json(200, { children: names })
}

function metadataOf({ inode }: Target, attributes: Record<string, Attribute>): Answer {
  const row = { inode, name: inode.name, directory: inode.parent }
  const attrs = Object.entries(attributes).map(
    ([name, read]) => `{"name":"${name}","value":${JSON.stringify(String(read(row)))},"namespace":null}`,
  )
  const headers = { 'content-type': 'application/json' }
  return { status: 200, headers, body: Buffer.from(`{"attrs":[${attrs.join(',')}]}`, 'latin1') }
}

const queryTooLarge = (status: 413 | 400): Answer =>
  json(status, { errors: [{ code: 'AEC_BAD_REQUEST', message: `The body is larger than ${maxQueryBytes} bytes.` }] })
