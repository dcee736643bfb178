import type { Page } from 'puppeteer'
import { processorTime } from './processorTime.ts'
import { crowd, type Site, signedInPage } from './site.ts'

/** The tree of File Management. */
export const table = 'table[role="treegrid"]'

/** Time between frames, and processor time of a frame on the page's main thread, in milliseconds. */
export type Scrolled = { between: number[]; processor: number }
export type ScrolledBoth = { byNotch: Scrolled; byScreen: Scrolled }

/** Pixels per notch of a mouse wheel. One per frame is faster than a hand turns it. */
const notch = 120

/** Scrolls through a folder with all its files loaded. */
export async function scrollFolder(site: Site): Promise<ScrolledBoth> {
  const page = await openFolder(site, '/crowd')
  while ((await rows(page)) < crowd) await loadMore(page)
  const scrolled = await scrollBoth(page)
  await page.close()
  return scrolled
}

/** Opens a page with the tree of a folder. */
export async function openFolder(site: Site, path: string): Promise<Page> {
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
export async function scrollBoth(page: Page): Promise<ScrolledBoth> {
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
