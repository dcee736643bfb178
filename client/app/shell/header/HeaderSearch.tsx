import { IconSearch } from '@tabler/icons-react'
import { useLocation } from 'wouter'
import { navigate } from '#client/app/place/navigate.ts'
import { useLinks } from '#client/app/links.ts'
import { focusFirstRow } from '#client/ui/table/useKeysAnywhere.ts'
import classes from './HeaderSearch.module.css'

/** Global search. Hidden on the search screen, which has its own field. */
export function HeaderSearch() {
  const [path] = useLocation()
  const links = useLinks()
  if (path === '/search') return null
  const search = (form: FormData) => {
    const text = String(form.get('search') ?? '')
    focusFirstRow()
    navigate(links.search(text.trim() === '' ? {} : { search: text }))
  }
  return (
    <form className={classes.form} action={search}>
      <IconSearch size={16} stroke={1.5} aria-hidden />
      <input
        className={classes.field}
        type="search"
        name="search"
        aria-label="Search files and folders"
        aria-keyshortcuts="/"
        placeholder="Search"
        maxLength={1_000}
      />
      <kbd className={classes.hint} aria-hidden>
        /
      </kbd>
    </form>
  )
}
