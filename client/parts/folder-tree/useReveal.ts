import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { resultWindow } from '#events/entries.ts'
import { rowHeight } from './rowElements.ts'
import { childrenOf, openAt, rowOf } from './treeModel.ts'
import { notify, read, type TreeStore } from './treeStore.ts'
import type { ActiveRow } from './useActiveRow.ts'

/** An entry to show in the tree. Each object is revealed once. */
export type RevealedPlace = { path: string; isDirectory: boolean }

/** Selects an entry of any depth: expands the folders above it, loads their pages until it is found, and scrolls to its row. */
export function useReveal(
  store: TreeStore,
  place: RevealedPlace | undefined,
  scroller: RefObject<HTMLElement | null>,
  { moveTo }: ActiveRow,
): void {
  const done = useRef<RevealedPlace>(undefined)
  const seek = useEffectEvent(() => {
    if (!place || done.current === place) return
    const node = nextStep(store, place)
    if (node === 'waiting') return
    done.current = place
    if (node === undefined) return
    const index = rowOf(store.tree, node)
    moveTo(index, false)
    const { current: box } = scroller
    const top = index * rowHeight
    if (box && (top < box.scrollTop || top + 2 * rowHeight > box.scrollTop + box.clientHeight))
      box.scrollTo({ top: Math.max(0, top - box.clientHeight / 2) })
  })
  useEffect(() => seek())
}

/** Node of the place; `waiting` while a list is loading; undefined if the tree doesn't have it. */
function nextStep(store: TreeStore, place: RevealedPlace): number | 'waiting' | undefined {
  const { tree } = store
  let node = 0
  for (const path of pathsBelow(store.path, place.path)) {
    const isLast = path === place.path
    const part = isLast && !place.isDirectory ? 'files' : 'folders'
    const list = childrenOf(tree, node, part)
    const found = list.nodes.find((child) => tree.entries[child]?.path === path)
    if (found === undefined) {
      const isUnread = list.readGeneration < store.generation
      const mayHaveMore = list.state === 'more' && list.nodes.length < resultWindow
      if (isUnread || mayHaveMore) void read(store, node, part)
      return isUnread || mayHaveMore || list.state === 'loading' ? 'waiting' : undefined
    }
    if (!isLast && !tree.isOpen[found]) {
      openAt(tree, rowOf(tree, found))
      notify(store)
    }
    node = found
  }
  return node === 0 ? undefined : node
}

/** The folders from below `root` to a path: `/a`, `/a/b`. None if the path is elsewhere. */
function pathsBelow(root: string, path: string): string[] {
  const start = root === '/' ? '' : root
  if (!path.startsWith(`${start}/`)) return []
  const names = path.slice(start.length + 1).split('/')
  return names.map((_, at) => `${start}/${names.slice(0, at + 1).join('/')}`)
}
