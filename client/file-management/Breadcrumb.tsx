import { IconChevronRight, IconHome } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useLinks } from '../app/links.ts'
import { visible } from '../parts/entry-text/EntryName.tsx'
import { Siblings } from './Siblings.tsx'
import { useFolderLink } from './useFolderLink.ts'
import classes from './Files.module.css'

type BreadcrumbProps = { volumeId: number; volume: string; path: string }

/** Where one is: all volumes, the volume, and each folder down to this one. */
export function Breadcrumb({ volumeId, volume, path }: BreadcrumbProps) {
  const links = useLinks()
  const linkTo = useFolderLink()
  const names = path.split('/').filter((name) => name !== '')
  const steps = names.map((name, index) => ({ name, path: `/${names.slice(0, index + 1).join('/')}` }))
  return (
    <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
      <ol>
        <li>
          <Link href={links.fileManagement()} className={classes.home} aria-label="All volumes" title="All volumes">
            <IconHome size={16} stroke={1.5} aria-hidden />
          </Link>
        </li>
        {[{ name: volume, path: '/' }, ...steps].map(({ name, path: to }) => (
          <li key={to}>
            {to === '/' ? (
              <IconChevronRight size={14} stroke={1.5} className={classes.separator} aria-hidden />
            ) : (
              <Siblings volumeId={volumeId} path={to} />
            )}
            <Link
              className={classes.step}
              href={linkTo(to, volumeId)}
              aria-current={to === (path === '/' ? '/' : `/${names.join('/')}`) ? 'page' : undefined}
            >
              <bdi>{visible(name)}</bdi>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
