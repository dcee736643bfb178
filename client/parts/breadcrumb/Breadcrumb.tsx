import { UnstyledButton } from '@mantine/core'
import { IconChevronRight, IconHome } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { nameIn } from '#client/ui/text/path.ts'
import { visible } from '#client/ui/text/visible.ts'
import { MarkedText } from '#client/ui/values/PathText.tsx'
import type { SiblingsProps } from './SiblingsMenu.tsx'
import classes from './Breadcrumb.module.css'

type BreadcrumbProps = {
  volumeId: number
  /** Volume name; empty while loading. */
  volume: string
  path: string
  /** Target of the home icon; all volumes by default. */
  home?: string
  /** URL of a parent folder. */
  linkTo: (path: string) => string
}

/** Path of a folder: all volumes, the volume, and each parent folder. */
export function Breadcrumb({ volumeId, volume, path, home, linkTo }: BreadcrumbProps) {
  const links = useLinks()
  const names = path.split('/').filter((name) => name !== '')
  const steps = names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` }))
  return (
    <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
      <ol>
        <li className="row shrink">
          <Link
            href={home ?? links.fileManagement()}
            className={classes.home}
            aria-label="All storages"
            title="All storages"
          >
            <IconHome size={16} stroke={1.5} aria-hidden />
          </Link>
        </li>
        {[{ name: volume || 'Storage', path: '/' }, ...steps].map(({ name, path: to }) => (
          <li className="row shrink" key={to}>
            {to === '/' ? (
              <IconChevronRight size={14} stroke={1.5} className={classes.separator} aria-hidden />
            ) : (
              <Siblings volumeId={volumeId} path={to} linkTo={linkTo} />
            )}
            <Link
              className={classes.step}
              href={linkTo(to)}
              aria-current={to === (path === '/' ? '/' : `/${names.join('/')}`) ? 'page' : undefined}
            >
              <bdi>
                <MarkedText text={name} />
              </bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const loadMenu = () => import('./SiblingsMenu.tsx').then((m) => m.SiblingsMenu)

/** Opens the list of sibling folders. */
const Siblings = (props: SiblingsProps) => (
  <LazyPopover load={loadMenu} opens="menu" content={props}>
    <UnstyledButton className={classes.caret} aria-label={`Folders next to ${visible(nameIn(props.path))}`}>
      <IconChevronRight size={14} stroke={1.5} aria-hidden />
    </UnstyledButton>
  </LazyPopover>
)
