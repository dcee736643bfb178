import { Button } from '@mantine/core'
import { Link } from 'wouter'
import { useLinks } from '../app/links.ts'
import type { ComparedPlace } from './comparisonAddress.ts'

type PlaceActionsProps = { place: ComparedPlace; previousDate: string | undefined }

/** Where else the folder can be looked at. */
export function PlaceActions({ place: { volumeId, path }, previousDate }: PlaceActionsProps) {
  const links = useLinks()
  const look = { component: Link, variant: 'default' } as const
  if (volumeId === undefined)
    return (
      <Button {...look} href={links.fileManagement()}>
        File Management
      </Button>
    )
  return (
    <>
      <Button {...look} href={links.folders({ volumeId, path, previousDate })}>
        Folder analytics
      </Button>
      <Button {...look} href={links.fileManagement({ volumeId, path, previousDate })}>
        File Management
      </Button>
    </>
  )
}
