import { type Answer, answered } from '#agent/simulator/answers.ts'
import { type Call, notFound, paged, pageSize, refused } from '../answers.ts'
import { type Service, type Storage, storageOf } from '../contents/service.ts'
import { pathIn } from '../contents/tree.ts'

type Sort = { key: (storage: Storage) => string; isDescending: boolean }

const sortKeys: Record<string, Sort['key']> = {
  createdAt: ({ createdAt, id }) => `${new Date(createdAt).toISOString()} ${id}`,
  name: ({ name, id }) => `${name} ${id}`,
}

/** `GET /storages`: one page. Cursors stay valid if their storage is removed. */
export function listStorages({ storages, readings }: Service, call: Call): Answer {
  const { query } = call
  const size = pageSize(call, readings)
  const sort = sortOf(query.get('sort') ?? 'createdAt')
  const after = query.get('page[after]')
  const position = after === null ? undefined : keyOf(after)
  const sorted = [...storages.values()].sort((a, b) => compare(sort, sort.key(a), sort.key(b)))
  const rest = sorted.filter((storage) => position === undefined || compare(sort, sort.key(storage), position) > 0)
  const page = rest.slice(0, size)
  const cursors = page.map((storage) => Buffer.from(sort.key(storage)).toString('base64url'))
  const hasNextPage = rest.length > size
  return paged(call, readings, {
    data: page.map((storage) => resourceOf(storage, readings.capacities)),
    endCursor: cursors.at(-1) ?? null,
    hasNextPage,
    pageInfo: { startCursor: cursors[0] ?? null, hasPreviousPage: position !== undefined },
  })
}

function sortOf(text: string): Sort {
  const key = sortKeys[text.replace(/^-/, '')]
  if (!key) throw refused(400, 'Bad Request', 'sort')
  return { key, isDescending: text.startsWith('-') }
}

function keyOf(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (!key.includes(' ')) throw refused(400, 'Bad Request', 'page[after]')
  return key
}

function compare({ isDescending }: Sort, a: string, b: string): number {
  const order = a === b ? 0 : a < b ? -1 : 1
  return isDescending ? -order : order
}

function resourceOf(storage: Storage, form: 'text' | 'number'): object {
  const { id, name, account, type, createdAt, capacityUsed, capacityTotal } = storage
  const capacity = (bytes: number | undefined) => (bytes === undefined ? null : form === 'text' ? String(bytes) : bytes)
  const stats = { capacityUsed: capacity(capacityUsed), capacityTotal: capacity(capacityTotal) }
  return { id, attributes: { name, account, type, createdAt: new Date(createdAt).toISOString(), stats } }
}

/** `GET /storages/{id}/folders`: the folders in one folder. */
export function listFolders(service: Service, { params: [id = ''], query }: Call): Answer {
  const { tree, deniedFolders } = storageOf(service, id)
  const path = query.get('path') ?? '/'
  if (!path.startsWith('/') || path.split('/').includes('..')) throw refused(400, 'Bad Request', 'path')
  if (deniedFolders.has(path)) throw refused(403, 'Forbidden', `No permission to list ${path}`)
  if (!tree.isDirectory(path)) throw notFound('folder', path)
  return answered({
    data: tree.folders(path).map((name) => {
      const folder = pathIn(path, name)
      return { id: folder, attributes: { name, path: folder } }
    }),
  })
}
