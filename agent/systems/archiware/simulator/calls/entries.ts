import { type Answer, answered, refused } from '#agent/simulator/answers.ts'
import { linkTo } from '../answers.ts'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import type { IndexEntry } from '../contents/indexEntry.ts'
import { realName } from '../contents/caretNames.ts'
import { indexOf, type P5, reachableClient } from '../contents/p5.ts'
import type { Call } from './call.ts'

/** `GET archive/entries`: the handle of a path. */
export function findEntry(p5: P5, call: Call): Answer {
  reachableClient(p5, call.parameter('client'))
  const path = call.parameter('path')
  if (path === undefined) throw refused(500, 'Missing parameter: path')
  const index = indexOf(p5, call.parameter('database') ?? 'Default-Archive')
  const found = pathsIn(index, path).find((inIndex) => isFound(index.find(inIndex), path))
  if (found === undefined) throw refused(500, `Cannot resolve handle for "${path}": unknown entry`)
  const handle = index.handles.of(found)
  const links = [linkTo('archive', 'entries', handle)]
  if (p5.behavior.entryAnswer === 'list') return answered({ entries: [{ ID: handle, links }] })
  return answered({ [p5.behavior.entryAnswer]: handle, links })
}

/** Paths in the index that a path may mean, in real names. An index of imported volumes adds each volume's label. */
function pathsIn(index: ArchiveIndex, path: string): string[] {
  const real = path.split('/').filter(Boolean)
  const forms = [real, real.map(realName)].map((names) => names.join('/'))
  if (!index.isImported) return forms
  if (!path.startsWith('/')) return []
  return [...(index.root.children?.values() ?? [])].flatMap(({ name }) => forms.map((form) => `${name}/${form}`))
}

function isFound(entry: IndexEntry | undefined, path: string): boolean {
  if (!entry?.parent) return false
  const { leadingSlash } = entry
  return leadingSlash === 'optional' || (leadingSlash === 'required') === path.startsWith('/')
}

/** `GET archive/entries/{handle}`: all generations of an entry. */
export function entryDetails({ indexes }: P5, { params: [handle = ''] }: Call): Answer {
  for (const index of indexes.values()) {
    const path = index.handles.pathOf(handle)
    const entry = path === undefined ? undefined : index.find(path)
    if (entry) return answered(detailsOf(handle, entry))
    if (path !== undefined) return answered({ ID: handle, status: 'unknown', btime: [], mtime: [], size: [] })
  }
  throw refused(500, `Cannot resolve handle "${handle}": unknown entry`)
}

function detailsOf(handle: string, { generations }: IndexEntry): object {
  return {
    ID: handle,
    status: 'indexed',
    btime: generations.map(({ btime }) => btime),
    mtime: generations.map(({ mtime }) => mtime),
    size: generations.map(({ size }) => size),
    volumes: [...new Set(generations.flatMap(({ volumes }) => volumes))],
    metadata: {},
  }
}
