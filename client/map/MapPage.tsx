import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { useActiveDate } from '../app/activeDate.ts'
import { useQuery } from '../app/address.ts'
import { useLinks } from '../app/links.ts'
import { FolderMap } from '../parts/map/FolderMap.tsx'
import { folderAbove, type MapPlace } from '../parts/map/mapTree.ts'
import { NoFolder } from '../parts/no-folder/NoFolder.tsx'
import { Page } from '../ui/Page.tsx'
import classes from './MapPage.module.css'

/** The map of the folder that the address names, over the whole screen. */
export function MapPage() {
  const [query] = useQuery()
  const links = useLinks()
  const volumeId = Number(query.get('volumeId'))
  const path = query.get('path') || '/'
  if (!Number.isInteger(volumeId) || volumeId < 1 || !path.startsWith('/'))
    return (
      <Page title="Map">
        <NoFolder />
      </Page>
    )
  return (
    <Page
      title="Map"
      actions={
        <Button component={Link} href={links.fileManagement({ volumeId, path })} variant="default">
          File Management
        </Button>
      }
    >
      <WholeMap volumeId={volumeId} path={path.length > 1 ? path.replace(/\/$/, '') : path} />
    </Page>
  )
}

function WholeMap({ volumeId, path }: { volumeId: number; path: string }) {
  const { indexingDate } = useActiveDate()
  const links = useLinks()
  const [selected, select] = useState<MapPlace>()
  const open = (place: MapPlace) => {
    if (place.isDirectory) return navigate(links.map({ volumeId, path: place.path }))
    const folder = folderAbove(place.path) ?? '/'
    return navigate(links.fileManagement({ volumeId, path: folder, fileName: place.name }))
  }
  return (
    <div className={classes.room}>
      <FolderMap
        volumeId={volumeId}
        path={path}
        indexingDate={indexingDate}
        selected={selected}
        onSelect={select}
        onOpen={open}
      />
    </div>
  )
}
