import type { Role } from '../../app/theme/roles.ts'
import { everyNode, type MapNode } from './mapTree.ts'

export const colourings = ['age', 'type', 'owner', 'growth', 'depth'] as const
export type ColourBy = (typeof colourings)[number]

/** A line of the legend: what has this colour, and how many bytes that is. */
export type Category = { key: string; label: string; role: Role; size: number }
export type Colouring = {
  categories: Category[]
  categoryOf: (node: MapNode) => string | undefined
  roleOf: (node: MapNode) => Role | undefined
}

type Rule = { categories: Omit<Category, 'size'>[]; keyOf: (node: MapNode) => string | undefined }

/** What each part of a map is coloured by; a part that stands for many has no colour. `on` is the day that is shown. */
export function colourBy(by: ColourBy, root: MapNode, on: string): Colouring {
  const leaves = [...everyNode(root)].filter(({ children, kind }) => children.length === 0 && kind !== 'smaller')
  const { categories, keyOf } = ruleOf(by, leaves, on)
  const categoryOf = (node: MapNode) => (node.kind === 'smaller' ? undefined : keyOf(node))
  const sizes = addedUp(leaves, (leaf) => categoryOf(leaf) ?? '')
  const present = categories.map((category) => ({ ...category, size: sizes.get(category.key) ?? 0 }))
  const roles = new Map(categories.map(({ key, role }) => [key, role]))
  const roleOf = (node: MapNode) => roles.get(categoryOf(node) ?? '')
  return { categories: present.filter(({ size }) => size > 0), categoryOf, roleOf }
}

function ruleOf(by: ColourBy, leaves: MapNode[], on: string): Rule {
  switch (by) {
    case 'age':
      return ageRule(on)
    case 'type':
      return typeRule(leaves)
    case 'owner':
      return ownerRule(leaves)
    case 'growth':
      return growthRule
    case 'depth':
      return depthRule
  }
}

const day = 86_400_000
/** Last access before the end of the day that is shown. */
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
  const categories = ages.map(({ label }, n) => ({ key: `${n}`, label, role: ageRoles[n] ?? 'age-5' }))
  const keyOf = ({ entry }: MapNode) => {
    const age = (end - Date.parse(entry?.lastAccess ?? '')) / day
    return `${ages.findIndex(({ days }) => age <= days)}`
  }
  return { categories, keyOf }
}

const six = ['category-1', 'category-2', 'category-3', 'category-4', 'category-5', 'category-6'] as const

/** The six largest have colours of their own. */
function largestSix(leaves: MapNode[], nameOf: (leaf: MapNode) => string, none: string, others: string): Rule {
  const names = [...addedUp(leaves, nameOf)].sort(([, a], [, b]) => b - a).map(([name]) => name)
  const categories = six.flatMap((role, n) => {
    const name = names[n]
    return name === undefined ? [] : [{ key: `= ${name}`, label: name || none, role }]
  })
  const known = new Set(names.slice(0, six.length))
  const keyOf = (node: MapNode) => (known.has(nameOf(node)) ? `= ${nameOf(node)}` : 'others')
  return { categories: [...categories, { key: 'others', label: others, role: 'other' }], keyOf }
}

function typeRule(leaves: MapNode[]): Rule {
  const files = leaves.filter(({ kind }) => kind === 'file')
  const { categories, keyOf } = largestSix(files, ({ entry }) => entry?.extension ?? '', 'No extension', 'Other types')
  const folders = { key: 'folders', label: 'Folders', role: 'control-border' } as const
  return { categories: [...categories, folders], keyOf: (node) => (node.kind === 'folder' ? 'folders' : keyOf(node)) }
}

const ownerRule = (leaves: MapNode[]): Rule =>
  largestSix(leaves, ({ entry }) => entry?.owner ?? '', 'No owner', 'Other owners')

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
