import { type Dominant, type DominantField, mapAges } from '#events/folders/map.ts'
import { changeWords } from '#client/ui/text/change.ts'
import { counted, countText, percentText } from '#client/ui/text/count.ts'
import { dayText } from '#client/ui/text/moment.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { visible } from '#client/ui/text/visible.ts'
import type { MapNode } from './mapTree.ts'

/** Largest categories of folders by path, as far as loaded. */
export type DominantValues = {
  by: DominantField
  folders: ReadonlyMap<string, Dominant>
  state: 'reading' | 'failed' | 'read'
}

/** Labels of a folder's largest category. */
export const dominantLabels = { extension: 'Largest type', owner: 'Largest owner', age: 'Largest age' } as const

/** Notes in the legend about the colors of folders. */
export const folderColourNotes = {
  extension: 'Each folder is colored by its largest file type.',
  owner: 'Each folder is colored by its largest owner.',
  age: 'Each folder shows the ages of its files in proportion to their size.',
} as const

const missingDominantTexts = { reading: 'loading', failed: 'not loaded', read: 'unknown' } as const

/** Reason why a folder has no category. Files below an excluded path have neither type nor owner. */
export const missingDominantText = (dominants: DominantValues | undefined): string =>
  missingDominantTexts[dominants?.state ?? 'reading']

/** Change since the compared date; empty if unknown. */
export function changeOf({ entry }: MapNode, base: SizeBase): string {
  if (!entry || entry.delta === null) return entry?.isCreated ? 'New' : ''
  return entry.isCreated ? 'New' : changeWords(entry.delta, base)
}

/** Label of a node. Files below an excluded path have no records, and so no count. */
export function nameOf({ kind, name, count, path }: MapNode): string {
  if (kind !== 'smaller') return visible(name || path)
  return count > 0 ? `Smaller items (${countText(count)})` : 'Files that are not listed'
}

/** Share of the mapped folder. */
export const shareOf = (node: MapNode, root: MapNode): number => (root.size > 0 ? node.size / root.size : 0)

function valueText({ value }: Dominant, by: DominantField): string {
  if (by === 'age') return mapAges[Number(value)]?.label ?? value
  return visible(value) || (by === 'owner' ? 'No owner' : 'No extension')
}

/** Bytes of a folder by age, youngest first; empty if not loaded. */
export function ageFacts({ kind, path, size }: MapNode, dominants: DominantValues | undefined, base: SizeBase) {
  const ages = kind === 'folder' ? dominants?.folders.get(path)?.ages : undefined
  return (ages ?? []).flatMap((bytes, n): [string, string][] =>
    bytes > 0
      ? [[mapAges[n]?.label ?? '', `${percentText(Math.min(1, bytes / size))}, ${sizeWords(bytes, base)}`]]
      : [],
  )
}

/** Largest category of a folder: `exr · 82.0 % of 1.20 TiB`; undefined if not requested. */
export function dominantText({ kind, path, size }: MapNode, dominants: DominantValues | undefined, base: SizeBase) {
  if (kind !== 'folder' || !dominants) return undefined
  const part = dominants.folders.get(path)
  if (!part) return missingDominantText(dominants)
  // The map may have been loaded slightly earlier than the category.
  const share = percentText(Math.min(1, part.size / size))
  return `${valueText(part, dominants.by)} · ${share} of ${sizeWords(size, base)}`
}

/** Text for screen readers. */
export function spokenText(
  node: MapNode,
  root: MapNode,
  dominants: DominantValues | undefined,
  base: SizeBase,
): string {
  const { kind, entry, size } = node
  const part = dominantText(node, dominants, base)
  const facts = [
    nameOf(node),
    ...(kind === 'folder' ? ['folder'] : []),
    sizeWords(size, base),
    percentText(shareOf(node, root)),
    ...(dominants && part ? [`${dominantLabels[dominants.by].toLowerCase()} ${part}`] : []),
  ]
  if (!entry) return facts.join(', ')
  const change = entry.isCreated ? ['new'] : entry.delta ? [changeWords(entry.delta, base)] : []
  const access = entry.lastAccess ? [`last access ${dayText(entry.lastAccess)}`] : []
  return [...facts, ...access, ...change].join(', ')
}

/** Summary of a map in one sentence. */
export const summary = (root: MapNode, base: SizeBase): string =>
  `Map of ${visible(root.path)}: ${sizeWords(root.size, base)} in ${counted(root.children.length, 'part')}`
