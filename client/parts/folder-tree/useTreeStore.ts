import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useSnapshot } from 'valtio'
import { versions } from '../../app/live/versions.state.ts'
import type { TreeAsked } from './treePages.ts'
import { askAnew, newTreeStore, type TreeStore } from './treeStore.ts'

/** The tree below a folder. It is read anew when something else is asked for, or the server says that entries changed. */
export function useTreeStore(path: string, asked: TreeAsked): TreeStore {
  const [store] = useState(() => newTreeStore(path, asked))
  const seen = useSnapshot(versions)
  const news = [seen['all'], seen['snapshots'], seen['tags']].map((version) => version ?? 0).join()
  const key = JSON.stringify([asked, news])
  const [first] = useState(key)
  const askIfNew = useEffectEvent((key: string) => {
    if (key !== first || store.wanted > 1) askAnew(store, asked)
  })
  useEffect(() => askIfNew(key), [key])
  const [follow] = useState(() => (tell: () => void) => {
    store.listeners.add(tell)
    return () => void store.listeners.delete(tell)
  })
  useSyncExternalStore(follow, () => store.version)
  return store
}
