import { Button } from '@mantine/core'
import { IconFileTypePdf, IconFolderOpen, IconSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { DetailedVolume } from '#events/storages.ts'
import { useLinks } from '../app/links.ts'

type VolumeActionsProps = { volume: DetailedVolume; onPreview: () => void }

const icon = { size: 16, stroke: 1.5 }

/** Where a storage leads, and its document. */
export function VolumeActions({ volume, onPreview }: VolumeActionsProps) {
  const links = useLinks()
  return (
    <>
      <Button
        component={Link}
        variant="default"
        href={links.fileManagement({ volumeId: volume.id, path: '/' })}
        leftSection={<IconFolderOpen {...icon} />}
      >
        Folders
      </Button>
      <Button
        component={Link}
        variant="default"
        href={links.search({ volumeId: [String(volume.id)] })}
        leftSection={<IconSearch {...icon} />}
      >
        Search
      </Button>
      <Button variant="default" onClick={onPreview} leftSection={<IconFileTypePdf {...icon} />}>
        PDF
      </Button>
    </>
  )
}
