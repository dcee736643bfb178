import type { Cluster } from '../cluster.ts'
import { type Answer, json, noContent, refused } from '../errors.ts'
import { pageOf } from '../pages.ts'
import { type Changelist, writeEntry, writeLin } from './changelists.ts'
import type { Entry } from './compareTrees.ts'
import type { Call, Route } from './route.ts'

const common = { needs: 'ISI_PRIV_SNAPSHOT', isLicensed: true } as const

export const changelistRoutes: readonly Route[] = [
  {
    ...common,
    method: 'GET',
    path: 'snapshot/changelists',
    query: ['sort', 'dir', 'limit'],
    answer({ cluster, query }) {
      const { page, resume, total } = pageOf(cluster.tokens, { query, list: 'changelists', limit: 1_000 }, () => [
        ...cluster.changelists.all().map((changelist) => fieldsOf(cluster, changelist)),
        ...unfinished(cluster),
      ])
      return json(200, { changelists: page, resume, total })
    },
  },
  {
    ...common,
    method: 'GET',
    path: 'snapshot/changelists/:id',
    answer: ({ cluster, params }) => json(200, { changelists: [fieldsOf(cluster, changelistOf(cluster, params))] }),
  },
  {
    ...common,
    method: 'DELETE',
    path: 'snapshot/changelists/:id',
    answer({ cluster, params }) {
      cluster.changelists.delete(changelistOf(cluster, params))
      return noContent
    },
  },
  {
    ...common,
    method: 'GET',
    path: 'snapshot/changelists/:id/entries',
    since: 8,
    query: ['limit'],
    answer(call) {
      const { unresolvedPathEvery, unresolvedPathOf, unresolvedPathAs } = call.cluster.switches
      const isUnresolved = ({ index, flags, path }: Entry) =>
        index % unresolvedPathEvery === 0 &&
        path !== '' &&
        (unresolvedPathOf === 'all' || flags.includes('ENTRY_ADDED'))
      return rowsOf(
        call,
        'entries',
        1_000,
        ({ entries }) => entries,
        (entry) => writeEntry(entry, isUnresolved(entry) ? unresolvedPathAs : 'path'),
      )
    },
  },
  {
    ...common,
    method: 'GET',
    path: 'snapshot/changelists/:id/lins',
    query: ['limit'],
    answer(call) {
      const { linsOfRemoved } = call.cluster.switches
      const select = ({ entries }: Changelist) => entries.slice().filter(({ isRemoved }) => linsOfRemoved || !isRemoved)
      return rowsOf(call, 'lins', 2_048, select, writeLin)
    },
  },
]

/** Answers a page of a changelist's rows. Only `lins` has a total. */
function rowsOf(
  { cluster, params, query }: Call,
  key: 'entries' | 'lins',
  limit: number,
  select: (changelist: Changelist) => Changelist['entries'],
  write: (entry: Entry) => string,
): Answer {
  const changelist = changelistOf(cluster, params)
  const list = `${key} of ${params[0]}`
  const { maxEntriesOfPage: maxLimit } = cluster.switches
  const { page, resume, total } = pageOf(cluster.tokens, { query, list, limit, maxLimit }, () => select(changelist))
  const rest = `"resume":${JSON.stringify(resume)}${key === 'lins' ? `,"total":${total}` : ''}`
  const text = `{"${key}":[${page.map(write).join(',')}],${rest}}`
  return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(text, 'latin1') }
}

function changelistOf({ changelists }: Cluster, [id = '']: readonly string[]): Changelist {
  const [, older, newer] = /^(\d+)_(\d+)$/.exec(id) ?? []
  const changelist = changelists.find(Number(older), Number(newer))
  if (changelist === undefined) throw refused('AEC_NOT_FOUND', `Changelist ${id} not found.`)
  return changelist
}

const fieldsOf = ({ switches }: Cluster, { olderId, newerId, jobId, rootPath, entries }: Changelist) => ({
  id: `${olderId}_${newerId}`,
  job_id: jobId,
  num_entries: entries.length,
  root_path: rootPath,
  snap1: olderId,
  snap2: newerId,
  status: switches.changelistStatus,
})

/** Changelists that running jobs are building. */
function unfinished({ jobs, snapshots, switches }: Cluster) {
  if (!switches.listsUnfinishedChangelists) return []
  return jobs
    .all()
    .filter(jobs.isBuilding)
    .map(({ id, olderId, newerId }) => ({
      id: `${olderId}_${newerId}_inprog`,
      job_id: id,
      num_entries: 0,
      root_path: snapshots.findActive(olderId)?.path ?? '',
      snap1: olderId,
      snap2: newerId,
      status: 'in progress',
    }))
}
