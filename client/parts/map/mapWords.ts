import { changeWords } from '../../ui/text/change.ts'
import { counted, countText, percentText } from '../../ui/text/count.ts'
import { dayText } from '../../ui/text/moment.ts'
import { type SizeBase, sizeWords } from '../../ui/text/size.ts'
import { visible } from '../entry-text/EntryName.tsx'
import type { MapNode } from './mapTree.ts'
import { largestWords, type Mostly, untoldWords } from './mostly.ts'

/** What became of an entry since the date that it is compared with; nothing where that is not known. */
export function changeOf({ entry }: MapNode, base: SizeBase): string {
  if (!entry || entry.delta === null) return entry?.isCreated ? 'New' : ''
  return entry.isCreated ? 'New' : changeWords(entry.delta, base)
}

/** What stands on a part of a map. Files below a path that is not indexed have no record each, and so no count. */
export function nameOf({ kind, name, count, path }: MapNode): string {
  if (kind !== 'smaller') return visible(name || path)
  return count > 0 ? `Smaller items (${countText(count)})` : 'Files that are not listed'
}

/** Which part of the mapped folder it is. */
export const shareOf = (node: MapNode, root: MapNode): number => (root.size > 0 ? node.size / root.size : 0)

const nothing = { extension: 'No extension', owner: 'No owner' } as const

/** What a folder mostly consists of: `exr · 82.0 % of 1.20 TiB`; nothing where that is not asked. */
export function mostlyOf({ kind, path, size }: MapNode, mostly: Mostly | undefined, base: SizeBase) {
  if (kind !== 'folder' || !mostly) return undefined
  const part = mostly.folders.get(path)
  if (!part) return untoldWords(mostly)
  // The map may have been read a moment before.
  const share = percentText(Math.min(1, part.size / size))
  return `${visible(part.value) || nothing[mostly.by]} · ${share} of ${sizeWords(size, base)}`
}

/** What is said of a part of a map to those who do not see it. */
export function spoken(node: MapNode, root: MapNode, mostly: Mostly | undefined, base: SizeBase): string {
  const { kind, entry, size } = node
  const part = mostlyOf(node, mostly, base)
  const facts = [
    nameOf(node),
    ...(kind === 'folder' ? ['folder'] : []),
    sizeWords(size, base),
    percentText(shareOf(node, root)),
    ...(mostly && part ? [`${largestWords[mostly.by].toLowerCase()} ${part}`] : []),
  ]
  if (!entry) return facts.join(', ')
  const change = entry.isCreated ? ['new'] : entry.delta ? [changeWords(entry.delta, base)] : []
  const access = entry.lastAccess ? [`last access ${dayText(entry.lastAccess)}`] : []
  return [...facts, ...access, ...change].join(', ')
}

/** What a map shows, in one sentence. */
export const summary = (root: MapNode, base: SizeBase): string =>
  `Map of ${visible(root.path)}: ${sizeWords(root.size, base)} in ${counted(root.children.length, 'part')}`
