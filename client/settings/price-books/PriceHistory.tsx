import { ActionIcon, Popover } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import type { PriceBook } from '#events/price-books.ts'
import { exactMoneyText } from '#client/ui/text/money.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { classPricesText } from './priceBookForm.ts'
import classes from './PriceBookSection.module.css'

/** Button that shows all prices of a price book with their dates. */
export function PriceHistory({ priceBook: { description, history } }: { priceBook: PriceBook }) {
  const [isOpen, open] = useState(false)
  const label = `Prices of ${description}`
  return (
    <Popover opened={isOpen} onChange={open} position="bottom-end" withinPortal>
      <Popover.Target>
        <ActionIcon
          aria-label={label}
          title={label}
          onClick={() => open(!isOpen)}
          onKeyDown={({ key }) => key === 'Escape' && open(false)}
        >
          <IconHistory size={16} stroke={1.5} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <table className={classes.history}>
          <caption>Per GiB per year, by snapshot date</caption>
          <tbody>
            {history.map(({ since, price, currencySymbol, classPrices, changedBy, changedAt }, place) => (
              <tr key={since}>
                <th scope="row">
                  {datesOf(history, place)}
                  {changedBy !== null && (
                    <span className={classes.more}>
                      {changedBy}
                      {changedAt !== null && `, ${momentText(changedAt)}`}
                    </span>
                  )}
                </th>
                <td>
                  {exactMoneyText(price, currencySymbol)}
                  {classPrices.length > 0 && (
                    <span className={classes.more}>{classPricesText(classPrices, currencySymbol)}</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Dates of a price. The first price also applies to all earlier dates. */
function datesOf(history: PriceBook['history'], place: number): string {
  const newer = history[place - 1]
  if (place < history.length - 1) return `From ${history[place]?.since}`
  return newer ? `Before ${newer.since}` : 'All dates'
}
