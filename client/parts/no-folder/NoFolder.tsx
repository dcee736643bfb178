import { Button } from '@mantine/core'
import { IconFolderOff } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useLinks } from '../../app/links.ts'
import { Notice } from '../../ui/Notice.tsx'

/** No snapshot has the folder, or the address names none. */
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
