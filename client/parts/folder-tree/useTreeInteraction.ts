import { type KeyboardEvent, type MouseEvent, useRef, useState } from 'react'
import { closeAt, openAt, readRow, type Tree, type TreeEntry } from './treeModel.ts'
import { entriesBetween, entriesShown, entryAt, rowAbove, rowStarting } from './treeLookup.ts'
import { notify, read, type TreeStore } from './treeStore.ts'
import type { ActiveRow } from './useActiveRow.ts'

/** Buttons of a row. */
export type RowAction = 'tags' | 'copy' | 'details'

export type TreeActions = {
  onOpen: (entry: TreeEntry) => void
  onAction: (action: RowAction, entry: TreeEntry) => void
  /** For trees with selection. */
  onToggle?: (entry: TreeEntry) => void
  onAdd?: (entries: TreeEntry[]) => void
  onSelectNone?: () => void
}

const pageStep = 20

/** Keyboard and click handlers of a tree. */
export function useTreeInteraction(store: TreeStore, { active, moveTo }: ActiveRow, actions: TreeActions) {
  const { tree } = store
  const anchor = useRef(0)
  const [name] = useState(() => typeAhead())
  const fold = (index: number) => foldRow(store, index)
  const select = (index: number, isRange: boolean) => {
    const entry = entryAt(tree, index)
    if (isRange) actions.onAdd?.(entriesBetween(tree, anchor.current, index).filter(({ isRemoved }) => !isRemoved))
    else if (entry && !entry.isRemoved) actions.onToggle?.(entry)
    if (!isRange) anchor.current = index
  }
  const step = (to: number, isRange: boolean) => {
    moveTo(to)
    if (isRange) select(Math.max(0, Math.min(to, tree.rows.length - 1)), true)
    else anchor.current = to
  }
  const openRow = () => {
    const { node, is } = readRow(tree, active)
    const entry = entryAt(tree, active)
    if (entry) actions.onOpen(entry)
    else if (is !== 'entry' && is !== 'empty') void read(store, node, is)
  }
  const keys: Record<string, () => void> = {
    ArrowRight: () =>
      isFolded(store, active) ? fold(active) : entryAt(tree, active)?.isDirectory && moveTo(active + 1),
    ArrowLeft: () => (isUnfolded(store, active) ? fold(active) : moveTo(rowAbove(tree, active))),
    Enter: openRow,
    Escape: () => actions.onSelectNone?.(),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isAtRow = (event.target as Element).matches('tr[data-index]')
    if (!isAtRow || event.altKey) return
    const to = keyTargets(active, tree.rows.length, name.isTyping())[event.key]
    const isAll = (event.ctrlKey || event.metaKey) && event.key === 'a'
    if (isAll) actions.onAdd?.(entriesShown(tree))
    else if (event.ctrlKey || event.metaKey) return
    else if (to !== undefined) step(to, event.shiftKey)
    else if (selects.includes(event.key) && !name.isTyping()) select(active, event.shiftKey)
    else if (keys[event.key]) keys[event.key]?.()
    else if (name.accepts(event.key)) moveTo(rowMatching(tree, active, name.type(event.key)))
    else return
    event.preventDefault()
    // Letters of a name are not page shortcuts.
    event.stopPropagation()
  }
  return { onKeyDown, ...useTreeClicks(store, moveTo, select, actions) }
}

function useTreeClicks(
  store: TreeStore,
  moveTo: ActiveRow['moveTo'],
  select: (index: number, isRange: boolean) => void,
  actions: TreeActions,
) {
  const { tree } = store
  const onClick = ({ target, shiftKey }: MouseEvent) => {
    const index = indexOf(target)
    if (index < 0 || index >= tree.rows.length) return
    const entry = entryAt(tree, index)
    const { node, is } = readRow(tree, index)
    const action = (target as Element).closest<HTMLElement>('[data-do]')?.dataset['do']
    if (action === 'select') return select(index, shiftKey)
    moveTo(index)
    if (action === 'fold') foldRow(store, index)
    else if (action === 'more' && is !== 'entry' && is !== 'empty') void read(store, node, is)
    else if (action && entry) actions.onAction(action as RowAction, entry)
  }
  const onDoubleClick = ({ target }: MouseEvent) => {
    const entry = entryAt(tree, indexOf(target))
    if (entry && !(target as Element).closest('[data-do]')) actions.onOpen(entry)
  }
  return { onClick, onDoubleClick }
}

/** Keys that select the active row, unless they are part of a name. */
const selects = [' ', 'x', 'X']

const keyTargets = (active: number, count: number, isTyping: boolean): Record<string, number> => ({
  ArrowDown: active + 1,
  ArrowUp: active - 1,
  ...(!isTyping && { j: active + 1, k: active - 1 }),
  PageDown: active + pageStep,
  PageUp: active - pageStep,
  Home: 0,
  End: count - 1,
})

/**
 * Next row that starts with the letter; with several letters, the first match from the active row. Returns the active
 * row if none matches.
 */
function rowMatching(tree: Tree, active: number, text: string): number {
  const found = rowStarting(tree, text.length > 1 ? active : active + 1, text)
  return found < 0 ? active : found
}

const indexOf = (target: EventTarget) =>
  Number((target as Element).closest<HTMLElement>('tr[data-index]')?.dataset['index'] ?? -1)

const isUnfolded = ({ tree }: TreeStore, index: number) => {
  const { node, is } = readRow(tree, index)
  return is === 'entry' && tree.isOpen[node] === true
}
const isFolded = (store: TreeStore, index: number) => {
  const entry = entryAt(store.tree, index)
  return entry?.isDirectory === true && !entry.isRemoved && !isUnfolded(store, index)
}

function foldRow(store: TreeStore, index: number): void {
  if (isUnfolded(store, index)) closeAt(store.tree, index)
  else if (isFolded(store, index)) openAt(store.tree, index)
  notify(store)
}

/** Maximum pause between letters of a name. */
const pauseMs = 700

/** Type-ahead: collects letters typed in quick succession. `now` is in milliseconds. */
export function typeAhead(now = () => performance.now()) {
  let letters = ''
  let typingUntil = -Infinity
  const isTyping = () => now() < typingUntil
  return {
    isTyping,
    /** True if a key is part of a name. `m`, `j`, `k`, `x` and space are shortcuts unless a name is being typed. */
    accepts: (key: string): boolean => /^[\p{L}\p{N} ._-]$/u.test(key) && (isTyping() || !'mjkxX '.includes(key)),
    /** Adds a letter and returns all letters typed so far. */
    type(letter: string): string {
      letters = (isTyping() ? letters : '') + letter
      typingUntil = now() + pauseMs
      return letters
    },
  }
}
