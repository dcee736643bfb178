import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useKeyDown } from '#client/ui/useKeyDown.ts'
import { useSnapshot } from 'valtio'
import { useLocation } from 'wouter'
import type { EntrySummary } from '#events/entries.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { openEntryDetails } from '#client/parts/entry-details/entryDetails.state.ts'
import { copyPath } from '#client/parts/entry-text/EntryPath.tsx'
import { FolderTree } from '#client/parts/folder-tree/FolderTree.tsx'
import { entriesShown } from '#client/parts/folder-tree/treeLookup.ts'
import { useEarlierDates } from '#client/parts/previous-date/usePreviousDate.ts'
import { reload, type TreeStore, useTreeStore } from '#client/parts/folder-tree/treeStore.ts'
import type { TreeActions } from '#client/parts/folder-tree/useTreeInteraction.ts'
import { add, clear, freshen, type Selection, toggle } from '#client/parts/selection/selection.ts'
import { SelectionToolbar } from '#client/parts/actions/SelectionToolbar.tsx'
import { displayOptions } from '#client/ui/values/displayOptions.state.ts'
import { StaleNotice } from '#client/ui/feedback/StaleNotice.tsx'
import type { MapPlace } from '#client/parts/map/mapTree.ts'
import { Splitter } from '#client/ui/Splitter.tsx'
import { isHandledElsewhere } from '#client/ui/keys.ts'
import { useMayTag } from '#client/parts/tags/useMayTag.ts'
import { filesShown, openMap, setMapShare } from './files.state.ts'
import { DetailsLayout } from './DetailsLayout.tsx'
import { treeColumn } from './tree/lastCells.tsx'
import { treeSort } from './tree/lastColumns.ts'
import { sortTree, treeSettings } from './tree/treeSettings.state.ts'
import { TreeControls } from './TreeControls.tsx'
import { useFolderLink, type Place } from './usePlace.ts'
import classes from './Files.module.css'

const MapBelow = lazy(() => import('./MapBelow.tsx').then((m) => ({ default: m.MapBelow })))

type TreeModeProps = {
  place: Place & { volumeId: number }
  selection: Selection
  rootSize: number | undefined
  detailsOf: (entry: EntrySummary | undefined) => ReactNode
  onTags: (entry: EntrySummary) => void
}

/** The folder as a tree with selection. */
export function TreeMode({ place, selection, rootSize, detailsOf, onTags }: TreeModeProps) {
  const { column, isColumnHidden } = useSnapshot(treeSettings)
  // Stable reference, since rows render again when their column changes.
  const lastColumn = useMemo(() => treeColumn(column), [column])
  const dates = usePreviousDates(place.previousDate)
  const isCompared = column === 'delta' && !isColumnHidden && dates.previousDate !== undefined
  const store = useTreeStore(place.path, useTreeQuery(place, isCompared ? dates.previousDate : undefined))
  const [node, show] = useState<number>()
  const entry = node === undefined ? undefined : store.tree.entries[node]
  const [mapped, reveal] = useState<MapPlace>()
  const { isMapOpen, mapShare } = useSnapshot(filesShown)
  useMapKey()
  useFreshSelection(selection, store)
  return (
    <DetailsLayout details={detailsOf(entry)}>
      <div className={classes.toolbar}>
        <SelectionToolbar selection={selection} page={() => entriesShown(store.tree)} nouns={['item', 'items']} isTree>
          <TreeControls {...dates} place={place} onPreviousDate={(previousDate) => place.go({ previousDate })} />
        </SelectionToolbar>
      </div>
      {store.outdated && <StaleNotice error={store.outdated} retry={() => reload(store, store.query)} />}
      <FolderTree
        store={store}
        rootSize={rootSize}
        column={isColumnHidden ? undefined : lastColumn}
        onSort={sortTree}
        selection={selection}
        shown={node}
        fileName={place.fileName}
        revealed={mapped}
        mayTag={useMayTag()}
        onShow={show}
        actions={useTreeActions(selection, place.volumeId, store, onTags)}
      />
      {isMapOpen && (
        <>
          <Splitter label="Height of the map" share={mapShare} min={0.2} max={0.8} onShare={setMapShare} />
          <Suspense fallback={null}>
            <MapBelow place={place} share={mapShare} selected={entry} onSelect={reveal} />
          </Suspense>
        </>
      )}
    </DetailsLayout>
  )
}

/** Updates selected entries from the tree. */
function useFreshSelection(selection: Selection, { tree, version }: TreeStore): void {
  const freshenSelected = useEffectEvent((_: number) => {
    // Avoids iterating over all rows whenever a folder is expanded.
    if (selection.chosen.size > 0) freshen(selection, entriesShown(tree))
  })
  useEffect(() => freshenSelected(version), [version])
}

function useTreeQuery({ volumeId }: { volumeId: number }, previousDate: string | undefined) {
  const { sort } = useSnapshot(treeSettings)
  const { hidden } = useSnapshot(displayOptions)
  const { at } = useActiveDate()
  const order = { sort: treeSort(sort.field, previousDate !== undefined), direction: sort.direction }
  return { volumeId, at, previousDate, showsHidden: hidden, ...order }
}

/** Dates before the active one, and the selected one: as requested, or the latest. */
function usePreviousDates(requested: string | undefined) {
  const previousDates = useEarlierDates()
  return { previousDates, previousDate: previousDates.find((day) => day === requested) ?? previousDates[0] }
}

function useTreeActions(
  selection: Selection,
  volumeId: number,
  { tree }: TreeStore,
  onTags: (entry: EntrySummary) => void,
): TreeActions {
  const [, navigate] = useLocation()
  const linkTo = useFolderLink()
  return {
    onOpen: (entry) => {
      if (!entry.isDirectory) openEntryDetails(entry, undefined, entriesShown(tree))
      else if (!entry.isRemoved) navigate(linkTo(entry.path, volumeId))
    },
    onAction: (action, entry) => {
      if (action === 'tags') onTags(entry)
      else if (action === 'copy') void copyPath(entry.fullPath)
      else openEntryDetails(entry, undefined, entriesShown(tree))
    },
    onToggle: (entry) => toggle(selection, entry),
    onAdd: (entries) => add(selection, entries),
    onSelectNone: () => clear(selection),
  }
}

/** The shortcut `m` shows or hides the map. */
function useMapKey(): void {
  useKeyDown((event) => {
    if (event.key !== 'm' || isHandledElsewhere(event)) return
    event.preventDefault()
    openMap(!filesShown.isMapOpen)
  })
}
