import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { Size } from '../../ui/Size.tsx'
import { countText } from '../../ui/text/count.ts'
import { PageBox } from './PageBox.tsx'
import { pageReach } from './pageReach.ts'
import classes from './Pagination.module.css'

/** The sizes of most lists. */
export const pageSizes = [10, 25, 50, 100, 500] as const
/** Those of lists beside something else. */
export const relatedSizes = [5, 10, 15, 20, 25] as const

type PaginationProps = {
  /** What is counted: `['file', 'files']`. */
  words: [one: string, many: string]
  page: number
  size: number
  total: number
  /** Bytes of all that was found. */
  totalSize?: number | undefined
  sizes?: readonly number[]
  onPage: (page: number) => void
  onSize: (size: number) => void
}

/** Where one is in a list, and how to go on. */
export function Pagination({
  words,
  page,
  size,
  total,
  totalSize,
  sizes = pageSizes,
  onPage,
  onSize,
}: PaginationProps) {
  const { pages, last } = pageReach(total, size)
  return (
    <nav className={classes.pagination} aria-label="Pages">
      <span className={classes.found}>
        {countText(total)} {words[total === 1 ? 0 : 1]} found
        {totalSize !== undefined && (
          <>
            , <Size bytes={totalSize} />
          </>
        )}
      </span>
      <span className={classes.way}>
        <ActionIcon
          variant="subtle"
          aria-label="Previous page"
          disabled={page <= 1}
          onClick={() => onPage(Math.min(page - 1, Math.max(1, last)))}
        >
          <IconChevronLeft size={16} stroke={1.5} />
        </ActionIcon>
        <PageBox page={page} last={last} onPage={onPage} />
        {pages > 0 && pages < 100 && <span className={classes.of}>of {pages}</span>}
        <ActionIcon variant="subtle" aria-label="Next page" disabled={page >= last} onClick={() => onPage(page + 1)}>
          <IconChevronRight size={16} stroke={1.5} />
        </ActionIcon>
      </span>
      <NativeSelect
        aria-label={`${words[1]} per page`}
        className={classes.sizes}
        data={sizes.map((each) => ({ value: String(each), label: `${each} per page` }))}
        value={String(size)}
        onChange={({ currentTarget }) => onSize(Number(currentTarget.value))}
      />
    </nav>
  )
}
