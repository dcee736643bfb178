import { Button, TextInput } from '@mantine/core'
import { IconBook2, IconKeyboard, IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, Redirect, useParams } from 'wouter'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { ownPathname, withBase } from '#client/app/place/basePath.ts'
import { navigate } from '#client/app/place/navigate.ts'
import { openKeys } from '#client/app/shell/shellDialogs.state.ts'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Page } from '#client/ui/Page.tsx'
import { helpOfScreen } from './helpContents.ts'
import { type HelpArticle, type HelpMatch, helpGroups, helpPage, searchHelp } from './helpPages.ts'
import classes from './HelpPage.module.css'

/** Help: the page in the URL, or that of a screen (`?screen=/search`), or the table of contents. */
export function HelpPage() {
  const { page: name } = useParams<{ page?: string }>()
  const [query] = useQuery()
  const links = useLinks()
  const ofScreen = name === undefined ? helpOfScreen(query.get('screen') ?? '') : undefined
  if (ofScreen) return <Redirect to={links.help({ page: ofScreen })} replace />
  const page = name === undefined ? undefined : helpPage(name)
  return (
    <Page title={page?.title ?? 'Help'} actions={<Actions isArticle={page !== undefined} />}>
      <div className={classes.sides} data-article={page !== undefined || undefined}>
        <Contents here={page?.name} />
        {page && <Article {...page} />}
        {name !== undefined && !page && <Notice icon={IconBook2}>There is no help page at this address.</Notice>}
      </div>
    </Page>
  )
}

function Actions({ isArticle }: { isArticle: boolean }) {
  const links = useLinks()
  return (
    <>
      {isArticle && (
        <Button className={classes.back} component={Link} href={links.help()} variant="default">
          All help
        </Button>
      )}
      <Button variant="default" leftSection={<IconKeyboard size={16} stroke={1.5} />} onClick={openKeys}>
        Keyboard shortcuts
      </Button>
      <Button component="a" href={withBase('/api/docs')} variant="default">
        API reference
      </Button>
    </>
  )
}

/** Table of contents, or the pages that match the search. */
function Contents({ here }: { here: string | undefined }) {
  const links = useLinks()
  const [search, setSearch] = useState('')
  const matches = searchHelp(search)
  return (
    <nav className={classes.contents} aria-label="Help">
      <TextInput
        type="search"
        aria-label="Search the help"
        placeholder="Search the help"
        leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && matches[0]) navigate(links.help({ page: matches[0].name }))
        }}
      />
      {search.trim() === '' ? <Groups here={here} /> : <Matches matches={matches} here={here} />}
    </nav>
  )
}

function Groups({ here }: { here: string | undefined }) {
  return (
    <div className={classes.groups}>
      {helpGroups.map(({ title, pages }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {pages.map((page) => (
              <li key={page.name}>
                <PageLink {...page} here={here} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function Matches({ matches, here }: { matches: HelpMatch[]; here: string | undefined }) {
  if (matches.length === 0) return <Notice icon={IconSearch}>No help page contains these words.</Notice>
  return (
    <ul>
      {matches.map((page) => (
        <li key={page.name}>
          <PageLink {...page} here={here} />
          <p>{page.excerpt}</p>
        </li>
      ))}
    </ul>
  )
}

function PageLink({ name, title, here }: { name: string; title: string; here: string | undefined }) {
  const links = useLinks()
  return (
    <Link href={links.help({ page: name })} aria-current={name === here ? 'page' : undefined}>
      {title}
    </Link>
  )
}

/** Pages are part of the product, so their HTML is trusted. */
function Article({ html }: HelpArticle) {
  const links = useLinks()
  const article = useRef<HTMLElement>(null)
  const follow = useEffectEvent((event: MouseEvent) => {
    const path = screenOfLink(event)
    if (path === undefined) return
    event.preventDefault()
    navigate(links.screen(path))
  })
  useEffect(() => {
    const element = article.current
    const listen = (event: MouseEvent) => follow(event)
    element?.addEventListener('click', listen)
    return () => element?.removeEventListener('click', listen)
  }, [])
  return (
    <article
      ref={article}
      className={classes.article}
      dangerouslySetInnerHTML={{ __html: html.replaceAll('href="/', `href="${withBase('/')}`) }}
    />
  )
}

/** Path of the clicked link, if it leads to a screen and no key asks for another tab. */
function screenOfLink({ target, button, ctrlKey, metaKey, shiftKey }: MouseEvent): string | undefined {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey || link.origin !== location.origin) return undefined
  const path = ownPathname(link.pathname)
  return path.startsWith('/api/') ? undefined : path
}
