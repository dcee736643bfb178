import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react'
import { useId } from 'react'
import { countText } from '#client/ui/text/count.ts'
import classes from './Pager.module.css'

type PagerProps = {
  /** What is listed, in the plural. */
  many: string
  page: number
  size: number
  total: number
  sizes: readonly number[]
  onPage: (page: number) => void
  onSize: (size: number) => void
}

/** Which part of a list is shown, the ways to the others, and how many rows a page has. */
export function Pager({ many, page, size, total, sizes, onPage, onSize }: PagerProps) {
  const id = useId()
  const pages = Math.max(1, Math.ceil(total / size))
  const first = total === 0 ? 0 : (page - 1) * size + 1
  const range = `${countText(first)}–${countText(Math.min(total, page * size))} of ${countText(total)}`
  const ways = [
    { name: 'First page', icon: IconChevronsLeft, to: 1 },
    { name: 'Previous page', icon: IconChevronLeft, to: page - 1 },
    { name: 'Next page', icon: IconChevronRight, to: page + 1 },
    { name: 'Last page', icon: IconChevronsRight, to: pages },
  ]
  return (
    <nav className={classes.pager} aria-label={`Pages of ${many}`}>
      <span className={classes.size}>
        <label htmlFor={id}>Rows per page</label>
        <NativeSelect
          id={id}
          data={sizes.map(String)}
          value={String(size)}
          onChange={({ currentTarget }) => onSize(Number(currentTarget.value))}
        />
      </span>
      <span className={classes.range}>{range}</span>
      <span className={classes.ways}>
        {ways.map(({ name, icon: Sign, to }) => (
          <ActionIcon
            key={name}
            aria-label={name}
            disabled={to === page || to < 1 || to > pages}
            onClick={() => onPage(to)}
          >
            <Sign size={16} stroke={1.5} />
          </ActionIcon>
        ))}
      </span>
    </nav>
  )
}
