import type { MapEntry } from '#events/map.ts'
import type { Role } from '../../app/theme/roles.ts'
import { visible } from '../entry-text/EntryName.tsx'
import { everyNode, type MapNode } from './mapTree.ts'
import { type Mostly, untoldWords } from './mostly.ts'

export const colourings = ['age', 'type', 'owner', 'growth', 'depth'] as const
export type ColourBy = (typeof colourings)[number]

/** A line of the legend: what has this colour, and how many bytes that is. */
export type Category = { key: string; label: string; role: Role; size: number }
export type Colouring = {
  categories: Category[]
  categoryOf: (node: MapNode) => string | undefined
  roleOf: (node: MapNode) => Role | undefined
}

/** What colours are worked out from, beside the map itself. */
type Given = {
  /** The day that is shown. */
  on: string
  /** What folders consist of, where colours tell that. */
  mostly?: Mostly | undefined
  /** Folders that are looked into have a colour, too. */
  paintsFolders?: boolean
}
type Rule = { categories: Omit<Category, 'size'>[]; keyOf: (node: MapNode) => string | undefined }

/** What each part of a map is coloured by; a part that stands for many has no colour. */
export function colourBy(by: ColourBy, root: MapNode, given: Given): Colouring {
  const parts = [...everyNode(root)].filter((node) => node !== root && node.kind !== 'smaller')
  const leaves = parts.filter(({ children }) => children.length === 0)
  const { categories, keyOf } = ruleOf(by, leaves, given)
  const categoryOf = (node: MapNode) => (node.kind === 'smaller' ? undefined : keyOf(node))
  const sizes = addedUp(leaves, (leaf) => categoryOf(leaf) ?? '')
  const painted = new Set((given.paintsFolders ? parts : leaves).map(categoryOf))
  const present = categories.filter(({ key }) => painted.has(key))
  const roles = new Map(categories.map(({ key, role }) => [key, role]))
  const roleOf = (node: MapNode) => roles.get(categoryOf(node) ?? '')
  return {
    categories: present.map((category) => ({ ...category, size: sizes.get(category.key) ?? 0 })),
    categoryOf,
    roleOf,
  }
}

function ruleOf(by: ColourBy, leaves: MapNode[], { on, mostly }: Given): Rule {
  switch (by) {
    case 'age':
      return ageRule(on)
    case 'type':
      return partRule(leaves, mostly, { of: ({ extension }) => extension, none: 'No extension', others: 'Other types' })
    case 'owner':
      return partRule(leaves, mostly, { of: ({ owner }) => owner, none: 'No owner', others: 'Other owners' })
    case 'growth':
      return growthRule
    case 'depth':
      return depthRule
  }
}

const day = 86_400_000
/** Last access before the end of the day that is shown: of a folder, the last one to any file below it. */
const ages = [
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: '30 to 90 days' },
  { days: 180, label: '90 to 180 days' },
  { days: 365, label: '180 to 365 days' },
  { days: Infinity, label: 'Over a year' },
]
const ageRoles = ['age-1', 'age-2', 'age-3', 'age-4', 'age-5'] as const

function ageRule(on: string): Rule {
  const end = Date.parse(on) + day
  const known = ages.map(({ label }, n) => ({ key: `${n}`, label, role: ageRoles[n] ?? 'age-5' }))
  const categories: Rule['categories'] = [...known, { key: 'unknown', label: 'Not known', role: 'other' }]
  const keyOf = ({ entry }: MapNode) => {
    if (!entry?.lastAccess) return 'unknown'
    const age = (end - Date.parse(entry.lastAccess)) / day
    return `${ages.findIndex(({ days }) => age <= days)}`
  }
  return { categories, keyOf }
}

const six = ['category-1', 'category-2', 'category-3', 'category-4', 'category-5', 'category-6'] as const

type Part = { of: (entry: MapEntry) => string; none: string; others: string }

/** Files by what they have themselves, folders by what most bytes below them have. The six largest have colours of their own. */
function partRule(leaves: MapNode[], mostly: Mostly | undefined, { of, none, others }: Part): Rule {
  const partOf = ({ kind, path, entry }: MapNode) =>
    kind === 'folder' ? mostly?.folders.get(path)?.value : entry && of(entry)
  const told = leaves.filter((leaf) => partOf(leaf) !== undefined)
  const names = [...addedUp(told, (leaf) => partOf(leaf) ?? '')].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const categories = six.flatMap((role, n) => {
    const name = names[n]
    return name === undefined ? [] : [{ key: `= ${name}`, label: visible(name) || none, role }]
  })
  const known = new Set(names.slice(0, six.length))
  const keyOf = (node: MapNode) => {
    const part = partOf(node)
    return part === undefined ? 'untold' : known.has(part) ? `= ${part}` : 'others'
  }
  const untold = { key: 'untold', label: `Folders, ${untoldWords(mostly)}`, role: 'control-border' } as const
  return { categories: [...categories, { key: 'others', label: others, role: 'other' }, untold], keyOf }
}

const growthRule: Rule = {
  categories: [
    { key: 'created', label: 'New', role: 'category-1' },
    { key: 'grown', label: 'Grown', role: 'category-2' },
    { key: 'shrunk', label: 'Shrunk', role: 'category-3' },
    { key: 'same', label: 'Unchanged', role: 'control-border' },
    { key: 'unknown', label: 'Not known', role: 'other' },
  ],
  keyOf: ({ entry }) => {
    if (entry?.isCreated) return 'created'
    if (entry?.delta === undefined || entry.delta === null) return 'unknown'
    return entry.delta > 0 ? 'grown' : entry.delta < 0 ? 'shrunk' : 'same'
  },
}

const depthRule: Rule = {
  categories: six.map((role, n) => ({ key: `${n + 1}`, label: `Level ${n + 1}`, role })),
  keyOf: ({ depth }) => `${depth}`,
}

function addedUp(nodes: MapNode[], nameOf: (node: MapNode) => string): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const node of nodes) sizes.set(nameOf(node), (sizes.get(nameOf(node)) ?? 0) + node.size)
  return sizes
}
