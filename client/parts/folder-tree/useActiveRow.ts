import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'
import { readRow, placeOf } from './treeModel.ts'
import type { TreeStore } from './treeStore.ts'

/** `isUsed` is true once a key or click moved to a row. */
export type ActiveRow = {
  active: number
  isUsed: boolean
  moveTo: (index: number, takesFocus?: boolean) => void
}

/** Row with the keyboard focus. Follows its entry when rows above are added or removed. */
export function useActiveRow(
  { tree }: TreeStore,
  scroller: RefObject<HTMLElement | null>,
  onActive: (node: number | undefined) => void,
): ActiveRow {
  const [target, setTarget] = useState({ code: 0, index: 0, takesFocus: false, isUsed: false })
  const found = placeOf(tree.rows, target.code)
  const active = found >= 0 ? found : Math.max(0, Math.min(target.index, tree.rows.length - 1))
  const focus = useEffectEvent(() => {
    scroller.current?.querySelector<HTMLElement>(`tr[data-index="${active}"]`)?.focus()
  })
  // Only keyboard moves take the focus, not changed rows.
  useLayoutEffect(() => {
    if (target.takesFocus) focus()
  }, [target])
  // The row may disappear with the end of its list, for example after the last page has loaded. Its position then gets
  // the focus.
  const isGone = found < 0
  const keepFocus = useEffectEvent(() => {
    if (target.takesFocus && document.activeElement === document.body) focus()
  })
  useLayoutEffect(() => {
    if (isGone) keepFocus()
  }, [isGone])
  const moveTo = (index: number, takesFocus = true) => {
    if (tree.rows.length === 0) return
    const place = Math.max(0, Math.min(index, tree.rows.length - 1))
    const { node, is } = readRow(tree, place)
    setTarget({ code: tree.rows.codes[place] as number, index: place, takesFocus, isUsed: true })
    onActive(is === 'entry' ? node : undefined)
  }
  return { active, isUsed: target.isUsed, moveTo }
}
