import { type RefObject, useEffectEvent, useLayoutEffect, useState } from 'react'
import { readRow, placeOf } from './treeModel.ts'
import type { TreeStore } from './treeStore.ts'

export type ActiveRow = { active: number; moveTo: (index: number, takesFocus?: boolean) => void }

/** The row that has the keyboard focus. It stays with its entry when rows above it come and go. */
export function useActiveRow(
  { tree }: TreeStore,
  scroller: RefObject<HTMLElement | null>,
  onActive: (node: number | undefined) => void,
): ActiveRow {
  const [target, setTarget] = useState({ code: 0, index: 0, takesFocus: false })
  const found = placeOf(tree.rows, target.code)
  const active = found >= 0 ? found : Math.max(0, Math.min(target.index, tree.rows.length - 1))
  const focus = useEffectEvent(() => {
    scroller.current?.querySelector<HTMLElement>(`tr[data-index="${active}"]`)?.focus()
  })
  // Only a move takes the focus, not the rows that come and go.
  useLayoutEffect(() => {
    if (target.takesFocus) focus()
  }, [target])
  // The row may go with the end of its list, such as when the last page is there: its place has the focus then.
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
    setTarget({ code: tree.rows.codes[place] as number, index: place, takesFocus })
    onActive(is === 'entry' ? node : undefined)
  }
  return { active, moveTo }
}
