import { ageOn, mapAges, type MapEntry } from '#events/folders/map.ts'
import type { Role } from '#client/ui/theme/roles.ts'
import { visible } from '#client/ui/text/visible.ts'
import { everyNode, type MapNode } from './mapTree.ts'
import { type DominantValues, missingDominantText } from './mapWords.ts'

export const colourings = ['age', 'type', 'owner', 'growth', 'depth'] as const
export type ColourBy = (typeof colourings)[number]

/** An entry of the legend, with the bytes of its color. */
export type Category = { key: string; label: string; role: Role; size: number }
export type Colouring = {
  categories: Category[]
  categoryOf: (node: MapNode) => string | undefined
  roleOf: (node: MapNode) => Role | undefined
  /** Colors of a node with several, with their shares. */
  bandsOf: (node: MapNode) => Band[] | undefined
}
type Band = { key: string; role: Role; share: number }

/** Inputs for coloring, in addition to the map. */
type ColourOptions = {
  /** Date of the snapshot. */
  on: string
  /** Largest categories of folders, if the colors need them. */
  dominants?: DominantValues | undefined
  /** Also colors expanded folders. */
  paintsFolders?: boolean
}
type Rule = {
  categories: Omit<Category, 'size'>[]
  keyOf: (node: MapNode) => string | undefined
  /** Bytes of a node by category, if known. */
  bytesOf?: (node: MapNode) => readonly number[] | undefined
}

/** Colors of all nodes. Aggregated nodes have a color only if their contents are known. */
export function colourBy(by: ColourBy, root: MapNode, options: ColourOptions): Colouring {
  const parts = [...everyNode(root)].filter((node) => node !== root && node.kind !== 'smaller')
  const leaves = parts.filter(({ children }) => children.length === 0)
  const { categories, keyOf, bytesOf } = ruleOf(by, leaves, options)
  const categoryOf = (node: MapNode) => (node.kind === 'smaller' && !bytesOf?.(node) ? undefined : keyOf(node))
  const all = bytesOf?.(root)
  const sizes = all
    ? new Map(categories.map(({ key }, n) => [key, all[n] ?? 0]))
    : sizesBy(leaves, (leaf) => categoryOf(leaf) ?? '')
  const painted = new Set((options.paintsFolders ? parts : leaves).map(categoryOf))
  const present = categories.filter(({ key }) => painted.has(key) || (sizes.get(key) ?? 0) > 0)
  const roles = new Map(categories.map(({ key, role }) => [key, role]))
  const roleOf = (node: MapNode) => roles.get(categoryOf(node) ?? '')
  return {
    categories: present.map((category) => ({ ...category, size: sizes.get(category.key) ?? 0 })),
    categoryOf,
    roleOf,
    bandsOf: (node) => bandsIn(categories, bytesOf?.(node)),
  }
}

function bandsIn(categories: Rule['categories'], bytes: readonly number[] | undefined): Band[] | undefined {
  const whole = bytes?.reduce((sum, size) => sum + size, 0)
  if (!bytes || !whole) return undefined
  return categories.flatMap(({ key, role }, n) => {
    const size = bytes[n] ?? 0
    return size > 0 ? [{ key, role, share: size / whole }] : []
  })
}

function ruleOf(by: ColourBy, leaves: MapNode[], { on, dominants }: ColourOptions): Rule {
  switch (by) {
    case 'age':
      return ageRule(on, dominants)
    case 'type':
      return partRule(leaves, dominants, {
        of: ({ extension }) => extension,
        none: 'No extension',
        others: 'Other types',
      })
    case 'owner':
      return partRule(leaves, dominants, { of: ({ owner }) => owner, none: 'No owner', others: 'Other owners' })
    case 'growth':
      return growthRule
    case 'depth':
      return depthRule
  }
}

const ageRoles = ['age-1', 'age-2', 'age-3', 'age-4', 'age-5'] as const

/** Files by last access before the end of the selected day; folders by bytes of each age. */
function ageRule(on: string, dominants: DominantValues | undefined): Rule {
  const known = mapAges.map(({ label }, n) => ({ key: `${n}`, label, role: ageRoles[n] ?? 'age-5' }))
  const bytesOf = agesIn(on, dominants)
  const keyOf = (node: MapNode) => {
    const bytes = bytesOf(node)
    if (!bytes) return 'unread'
    const largest = bytes.indexOf(Math.max(...bytes))
    return known[largest]?.key ?? 'unknown'
  }
  const unread = { key: 'unread', label: `Folders, ${missingDominantText(dominants)}`, role: 'control-border' } as const
  return { categories: [...known, { key: 'unknown', label: 'Unknown', role: 'other' }, unread], keyOf, bytesOf }
}

/** Bytes of a node by age, unknown age last; undefined for folders that are not loaded. */
function agesIn(on: string, dominants: DominantValues | undefined) {
  const worked = new Map<MapNode, readonly number[] | undefined>()
  const bytesOf = (node: MapNode): readonly number[] | undefined => {
    if (!worked.has(node)) worked.set(node, workOut(node))
    return worked.get(node)
  }
  const workOut = ({ kind, path, size, entry, folder }: MapNode) => {
    if (kind === 'file') return withUnknown(size, fileAges(size, entry))
    if (kind === 'smaller') return folder && withUnknown(size, restOf(folder))
    const dominant = dominants?.folders.get(path)
    if (!dominant && dominants?.state !== 'read') return undefined
    return withUnknown(size, dominant?.ages ?? [])
  }
  const fileAges = (size: number, entry: MapEntry | undefined) => {
    const age = entry && ageOn(on, entry)
    return mapAges.map((_, n) => (n === age ? size : 0))
  }
  /** Bytes of a folder outside of its drawn children. */
  const restOf = (folder: MapNode) => {
    const listed = folder.children.filter(({ kind }) => kind !== 'smaller').map(bytesOf)
    const all = bytesOf(folder)
    if (!all || listed.includes(undefined)) return undefined
    return mapAges.map((_, age) =>
      Math.max(
        0,
        listed.reduce((rest, bytes) => rest - (bytes?.[age] ?? 0), all[age] ?? 0),
      ),
    )
  }
  return bytesOf
}

const withUnknown = (size: number, ages: readonly number[] | undefined) =>
  ages && [
    ...mapAges.map((_, age) => ages[age] ?? 0),
    Math.max(
      0,
      ages.reduce((rest, bytes) => rest - bytes, size),
    ),
  ]

const six = ['category-1', 'category-2', 'category-3', 'category-4', 'category-5', 'category-6'] as const

type Part = { of: (entry: MapEntry) => string; none: string; others: string }

/** Files by their own value, folders by their largest value in bytes. The six largest values have their own colors. */
function partRule(leaves: MapNode[], dominants: DominantValues | undefined, { of, none, others }: Part): Rule {
  const partOf = ({ kind, path, entry }: MapNode) =>
    kind === 'folder' ? dominants?.folders.get(path)?.value : entry && of(entry)
  const known = leaves.filter((leaf) => partOf(leaf) !== undefined)
  const names = [...sizesBy(known, (leaf) => partOf(leaf) ?? '')].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const categories = six.flatMap((role, n) => {
    const name = names[n]
    return name === undefined ? [] : [{ key: `= ${name}`, label: visible(name) || none, role }]
  })
  const coloured = new Set(names.slice(0, six.length))
  const keyOf = (node: MapNode) => {
    const part = partOf(node)
    return part === undefined ? 'unknown' : coloured.has(part) ? `= ${part}` : 'others'
  }
  const unknown = {
    key: 'unknown',
    label: `Folders, ${missingDominantText(dominants)}`,
    role: 'control-border',
  } as const
  return { categories: [...categories, { key: 'others', label: others, role: 'other' }, unknown], keyOf }
}

const growthRule: Rule = {
  categories: [
    { key: 'created', label: 'New', role: 'category-1' },
    { key: 'grown', label: 'Grown', role: 'category-2' },
    { key: 'shrunk', label: 'Shrunk', role: 'category-3' },
    { key: 'same', label: 'Unchanged', role: 'control-border' },
    { key: 'unknown', label: 'Unknown', role: 'other' },
  ],
  keyOf: ({ entry }) => {
    if (entry?.isCreated) return 'created'
    if (entry?.delta === undefined || entry.delta === null) return 'unknown'
    return entry.delta > 0 ? 'grown' : entry.delta < 0 ? 'shrunk' : 'same'
  },
  bytesOf: changedBytes,
}

/** Bytes of a node by kind of change, in the order of the categories: only what came or went counts as changed. */
function changedBytes({ kind, size, entry, children }: MapNode): number[] | undefined {
  if (kind === 'smaller') return undefined
  if (children.length > 0) return sumOf(children.map(changedBytes))
  if (entry?.isCreated) return [size, 0, 0, 0, 0]
  const delta = entry?.delta
  if (delta === undefined || delta === null) return [0, 0, 0, 0, size]
  return [0, Math.max(0, delta), Math.max(0, -delta), Math.max(0, size - Math.max(0, delta)), 0]
}

const sumOf = (lists: (number[] | undefined)[]): number[] =>
  [0, 1, 2, 3, 4].map((at) => lists.reduce((sum, list) => sum + (list?.[at] ?? 0), 0))

const depthRule: Rule = {
  categories: six.map((role, n) => ({ key: `${n + 1}`, label: `Level ${n + 1}`, role })),
  keyOf: ({ depth }) => `${depth}`,
}

function sizesBy(nodes: MapNode[], nameOf: (node: MapNode) => string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const node of nodes) sizes.set(nameOf(node), (sizes.get(nameOf(node)) ?? 0) + node.size)
  return sizes
}
