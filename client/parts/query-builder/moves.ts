import { type Condition, maxGroupDepth, type Group, newCondition } from '#events/search/string-format/conditions.ts'

/** A position among the conditions or groups of a group; 0 is before the first. */
export type Slot = { groupId: number; index: number }
type Item = { condition: Condition } | { group: Group }

/** Maps all groups of a tree, innermost first. */
const eachGroup = (group: Group, change: (group: Group) => Group): Group =>
  change({ ...group, groups: group.groups.map((inner) => eachGroup(inner, change)) })

export const changedGroup = (root: Group, id: number, change: Partial<Group>): Group =>
  eachGroup(root, (group) => (group.id === id ? { ...group, ...change } : group))

export const changedCondition = (root: Group, changed: Condition): Group =>
  eachGroup(root, (group) => ({
    ...group,
    conditions: group.conditions.map((condition) => (condition.id === changed.id ? changed : condition)),
  }))

/** Removes a condition or group. An emptied group gets a blank condition. */
export const withoutItem = (root: Group, id: number): Group => refilled(detached(root, id))

const detached = (root: Group, id: number): Group =>
  eachGroup(root, (group) => ({
    ...group,
    conditions: group.conditions.filter((condition) => condition.id !== id),
    groups: group.groups.filter((inner) => inner.id !== id),
  }))

const refilled = (root: Group): Group =>
  eachGroup(root, (group) =>
    group.conditions.length + group.groups.length === 0 ? { ...group, conditions: [newCondition()] } : group,
  )

/** Location of a condition or group: parent, level, index and number of siblings. */
export type Place = { item: Item; parent: Group; level: number; index: number; count: number }

export function placeOf(root: Group, id: number, level = 1): Place | undefined {
  const { conditions, groups } = root
  const at = conditions.findIndex((condition) => condition.id === id)
  const [condition] = conditions.slice(at)
  if (at >= 0 && condition) return { item: { condition }, parent: root, level, index: at, count: conditions.length }
  const index = groups.findIndex((group) => group.id === id)
  const [group] = groups.slice(index)
  if (index >= 0 && group) return { item: { group }, parent: root, level, index, count: groups.length }
  return groups.map((inner) => placeOf(inner, id, level + 1)).find(Boolean)
}

/** Moves an item up or down by one visible position, into or out of groups. Undefined at the end. */
export function movedBy(root: Group, id: number, step: -1 | 1): Group | undefined {
  const place = placeOf(root, id)
  if (!place) return undefined
  const slots = slotsFor(root, place)
  const at = slots.findIndex(({ groupId, index }) => groupId === place.parent.id && index === place.index)
  const slot = at + step < 0 ? undefined : slots[at + step]
  return slot && inserted(root, place, slot)
}

/** Moves an item to a gap; undefined if that is impossible or changes nothing. */
export function movedTo(root: Group, id: number, gap: Slot): Group | undefined {
  const place = placeOf(root, id)
  if (!place) return undefined
  const isBehind = gap.groupId === place.parent.id && gap.index > place.index
  const slot = { ...gap, index: gap.index - (isBehind ? 1 : 0) }
  if (slot.groupId === place.parent.id && slot.index === place.index) return undefined
  const isAllowed = slotsFor(root, place).some(({ groupId }) => groupId === slot.groupId)
  return isAllowed ? inserted(root, place, slot) : undefined
}

/** All possible positions of an item after it is removed, from top to bottom. */
function slotsFor(root: Group, { item, parent }: Place): Slot[] {
  const rest = detached(root, idOf(item))
  const count = (group: Group) => (isUntouched(group, parent.id) ? 0 : group.conditions.length)
  const gaps = (group: Group, length: number) =>
    Array.from({ length: length + 1 }, (_, index) => ({ groupId: group.id, index }))
  if ('condition' in item) {
    const slots = (group: Group): Slot[] => [...gaps(group, count(group)), ...group.groups.flatMap(slots)]
    return slots(rest)
  }
  const maxLevel = maxGroupDepth - heightOf(item.group)
  const slots = (group: Group, level: number): Slot[] =>
    level > maxLevel
      ? []
      : gaps(group, group.groups.length).flatMap((gap) => {
          const inner = group.groups[gap.index]
          return inner ? [gap, ...slots(inner, level + 1)] : [gap]
        })
  return slots(rest, 1)
}

const idOf = (item: Item) => ('condition' in item ? item.condition.id : item.group.id)
const heightOf = ({ groups }: Group): number => 1 + Math.max(0, ...groups.map(heightOf))

/** True if a group has only its initial blank condition. The item's own group doesn't count. */
const isUntouched = ({ id, conditions: [first, ...others], groups }: Group, from: number): boolean =>
  id !== from && first?.field === 'name' && first.value === '' && others.length + groups.length === 0

function inserted(root: Group, { item, parent }: Place, { groupId, index }: Slot): Group {
  const moved = eachGroup(detached(root, idOf(item)), (group) => {
    if (group.id !== groupId) return group
    const conditions = isUntouched(group, parent.id) ? [] : group.conditions
    return 'condition' in item
      ? { ...group, conditions: conditions.toSpliced(index, 0, item.condition) }
      : { ...group, conditions, groups: group.groups.toSpliced(index, 0, item.group) }
  })
  return refilled(moved)
}

/** Drop target below a dragged item: head or foot of a group, or the upper or lower half of a condition. */
export type DropTarget = { groupId: number; part: 'head' | 'foot' | number; isLower: boolean }

/** Gap into which the item would be dropped. */
export function gapAt(root: Group, id: number, { groupId, part, isLower }: DropTarget): Slot | undefined {
  const group = root.id === groupId ? root : groupAt(root, groupId)
  if (!group) return undefined
  const item = placeOf(root, id)?.item
  if (!item) return undefined
  if ('condition' in item) {
    if (part === 'head') return { groupId, index: 0 }
    return { groupId, index: part === 'foot' ? group.conditions.length : part + (isLower ? 1 : 0) }
  }
  if (part === 'foot') return { groupId, index: group.groups.length }
  const around = part === 'head' ? placeOf(root, groupId) : undefined
  return around ? { groupId: around.parent.id, index: around.index } : { groupId, index: 0 }
}

function groupAt(root: Group, id: number): Group | undefined {
  const item = placeOf(root, id)?.item
  return item && 'group' in item ? item.group : undefined
}
