import { Menu } from '@mantine/core'
import { type ComponentProps, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import { partOfFolder } from '#events/folders/browse.ts'
import { useActiveDate } from '#client/app/activeDate.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { useRemote } from '#client/app/remote.ts'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { displayOptions } from '#client/ui/values/displayOptions.state.ts'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { counted } from '#client/ui/text/count.ts'
import { parentOf } from '#client/ui/text/path.ts'
import classes from './Breadcrumb.module.css'

const maxFolders = 100

export type SiblingsProps = { volumeId: number; path: string; linkTo: (path: string) => string }

/** Menu of the sibling folders. */
export function SiblingsMenu({ button, volumeId, path, linkTo }: ComponentProps<PopoverContent<SiblingsProps>>) {
  const [isOpen, open] = useState(false)
  const parent = parentOf(path)
  return (
    <Menu opened={isOpen} onChange={open} position="bottom-start">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown className={classes.siblings}>
        {isOpen && <Folders volumeId={volumeId} parent={parent} linkTo={linkTo} />}
      </Menu.Dropdown>
    </Menu>
  )
}

type FoldersProps = Omit<SiblingsProps, 'path'> & { parent: string }

function Folders({ volumeId, parent, linkTo }: FoldersProps) {
  const { at } = useActiveDate()
  const { hidden } = useSnapshot(displayOptions)
  const query = {
    volumeId: [volumeId],
    path: parent,
    ...at,
    size: maxFolders,
    sort: 'name',
    direction: 'asc' as const,
    showHiddenDirectories: hidden ? 'true' : 'false',
  }
  const { data, error, loading, retry } = useRemote(partOfFolder, { params: { part: 'folders' }, query }, 'snapshots')
  if (!data) return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={3} />
  return (
    <>
      {data.elements.map(({ path, name }) => (
        <Menu.Item key={path} component={Link} href={linkTo(path)}>
          <bdi>
            <MarkedText text={name} />
          </bdi>
        </Menu.Item>
      ))}
      {data.total > maxFolders && <Menu.Label>and {counted(data.total - maxFolders, 'more folder')}</Menu.Label>}
    </>
  )
}
