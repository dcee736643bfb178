import { Button } from '@mantine/core'
import { IconFolderOff } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'

/** Empty state: the folder exists in no snapshot, or the URL is invalid. */
export function NoFolder() {
  const links = useLinks()
  const step = (
    <Button component={Link} href={links.fileManagement()} variant="default">
      Choose a folder
    </Button>
  )
  return (
    <Notice icon={IconFolderOff} step={step}>
      No folder found
    </Notice>
  )
}
