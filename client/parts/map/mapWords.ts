import { type Dominant, type DominantField, mapAges } from '#events/folders/map.ts'
import { changeWords } from '#client/ui/text/change.ts'
import { counted, countText, percentText } from '#client/ui/text/count.ts'
import { dayText } from '#client/ui/text/moment.ts'
import { type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { visible } from '#client/parts/entry-text/EntryName.tsx'
import type { MapNode } from './mapTree.ts'

/** What folders mostly consist of, by their paths, as far as that is known. */
export type DominantValues = {
  by: DominantField
  folders: ReadonlyMap<string, Dominant>
  state: 'reading' | 'failed' | 'read'
}

/** What is said to be the largest of a folder. */
export const dominantLabels = { extension: 'Largest type', owner: 'Largest owner', age: 'Largest age' } as const

/** What the colours of folders mean, beside those of files. */
export const folderColourNotes = {
  extension: 'A folder has the colour of the largest type in it, and counts whole.',
  owner: 'A folder has the colour of the largest owner in it, and counts whole.',
  age: 'A folder has the colours of the ages of all files in it, by their bytes.',
} as const

const missingDominantTexts = { reading: 'being read', failed: 'not read', read: 'not known' } as const

/** Why it is not said of a folder. Files below a path that is not indexed are known neither by type nor by owner. */
export const missingDominantText = (dominants: DominantValues | undefined): string =>
  missingDominantTexts[dominants?.state ?? 'reading']

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

/** A value as people read it. */
function valueText({ value }: Dominant, by: DominantField): string {
  if (by === 'age') return mapAges[Number(value)]?.label ?? value
  return visible(value) || (by === 'owner' ? 'No owner' : 'No extension')
}

/** How many bytes of a folder are of each age, the youngest first; nothing where that is not asked. */
export function ageFacts({ kind, path, size }: MapNode, dominants: DominantValues | undefined, base: SizeBase) {
  const ages = kind === 'folder' ? dominants?.folders.get(path)?.ages : undefined
  return (ages ?? []).flatMap((bytes, n): [string, string][] =>
    bytes > 0
      ? [[mapAges[n]?.label ?? '', `${percentText(Math.min(1, bytes / size))}, ${sizeWords(bytes, base)}`]]
      : [],
  )
}

/** What a folder mostly consists of: `exr · 82.0 % of 1.20 TiB`; nothing where that is not asked. */
export function dominantText({ kind, path, size }: MapNode, dominants: DominantValues | undefined, base: SizeBase) {
  if (kind !== 'folder' || !dominants) return undefined
  const part = dominants.folders.get(path)
  if (!part) return missingDominantText(dominants)
  // The map may have been read a moment before.
  const share = percentText(Math.min(1, part.size / size))
  return `${valueText(part, dominants.by)} · ${share} of ${sizeWords(size, base)}`
}

/** What is said of a part of a map to those who do not see it. */
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

/** What a map shows, in one sentence. */
export const summary = (root: MapNode, base: SizeBase): string =>
  `Map of ${visible(root.path)}: ${sizeWords(root.size, base)} in ${counted(root.children.length, 'part')}`
