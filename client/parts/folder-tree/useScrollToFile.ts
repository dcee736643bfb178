import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { resultWindow } from '#events/entries.ts'
import { rowHeight } from './rowElements.ts'
import { childrenOf } from './treeModel.ts'
import { rowNamed } from './treeLookup.ts'
import { read, type TreeStore } from './treeStore.ts'
import type { ActiveRow } from './useActiveRow.ts'

/** Pixels. */
const headHeight = 32

/** Selects the file in the URL and scrolls to it. Loads further pages until it is found, up to ten thousand files. */
export function useScrollToFile(
  store: TreeStore,
  fileName: string | undefined,
  scroller: RefObject<HTMLElement | null>,
  { moveTo }: ActiveRow,
): void {
  const found = useRef<string>(undefined)
  const seek = useEffectEvent(() => {
    if (fileName === undefined || found.current === fileName) return
    const files = childrenOf(store.tree, 0, 'files')
    const index = rowNamed(store.tree, fileName)
    if (index < 0) {
      if (files.state === 'more' && files.nodes.length < resultWindow) void read(store, 0, 'files')
      return
    }
    found.current = fileName
    moveTo(index, false)
    const { current: box } = scroller
    box?.scrollTo({ top: Math.max(0, index * rowHeight - (box.clientHeight - headHeight) / 2) })
  })
  useEffect(() => seek())
}
