import type { Page } from 'puppeteer'
import { type Site, signedInPage } from './site.ts'

/** The tree of File Management. */
const table = 'table[role="treegrid"]'

/** Time between frames, and processor time of a frame on the page's main thread, in milliseconds. */
type Scrolled = { between: number[]; processor: number }
export type ScrolledBoth = { byNotch: Scrolled; byScreen: Scrolled }

/** Pixels per notch of a mouse wheel. One per frame is faster than a hand turns it. */
const notch = 120

/** Scrolls through a folder with all its files loaded. */
export async function scrollFolder(site: Site): Promise<ScrolledBoth> {
  const page = await openFolder(site, '/crowd')
  while ((await rows(page)) < site.files) await loadMore(page)
  const scrolled = await scrollBoth(page)
  await page.close()
  return scrolled
}

/** Opens a page with the tree of a folder. */
async function openFolder(site: Site, path: string): Promise<Page> {
  const page = await signedInPage(site)
  await page.goto(`${site.product.address}/filemanagement?${new URLSearchParams({ volumeId: '1', path })}`)
  await page.waitForSelector(`${table} tr[data-index="0"] bdi`)
  return page
}

const rows = (page: Page) => page.$eval(table, (table) => Number(table.getAttribute('aria-rowcount')))
const isMore = (table: string, before: number) =>
  Number(document.querySelector(table)?.getAttribute('aria-rowcount')) > before

async function loadMore(page: Page): Promise<void> {
  const before = await rows(page)
  await page.focus(`${table} tr[tabindex="0"]`)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.waitForFunction(isMore, {}, table, before + 1)
}

/** Scrolls by a notch per frame, like a hurried user, and by a screen per frame, which replaces all rows. */
async function scrollBoth(page: Page): Promise<ScrolledBoth> {
  const byNotch = await scroll(page, notch)
  const byScreen = await scroll(page, await page.$eval(`:has(> ${table})`, ({ clientHeight }) => clientHeight))
  return { byNotch, byScreen }
}

/** Scrolls by this many pixels per frame, 300 times. */
async function scroll(page: Page, pixels: number): Promise<Scrolled> {
  const spent = await processorTime(page)
  const between = await page.$eval(
    `:has(> ${table})`,
    async (scroller, pixels) => {
      const frame = () => new Promise<number>(requestAnimationFrame)
      const times: number[] = []
      let [last, step] = [await frame(), pixels]
      while (times.length < 300) {
        const top = scroller.scrollTop + step
        if (top < 0 || top > scroller.scrollHeight - scroller.clientHeight) step = -step
        scroller.scrollTop += step
        const now = await frame()
        times.push(now - last)
        last = now
      }
      return times
    },
    pixels,
  )
  return { between, processor: (await spent()) / between.length }
}

/** Number of times a folder is opened or closed. */
const toggles = 40

/** A tree with ten thousand open rows: scrolling, and the processor time to open or close a folder, in milliseconds. */
export async function openTree(site: Site): Promise<{ scrolled: ScrolledBoth; toggled: number }> {
  const { folders } = site
  const page = await openFolder(site, '/tree')
  // Starts at the end, so that the rows before keep their positions.
  for (let shot = folders - 1; shot >= 0; shot--) {
    await fold(page, shot)
    await hasRows(page, folders + (folders - shot) * folders)
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

/**
 * Returns a function that reports the processor time of the page's main thread since its last call, in milliseconds.
 */
async function processorTime(page: Page): Promise<() => Promise<number>> {
  const client = await page.createCDPSession()
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const before = await read()
  return async () => (await read()) - before
}
