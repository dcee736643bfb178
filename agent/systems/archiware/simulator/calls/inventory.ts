import { type Answer, answered, refused } from '#agent/simulator/answers.ts'
import { linkTo } from '../answers.ts'
import type { Behavior } from '../behavior.ts'
import type { ArchiveIndex } from '../contents/archiveIndex.ts'
import { type IndexEntry, latestOf, pathOf } from '../contents/indexEntry.ts'
import { caretName } from '../contents/caretNames.ts'
import { indexOf, type P5 } from '../contents/p5.ts'
import type { Call } from './call.ts'

/** `GET archive/indexes/{index}/inventory/{path}`: one level. Only names in caret form are found. */
export function listInventory(p5: P5, { params }: Call): Answer {
  const [name = '', ...path] = params
  const index = indexOf(p5, name)
  const names = path.length === 1 && path[0] === '' ? [] : path
  const directory = isListable(p5.behavior, index, names) ? index.findListed(names) : undefined
  if (!directory?.children) throw refused(404, {})
  const children = [...directory.children.values()]
  const firstFolder = children.find((child) => child.children)
  const links = firstFolder ? [linkOf(index, firstFolder)] : []
  return answered({ inventory: children.map((child) => listed(p5.behavior, child, links)) })
}

/** An index of imported volumes lists neither its volume labels nor the level below them. */
const isListable = ({ listsRoot }: Behavior, { isImported }: ArchiveIndex, names: string[]) =>
  isImported ? names.length >= 2 : listsRoot || names.length > 0

/** Directories have the link of their first sibling, as real servers show. */
function listed(behavior: Behavior, entry: IndexEntry, links: object[]): object {
  const { size, btime, mtime, volumes } = latestOf(entry)
  const common = { name: caretName(entry.name), btime, path: '', ...volumesIn(behavior, volumes) }
  if (entry.children) return { ...common, type: 'Directory', size: 0, ctime: 0, mtime: 0, links }
  return { ...common, type: behavior.fileType, size, ctime: btime, mtime, links: [] }
}

function volumesIn({ volumeField, volumeForm }: Behavior, volumes: string[]): object {
  if (volumeField === 'none') return {}
  return { [volumeField]: volumeForm === 'list' ? volumes : volumes.join(' ') }
}

const linkOf = (index: ArchiveIndex, entry: IndexEntry) =>
  linkTo('archive', 'indexes', index.name, 'inventory', ...pathOf(entry, caretName).split('/'))
