import type { Page } from 'puppeteer'
import { crowd, type Site, signedInPage } from './site.ts'

const table = 'table[role="treegrid"]'

/** The times between frames while a folder with all its files loaded is scrolled through, in milliseconds. */
export async function scrollFolder(site: Site): Promise<number[]> {
  const page = await openAt(site, '/crowd')
  while ((await rows(page)) < crowd) await loadMore(page)
  return closing(page, await framesOf(page))
}

async function openAt(site: Site, path: string): Promise<Page> {
  const page = await signedInPage(site)
  await page.goto(`${site.product.address}/filemanagement?${new URLSearchParams({ volumeId: '1', path })}`)
  await page.waitForSelector(`${table} tr[data-index="0"] bdi`)
  return page
}

async function closing<T>(page: Page, answer: T): Promise<T> {
  await page.close()
  return answer
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

/** Scrolls by a screen a frame for five seconds. */
const framesOf = (page: Page): Promise<number[]> =>
  page.$eval(`:has(> ${table})`, async (scroller) => {
    const frame = () => new Promise<number>(requestAnimationFrame)
    const times: number[] = []
    let [last, step] = [await frame(), scroller.clientHeight]
    for (const end = last + 5_000; last < end;) {
      const top = scroller.scrollTop + step
      if (top < 0 || top > scroller.scrollHeight - scroller.clientHeight) step = -step
      scroller.scrollTop += step
      const now = await frame()
      times.push(now - last)
      last = now
    }
    return times
  })
