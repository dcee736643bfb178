import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import type { EntrySummary } from '#events/entries.ts'
import { useActiveDate } from '../app/activeDate.ts'
import { openEntryDetails } from '../parts/entry-details/entryDetails.state.ts'
import { copyPath } from '../parts/entry-text/EntryPath.tsx'
import { FolderTree } from '../parts/folder-tree/FolderTree.tsx'
import { entriesShown, findNode } from '../parts/folder-tree/treeMoves.ts'
import { askAnew, type TreeStore } from '../parts/folder-tree/treeStore.ts'
import type { TreeDeeds } from '../parts/folder-tree/useTreeHands.ts'
import { useTreeStore } from '../parts/folder-tree/useTreeStore.ts'
import { add, clear, freshen, type Selection, toggle } from '../parts/selection/selection.ts'
import { SelectionToolbar } from '../parts/selection/SelectionToolbar.tsx'
import { shown } from '../ui/shown.state.ts'
import { filesShown } from './files.state.ts'
import { Outdated } from '../ui/Outdated.tsx'
import { Sides } from './Sides.tsx'
import { treeColumn } from './tree/lastCells.tsx'
import { treeSort } from './tree/lastColumns.ts'
import { sortTree, treeSettings } from './tree/treeSettings.state.ts'
import { TreeControls } from './TreeControls.tsx'
import { useFolderLink } from './useFolderLink.ts'
import { useMayTag } from './useMayTag.ts'
import { useMapKey } from './useMapKey.ts'
import type { Place } from './usePlace.ts'
import classes from './Files.module.css'

const MapBelow = lazy(() => import('./MapBelow.tsx').then((m) => ({ default: m.MapBelow })))

type TreeModeProps = {
  place: Place & { volumeId: number }
  selection: Selection
  rootSize: number | undefined
  detailsOf: (entry: EntrySummary | undefined) => ReactNode
  onTags: (entry: EntrySummary) => void
}

/** The folder as a tree, with what can be selected of it. */
export function TreeMode({ place, selection, rootSize, detailsOf, onTags }: TreeModeProps) {
  const { column, isColumnHidden } = useSnapshot(treeSettings)
  // Rows are drawn again where their column is another one.
  const lastColumn = useMemo(() => treeColumn(column), [column])
  const dates = usePreviousDates(place.previousDate)
  const isCompared = column === 'delta' && !isColumnHidden && dates.previousDate !== undefined
  const store = useTreeStore(place.path, useAsked(place, isCompared ? dates.previousDate : undefined))
  const [node, show] = useState<number>()
  const entry = node === undefined ? undefined : store.tree.entries[node]
  const { isMapOpen } = useSnapshot(filesShown)
  useMapKey()
  useFreshSelection(selection, store)
  return (
    <Sides details={detailsOf(entry)}>
      <div className={classes.toolbar}>
        <SelectionToolbar selection={selection} page={() => entriesShown(store.tree)} words={['item', 'items']} isTree>
          <TreeControls {...dates} place={place} onPreviousDate={(previousDate) => place.go({ previousDate })} />
        </SelectionToolbar>
      </div>
      {store.outdated && <Outdated error={store.outdated} retry={() => askAnew(store, store.asked)} />}
      <FolderTree
        store={store}
        rootSize={rootSize}
        column={isColumnHidden ? undefined : lastColumn}
        onSort={sortTree}
        selection={selection}
        shown={node}
        fileName={place.fileName}
        mayTag={useMayTag()}
        onShow={show}
        deeds={useDeeds(selection, place.volumeId, onTags)}
      />
      {isMapOpen && (
        <Suspense fallback={null}>
          <MapBelow place={place} selected={entry} onSelect={(mapped) => show(findNode(store.tree, mapped) ?? node)} />
        </Suspense>
      )}
    </Sides>
  )
}

/** What is selected is as the tree has it now. */
function useFreshSelection(selection: Selection, { tree, version }: TreeStore): void {
  const freshenSelected = useEffectEvent((_: number) => {
    // Else the rows need not be gone through whenever a folder is opened or closed.
    if (selection.chosen.size > 0) freshen(selection, entriesShown(tree))
  })
  useEffect(() => freshenSelected(version), [version])
}

function useAsked({ volumeId }: { volumeId: number }, previousDate: string | undefined) {
  const { sort } = useSnapshot(treeSettings)
  const { hidden } = useSnapshot(shown)
  const { indexingDate } = useActiveDate()
  const order = { sort: treeSort(sort.field, previousDate !== undefined), direction: sort.direction }
  return { volumeId, indexingDate, previousDate, showsHidden: hidden, ...order }
}

/** The days before the active one, and which of them it is compared with: the one that was asked for, else the last. */
function usePreviousDates(asked: string | undefined) {
  const { dates, active } = useActiveDate()
  const days = (dates.data ?? []).map(({ indexingDate }) => indexingDate)
  const previousDates = days.filter((day) => active !== undefined && day < active.indexingDate)
  return { previousDates, previousDate: previousDates.find((day) => day === asked) ?? previousDates[0] }
}

function useDeeds(selection: Selection, volumeId: number, onTags: (entry: EntrySummary) => void): TreeDeeds {
  const [, navigate] = useLocation()
  const linkTo = useFolderLink()
  return {
    onOpen: (entry) => {
      if (!entry.isDirectory) openEntryDetails(entry)
      else if (!entry.isRemoved) navigate(linkTo(entry.path, volumeId))
    },
    onDeed: (deed, entry) => {
      if (deed === 'tags') onTags(entry)
      else if (deed === 'copy') void copyPath(entry.path)
      else openEntryDetails(entry)
    },
    onToggle: (entry) => toggle(selection, entry),
    onAdd: (entries) => add(selection, entries),
    onSelectNone: () => clear(selection),
  }
}
