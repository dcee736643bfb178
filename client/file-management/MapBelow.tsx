import type { CSSProperties } from 'react'
import { navigate } from '#client/app/place/navigate.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useLinks } from '#client/app/links.ts'
import { FolderMap } from '#client/parts/map/FolderMap.tsx'
import { folderAbove, type MapPlace } from '#client/parts/map/mapTree.ts'
import { type Place, useFolderLink } from './usePlace.ts'
import classes from './Files.module.css'

type MapBelowProps = {
  place: Place & { volumeId: number }
  /** Share of the height, from 0 to 1. */
  share: number
  selected: MapPlace | undefined
  onSelect: (place: MapPlace) => void
}

/** Map of the folder below its tree. They share their selection: a click in the map selects the row in the tree. */
export function MapBelow({ place: { volumeId, path }, share, selected, onSelect }: MapBelowProps) {
  const { at } = useActiveDate()
  const links = useLinks()
  const linkTo = useFolderLink()
  const open = (place: MapPlace) => {
    if (place.isDirectory) return navigate(linkTo(place.path, volumeId))
    const folder = folderAbove(place.path) ?? '/'
    return navigate(links.fileManagement({ volumeId, path: folder, fileName: place.name }))
  }
  return (
    <div className={classes.map} style={{ '--share': share } as CSSProperties}>
      <FolderMap volumeId={volumeId} path={path} at={at} selected={selected} onSelect={onSelect} onOpen={open} />
    </div>
  )
}
