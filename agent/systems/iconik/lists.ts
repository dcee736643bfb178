import { z } from 'zod'
import {
  type IconikCollection,
  type IconikConnection,
  type IconikStorage,
  maxCollections,
  maxStorages,
} from '#events/actions/iconik.ts'
import { type Client, type ClientOptions, openClient } from './client.ts'
import { IconikFailed, Refusal } from './failures.ts'
import { pagesOf, scrolled } from './paging.ts'
import { maxPagesOfList } from './unconfirmed.ts'

const Collection = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string().nullish(),
  parent_id: z.string().nullish(),
})
type Collection = z.infer<typeof Collection>

const Storage = z.object({
  id: z.string(),
  name: z.string(),
  method: z.string(),
  purpose: z.string().nullish(),
  status: z.string().nullish(),
  settings: z.object({ mount_point: z.string().nullish() }).nullish(),
})

const { compare } = new Intl.Collator('en', { numeric: true })

/** Lists the active collections by title, and with the titles above them. Throws `IconikFailed` or `IconikAway`. */
export async function listCollections(
  connection: IconikConnection,
  signal: AbortSignal,
  options?: ClientOptions,
): Promise<IconikCollection[]> {
  return withClient(connection, options, async (client) => {
    const all = new Map<string, Collection>()
    for await (const collection of allCollections(client, signal))
      if (!all.has(collection.id)) all.set(collection.id, collection)
    const active = [...all.values()].filter(({ status }) => status !== 'DELETED' && status !== 'HIDDEN')
    if (active.length > maxCollections)
      throw new IconikFailed(`Iconik has ${active.length} collections, and this list can show ${maxCollections}`)
    const pathOf = newPaths(client, all, active)
    const listed: IconikCollection[] = []
    for (const { id, title } of active) listed.push({ id, title, path: await pathOf(id, signal) })
    return listed.sort((a, b) => compare(a.title, b.title) || compare(a.path, b.path) || compare(a.id, b.id))
  })
}

/** Lists the active storages for files by name. Throws `IconikFailed` or `IconikAway`. */
export async function listStorages(
  connection: IconikConnection,
  signal: AbortSignal,
  options?: ClientOptions,
): Promise<IconikStorage[]> {
  return withClient(connection, options, async (client) => {
    const found = new Map<string, IconikStorage>()
    for await (const { objects } of pagesOf(client, { path: 'files/v1/storages/', item: Storage }, signal))
      for (const { id, name, method, purpose, status, settings } of objects)
        if (purpose === 'FILES' && status === 'ACTIVE')
          found.set(id, { id, name, method, mountPoint: settings?.mount_point ?? '' })
    if (found.size > maxStorages) throw new IconikFailed(`Iconik has more than ${maxStorages} storages`)
    return [...found.values()].sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id))
  })
}

type List = { path: string; item: typeof Collection; query?: Record<string, string> }

/** All collections, some of them perhaps twice. */
async function* allCollections(client: Client, signal: AbortSignal): AsyncGenerator<Collection> {
  const list: List = { path: 'assets/v1/collections/', item: Collection }
  try {
    for await (const { objects, page, pages } of sortedPages(client, list, signal)) {
      yield* objects
      if ((pages !== undefined && pages > maxPagesOfList) || page > maxPagesOfList) break
      if (page === pages) return
    }
  } catch (error) {
    if (!isRefused(error)) throw error
  }
  yield* scrolled(client, list, signal)
}

/** Pages by title, so that a collection that is added meanwhile moves few others; without an order if Iconik has none by title. */
async function* sortedPages(client: Client, list: List, signal: AbortSignal) {
  let isStarted = false
  try {
    for await (const page of pagesOf(client, { ...list, query: { sort: 'title,asc' } }, signal)) {
      isStarted = true
      yield page
    }
    return
  } catch (error) {
    if (isStarted || !isRefused(error)) throw error
  }
  yield* pagesOf(client, list, signal)
}

const isRefused = (error: unknown): boolean => error instanceof Refusal && error.status === 400

/** Levels and characters of a path. Titles above them are left out. */
const maxLevels = 64
const maxPath = 4_096

/** Paths from the titles of the collections above. Requests the path of a repeated title if the list lacks a collection above it. */
function newPaths(client: Client, all: Map<string, Collection>, active: Collection[]) {
  const counts = new Map<string, number>()
  for (const { title } of active) counts.set(title, (counts.get(title) ?? 0) + 1)
  return async (id: string, signal: AbortSignal): Promise<string> => {
    const titles: string[] = []
    const seen = new Set<string>()
    let length = 0
    let at: string | null | undefined = id
    const isLong = () => seen.size > maxLevels || length > maxPath
    for (let found = all.get(id); found && !seen.has(found.id) && !isLong(); found = all.get(at ?? '')) {
      seen.add(found.id)
      titles.push(found.title)
      length += found.title.length + 1
      at = found.parent_id
    }
    if (isLong()) titles.splice(-1, 1, '…')
    const known = titles.length > 1 ? titles.toReversed().join('/') : ''
    const isComplete = !at || seen.has(at) || isLong()
    const isRepeated = (counts.get(titles[0] ?? '') ?? 0) > 1
    if (isComplete || !isRepeated) return known
    return client.call({ method: 'GET', path: pathCall(id) }, z.string(), signal).catch((error: unknown) => {
      if (error instanceof Refusal) return known
      throw error
    })
  }
}

const pathCall = (id: string) => `assets/v1/collections/${encodeURIComponent(id)}/full/path/`

async function withClient<T>(
  connection: IconikConnection,
  options: ClientOptions | undefined,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = openClient(connection, options)
  try {
    return await work(client)
  } finally {
    client.close()
  }
}
