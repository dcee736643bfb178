import type { Page } from 'puppeteer'
import { processorTime } from './processorTime.ts'
import { openFolder, scrollBoth, type ScrolledBoth, table } from './scrolling.ts'
import { branches, type Site } from './site.ts'

/** Number of times a folder is opened or closed. */
const toggles = 40

/** A tree with ten thousand open rows: scrolling, and the processor time to open or close a folder, in milliseconds. */
export async function openTree(site: Site): Promise<{ scrolled: ScrolledBoth; toggled: number }> {
  const page = await openFolder(site, '/tree')
  // Starts at the end, so that the rows before keep their positions.
  for (let shot = branches - 1; shot >= 0; shot--) {
    await fold(page, shot)
    await hasRows(page, branches + (branches - shot) * branches)
  }
  const toggled = await toggle(page)
  const scrolled = await scrollBoth(page)
  await page.close()
  return { scrolled, toggled }
}

/** Opens or closes the folder of a row after scrolling to it, since only visible rows are loaded. */
async function fold(page: Page, row: number): Promise<void> {
  await page.$eval(`:has(> ${table})`, (scroller, top) => scroller.scrollTo({ top }), row * 28)
  const button = `${table} tr[data-index="${row}"] [data-do="fold"]`
  await page.waitForSelector(button)
  // Finds the button again, because the element may show another row by now.
  await page.$eval(button, (button) => (button as HTMLElement).click())
}

/** Waits for that many rows, none of them loading. */
const hasRows = (page: Page, rows: number) =>
  page.waitForFunction(
    (table, count) => document.querySelector(table)?.getAttribute('aria-rowcount') === count,
    {},
    table,
    // The header is a row, too.
    String(rows + 1),
  )

async function toggle(page: Page): Promise<number> {
  await fold(page, 0)
  await fold(page, 0)
  const spent = await processorTime(page)
  await page.$eval(
    `${table} tr[data-index="0"] [data-do="fold"]`,
    async (button, times) => {
      for (let time = 0; time < times; time++) {
        ;(button as HTMLElement).click()
        await new Promise(requestAnimationFrame)
      }
    },
    toggles,
  )
  return (await spent()) / toggles
}
