import { IconHome } from '@tabler/icons-react'
import { useLinks } from '../app/links.ts'
import { Breadcrumb } from '../parts/breadcrumb/Breadcrumb.tsx'
import { useVolumes } from '../parts/storages/useVolumes.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import type { ComparedPlace } from './comparisonAddress.ts'
import classes from './Comparison.module.css'

/** What is compared; each folder above leads to its own comparison, and the house to that of everything. */
export function PlaceTrail({ place: { volumeId, path }, asked }: { place: ComparedPlace; asked: string | undefined }) {
  const links = useLinks()
  const volumes = useVolumes()
  if (volumeId === undefined)
    return (
      <p className={classes.everything}>
        <IconHome size={16} stroke={1.5} aria-hidden />
        All storages
      </p>
    )
  const volume = volumes.data?.elements.find(({ id }) => id === volumeId)
  return (
    <Breadcrumb
      volumeId={volumeId}
      volume={volume ? volumeName(volume) : ''}
      path={path}
      home={links.comparison({ previousDate: asked })}
      linkTo={(path) => links.comparison({ volumeId, path, previousDate: asked })}
    />
  )
}
