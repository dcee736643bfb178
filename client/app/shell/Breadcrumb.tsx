import { Link, useLocation } from 'wouter'
import { productName } from '../../ui/productName.ts'
import { linksAt, useLinks } from '../links.ts'
import classes from './Breadcrumb.module.css'

/** The way from the product to the parent of this screen; the screen itself is its title. */
export function Breadcrumb() {
  const links = useLinks()
  const [path] = useLocation()
  const inSettings = path.startsWith(`${linksAt().settings()}/`)
  return (
    <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
      <Link href={links.dashboard()}>{productName}</Link>
      {inSettings && (
        <>
          <span aria-hidden>/</span>
          <Link href={links.settings()}>Settings</Link>
        </>
      )}
    </nav>
  )
}
