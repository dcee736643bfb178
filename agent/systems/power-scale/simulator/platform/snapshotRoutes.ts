import type { Cluster } from '../cluster.ts'
import { type Answer, json, noContent, refused } from '../errors.ts'
import { bodyOf } from '../fields.ts'
import { pageOf } from '../pages.ts'
import type { Route } from './route.ts'
import type { Snapshot } from './snapshots.ts'

/** Target of an alias of the live file system: 2^64 - 1, which a JavaScript number can't hold. */
const liveTarget = '18446744073709551615'

const common = { needs: 'ISI_PRIV_SNAPSHOT', isLicensed: true } as const

export const snapshotRoutes: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: 'snapshot/snapshots',
    query: ['type', 'state', 'schedule', 'sort', 'dir', 'limit'],
    answer({ cluster, query }) {
      const { page, resume, total } = pageOf(cluster.tokens, { query, list: 'snapshots', limit: 1_000 }, (options) =>
        select(cluster.snapshots.all(), options),
      )
      return describe({ snapshots: page.map(fieldsOf), total, resume })
    },
  },
  {
    ...common,
    method: 'POST',
    path: 'snapshot/snapshots',
    answer({ cluster, request }) {
      const body = bodyOf(request, { name: 'string?', path: 'string', expires: 'integer?', alias: 'string?' })
      const name = String(body['name'] ?? `Snapshot: ${cluster.clock.now()}`)
      const expires = body['expires'] as number | undefined
      const created = cluster.snapshots.create({ name, path: String(body['path']), expires })
      const { name: _, ...withoutName } = fieldsOf(created)
      return { ...describe(cluster.switches.omitsSnapshotName ? withoutName : fieldsOf(created)), status: 201 }
    },
  },
  {
    ...common,
    method: 'GET',
    path: 'snapshot/snapshots/:id',
    answer: ({ cluster, params }) => describe({ snapshots: [fieldsOf(snapshotOf(cluster, params))] }),
  },
  {
    ...common,
    method: 'PUT',
    path: 'snapshot/snapshots/:id',
    answer({ cluster, request, params }) {
      const { expires } = bodyOf(request, { expires: 'integer' })
      const snapshot = snapshotOf(cluster, params)
      if (snapshot.deletedAt !== undefined) throw refused('AEC_CONFLICT', `Snapshot ${snapshot.id} is being deleted.`)
      cluster.snapshots.setExpires(snapshot, Number(expires))
      return noContent
    },
  },
  {
    ...common,
    method: 'DELETE',
    path: 'snapshot/snapshots/:id',
    answer({ cluster, params }) {
      cluster.snapshots.delete(snapshotOf(cluster, params))
      return noContent
    },
  },
  {
    ...common,
    method: 'GET',
    path: 'snapshot/snapshots/:id/locks',
    answer({ cluster, params }) {
      const locks = snapshotOf(cluster, params).locks.map((lock) => ({ ...lock, count: 1, expires: null }))
      return json(200, { locks, total: locks.length, resume: null })
    },
  },
]

const snapshotOf = ({ snapshots }: Cluster, [id = '']: readonly string[]): Snapshot => snapshots.get(id)

function describe(body: object): Answer {
  const answer = json(200, body)
  return { ...answer, body: String(answer.body).replaceAll(`"${liveTarget}"`, liveTarget) }
}

function fieldsOf({ id, name = '', path, created, expires, deletedAt, locks, target }: Snapshot) {
  const targetId = target === 'live' ? liveTarget : (target?.id ?? 0)
  return {
    id,
    name: deletedAt === undefined ? name : null,
    path,
    state: stateOf({ deletedAt }),
    created,
    expires: expires ?? null,
    size: 20_480,
    shadow_bytes: 0,
    has_locks: locks.length > 0,
    pct_filesystem: 0.01,
    pct_reserve: 0,
    schedule: '',
    alias: '',
    target_id: targetId,
    target_name: target === undefined || target === 'live' ? '' : target.name,
  }
}

const stateOf = ({ deletedAt }: Pick<Snapshot, 'deletedAt'>) => (deletedAt === undefined ? 'active' : 'deleting')

function select(snapshots: readonly Snapshot[], options: URLSearchParams): Snapshot[] {
  const type = choiceOf(options, 'type', ['all', 'alias', 'real'])
  const state = choiceOf(options, 'state', ['all', 'active', 'deleting'])
  const order = choiceOf(options, 'sort', ['id', 'name', 'path', 'created', 'expires'])
  const isReversed = choiceOf(options, 'dir', ['ASC', 'DESC']) === 'DESC'
  const selected = snapshots.filter(
    (snapshot) =>
      (type === 'all' || (type === 'alias') === (snapshot.target !== undefined)) &&
      (state === 'all' || state === stateOf(snapshot)) &&
      (options.get('schedule') ?? '') === '',
  )
  const sorted = selected.sort((a, b) => compare(a[order] ?? 0, b[order] ?? 0))
  return isReversed ? sorted.toReversed() : sorted
}

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : Number(a > b))

/** Returns the value of an argument, or the first choice. */
function choiceOf<T extends string>(options: URLSearchParams, name: string, choices: readonly [T, ...T[]]): T {
  const value = options.get(name) ?? choices[0]
  const choice = choices.find((choice) => choice === value)
  if (choice === undefined) throw refused('AEC_BAD_REQUEST', `Invalid value '${value}' of ${name}.`, name)
  return choice
}
