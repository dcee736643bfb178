import { Button } from '@mantine/core'
import { IconChartTreemap } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { FolderMap as Answer } from '#events/folders/map.ts'
import type { TimeQuery } from '#client/app/activeDate.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { InlineFailure } from '#client/ui/feedback/InlineFailure.tsx'
import { ReloadLine } from '#client/ui/feedback/ReloadLine.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { colourBy } from './colouring.ts'
import { MapCanvas } from './canvas/MapCanvas.tsx'
import { MapLegend } from './MapLegend.tsx'
import { MapTable } from './MapTable.tsx'
import { MapToolbar } from './MapToolbar.tsx'
import { mapSettings } from './mapSettings.state.ts'
import { folderAbove, keyOf, type MapPlace, placeOf, treeOf } from './mapTree.ts'
import { folderColourNotes, type DominantValues } from './mapWords.ts'
import { useFolderMap } from './useFolderMap.ts'
import { useDominantValues } from './useDominantValues.ts'
import classes from './Map.module.css'

type FolderMapProps = {
  volumeId: number
  path: string
  /** Name of the storage, where the screen doesn't show it elsewhere. */
  storage?: string | undefined
  at: TimeQuery
  /** Entry selected elsewhere on the screen. */
  selected?: MapPlace | undefined
  onSelect: (place: MapPlace) => void
  /** Called to map another folder, possibly a parent, or to show a file. */
  onOpen: (place: MapPlace) => void
}

/** A folder as treemap or sunburst, three levels deep. */
export function FolderMap({ volumeId, path, storage, at, selected, onSelect, onOpen }: FolderMapProps) {
  const { remote, compared } = useFolderMap({ volumeId, path, at })
  const { data, error, loading, retry } = remote
  const dominant = useDominantValues({ volumeId, path, at }, data)
  const above = folderAbove(path)
  const up = above === undefined ? undefined : () => onOpen(placeOf(above))
  const isFailed = error !== undefined && !loading
  return (
    <section className={classes.map} aria-label="Map" aria-busy={loading || dominant.loading}>
      {(loading || dominant.loading) && data && <ReloadLine />}
      <MapToolbar
        path={path}
        storage={storage}
        size={data?.path === path ? data.entries[0]?.size : undefined}
        compared={compared}
        onUp={up}
      />
      {isFailed ? (
        <Failure error={error} retry={retry} />
      ) : data ? (
        <Drawn
          data={data}
          dominants={dominant.dominants}
          selected={selected}
          onSelect={onSelect}
          onOpen={onOpen}
          onUp={up}
        />
      ) : (
        <div className={classes.loading} aria-hidden />
      )}
      {!isFailed && dominant.error && (
        <p className="small inset-8" role="alert">
          <InlineFailure error={dominant.error} retry={dominant.retry} />
        </p>
      )}
    </section>
  )
}

type DrawnProps = Pick<FolderMapProps, 'selected' | 'onSelect' | 'onOpen'> & {
  data: Answer
  dominants: DominantValues | undefined
  onUp: (() => void) | undefined
}

function Drawn({ data, dominants, selected, onSelect, onOpen, onUp }: DrawnProps) {
  const { colour, shape, asTable } = useSnapshot(mapSettings)
  const root = useMemo(() => treeOf(data), [data])
  const colouring = useMemo(() => {
    const paintsFolders = shape === 'sunburst' || asTable
    return root && colourBy(colour, root, { on: data.indexingDate, dominants, paintsFolders })
  }, [root, colour, data, dominants, shape, asTable])
  const [filter, setFilter] = useState<{ colour: string; picked: readonly string[] }>({ colour, picked: [] })
  // Ignore filters for categories that no longer exist, such as folders that were loading.
  const picked = useMemo(() => {
    const shown = new Set(colouring?.categories.map(({ key }) => key))
    return filter.colour === colour ? filter.picked.filter((key) => shown.has(key)) : []
  }, [colouring, filter, colour])
  if (!root || !colouring) return null
  if (root.children.length === 0) return <Empty onUp={onUp} />
  const shared = { root, colouring, dominants, picked, onOpen, onSelect }
  const selectedKey = selected && keyOf(selected.path, selected.isDirectory ? 'folder' : 'file')
  return (
    <>
      {asTable ? <MapTable {...shared} selected={selectedKey} /> : <MapCanvas {...shared} selected={selectedKey} />}
      <MapLegend
        categories={colouring.categories}
        picked={picked}
        note={dominants?.state === 'read' && dominants.folders.size > 0 ? folderColourNotes[dominants.by] : undefined}
        onPick={(picked) => setFilter({ colour, picked })}
      />
    </>
  )
}

function Empty({ onUp }: { onUp: (() => void) | undefined }) {
  const step = onUp && (
    <Button variant="default" onClick={onUp}>
      Go to the parent folder
    </Button>
  )
  return (
    <Notice icon={IconChartTreemap} step={step}>
      Nothing in this folder takes up space.
    </Notice>
  )
}
