import { Button } from '@mantine/core'
import { IconArrowsDiff, IconFolderOpen, IconSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { DetailedVolume } from '#events/storages.ts'
import { useLinks } from '../app/links.ts'
import classes from './Volume.module.css'

const icon = { size: 16, stroke: 1.5 }

/** Where a storage leads. */
export function VolumeActions({ volume: { id } }: { volume: DetailedVolume }) {
  const links = useLinks()
  const look = { component: Link, variant: 'default', size: 'compact-sm' } as const
  return (
    <div className={classes.actions}>
      <Button
        {...look}
        href={links.fileManagement({ volumeId: id, path: '/' })}
        leftSection={<IconFolderOpen {...icon} />}
      >
        Folders
      </Button>
      <Button {...look} href={links.comparison({ volumeId: id, path: '/' })} leftSection={<IconArrowsDiff {...icon} />}>
        Compare
      </Button>
      <Button {...look} href={links.search({ volumeId: [String(id)] })} leftSection={<IconSearch {...icon} />}>
        Search
      </Button>
    </div>
  )
}
