import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { resultWindow } from '#events/entries.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { countText } from '../../ui/text/count.ts'
import { PageBox } from './PageBox.tsx'
import { pageSizes } from './pageSizes.ts'
import { pageReach } from './pageReach.ts'
import classes from './Pagination.module.css'

type Beyond = { count: number; next: (() => void) | undefined; back: () => void }

export type PaginationProps = {
  /** Singular and plural of the items: `['file', 'files']`. */
  nouns: [one: string, many: string]
  /** Name of the list, if a screen has several of the same kind. */
  listName?: string
  page: number
  size: number
  total: number
  /** Total bytes of all results. */
  totalSize?: number | undefined
  sizes?: readonly number[]
  /** Every page can be loaded, however long the list is. */
  isWhole?: boolean
  /** Placed below a table instead of in its footer. */
  isAlone?: boolean
  /** Continues a list after its last numbered page: number of pages beyond it, and functions to move. */
  beyond?: Beyond | undefined
  onPage: (page: number) => void
  onSize: (size: number) => void
}

const Reach = ({ hasMore }: { hasMore: boolean }) => (
  <span>
    Only the first {countText(resultWindow)} results have page numbers.{' '}
    {hasMore ? 'Use Next to continue.' : 'This is the end of the list.'}
  </span>
)

/** Position in a list, with controls for page and page size. */
export function Pagination({
  nouns,
  listName = nouns[1],
  page,
  size,
  total,
  totalSize,
  sizes = pageSizes,
  isWhole = false,
  isAlone = false,
  beyond,
  onPage,
  onSize,
}: PaginationProps) {
  const { pages, last } = pageReach(total, size, isWhole ? Infinity : resultWindow)
  return (
    <nav className={classes.pagination} data-alone={isAlone || undefined} aria-label={`Pages of ${listName}`}>
      <span className={classes.found}>
        {countText(total)} {nouns[total === 1 ? 0 : 1]}
        {nouns[1] !== 'files' && ' found'}
        {totalSize !== undefined && (
          <>
            , <Size bytes={totalSize} />
          </>
        )}
      </span>
      <PageNavigation page={page} pages={pages} last={last} beyond={beyond} onPage={onPage} />
      {page >= last && total > resultWindow && !isWhole && <Reach hasMore={beyond?.next !== undefined} />}
      {sizes.length > 1 && (
        <NativeSelect
          aria-label={`${nouns[1]} per page`}
          className={classes.sizes}
          data={sizes.map((each) => ({ value: String(each), label: `${each} per page` }))}
          value={String(size)}
          onChange={({ currentTarget }) => onSize(Number(currentTarget.value))}
        />
      )}
    </nav>
  )
}

type PageNavigationProps = Pick<PaginationProps, 'page' | 'beyond' | 'onPage'> & { pages: number; last: number }

/** From this number of pages on, the page box has no `of`, as specified. */
const maxOfPages = 100

/** Current, previous and next page. */
function PageNavigation({ page, pages, last, beyond, onPage }: PageNavigationProps) {
  const turned = beyond?.count ?? 0
  const isAtEnd = page >= last
  const turnBack = () => (turned > 0 ? beyond?.back() : onPage(Math.min(page - 1, Math.max(1, last))))
  const turn = () => (isAtEnd ? beyond?.next?.() : onPage(page + 1))
  return (
    <span className="row nowrap gap-8">
      <ActionIcon variant="subtle" aria-label="Previous page" disabled={page <= 1 && turned === 0} onClick={turnBack}>
        <IconChevronLeft size={16} stroke={1.5} />
      </ActionIcon>
      <PageBox page={page + turned} last={last} onPage={onPage} />
      {pages > 0 && <span>{pages < maxOfPages ? `of ${pages}` : `${countText(pages)} pages`}</span>}
      <ActionIcon variant="subtle" aria-label="Next page" disabled={isAtEnd && !beyond?.next} onClick={turn}>
        <IconChevronRight size={16} stroke={1.5} />
      </ActionIcon>
    </span>
  )
}
