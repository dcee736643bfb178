import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { navigate } from '#client/app/place/navigate.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { FolderMap } from '#client/parts/map/FolderMap.tsx'
import { folderAbove, type MapPlace } from '#client/parts/map/mapTree.ts'
import { type FolderPlace, readFolderPlace } from '#client/parts/folder-place/folderPlace.ts'
import { NoFolder } from '#client/parts/folder-place/NoFolder.tsx'
import { useVolumes } from '#client/parts/storages/useVolumes.ts'
import { Page } from '#client/ui/Page.tsx'
import { StorageSizes } from './StorageSizes.tsx'
import classes from './MapPage.module.css'

/** Full-screen map of the folder in the URL; without one, all storages. */
export function MapPage() {
  const [query] = useQuery()
  const links = useLinks()
  const place = readFolderPlace(query)
  if (!place) return <Page title="Map">{query.has('volumeId') ? <NoFolder /> : <StorageSizes />}</Page>
  return (
    <Page
      title="Map"
      actions={
        <Button component={Link} href={links.fileManagement(place)} variant="default">
          File Management
        </Button>
      }
    >
      <WholeMap {...place} />
    </Page>
  )
}

function WholeMap({ volumeId, path }: FolderPlace) {
  const { at } = useActiveDate()
  const links = useLinks()
  const [selected, select] = useState<MapPlace>()
  const storage = useVolumes().data?.elements.find(({ id }) => id === volumeId)?.name
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
        storage={storage}
        at={at}
        selected={selected}
        onSelect={select}
        onOpen={open}
      />
    </div>
  )
}
