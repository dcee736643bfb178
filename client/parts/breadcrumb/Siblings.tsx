import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { nameIn } from '#client/ui/text/path.ts'
import { visible } from '#client/ui/text/visible.ts'
import type { SiblingsProps } from './SiblingsMenu.tsx'
import classes from './Breadcrumb.module.css'

const loadMenu = () => import('./SiblingsMenu.tsx').then((m) => m.SiblingsMenu)

/** Opens the list of sibling folders. */
export const Siblings = (props: SiblingsProps) => (
  <LazyPopover load={loadMenu} opens="menu" content={props}>
    <UnstyledButton className={classes.caret} aria-label={`Folders next to ${visible(nameIn(props.path))}`}>
      <IconChevronRight size={14} stroke={1.5} aria-hidden />
    </UnstyledButton>
  </LazyPopover>
)
