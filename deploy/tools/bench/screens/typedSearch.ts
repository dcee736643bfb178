import type { Page } from 'puppeteer'
import { type Site, signedInPage } from './site.ts'

const searches = ['take_1', 'take_22', '*_7.mov', 'notes', 'take_9*', '*.mov', '99', 'take_5?5.mov']

/** Milliseconds from the end of each response until its rows are in the page. */
export async function typedSearch(site: Site): Promise<number[]> {
  const page = await signedInPage(site)
  await page.goto(`${site.product.address}/search`)
  await page.waitForSelector('tr[data-index]')
  const times: number[] = []
  for (const search of searches) times.push(await drawnAfter(page, search))
  await page.close()
  return times
}

/** Page with the time at which rows were last drawn, in milliseconds since its start; 0 before. */
type RowClock = typeof globalThis & { drawn: number }

async function drawnAfter(page: Page, search: string): Promise<number> {
  const field = page.locator('input[data-search]')
  await field.fill(search)
  await page.evaluate(() => {
    performance.clearResourceTimings()
    const seen = globalThis as RowClock
    seen.drawn = 0
    const main = document.querySelector('main') ?? document.body
    const hasRows = (node: Node) => node instanceof Element && node.querySelector('tr[data-index]') !== null
    const isOfRows = ({ target, addedNodes }: MutationRecord) =>
      Boolean(target.parentElement?.closest('table')) || [...addedNodes].some(hasRows)
    new MutationObserver((changes) => {
      if (changes.some(isOfRows)) seen.drawn = performance.now()
    }).observe(main, { childList: true, subtree: true, characterData: true })
  })
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => {
    const { drawn } = globalThis as RowClock
    const answer = performance.getEntriesByType('resource').findLast(({ name }) => /\/files\/search\?/.test(name))
    return answer && drawn > 0 && performance.now() - drawn > 500
  })
  return page.evaluate(() => {
    const requests = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const answer = requests.findLast(({ name }) => /\/files\/search\?/.test(name))
    return (globalThis as RowClock).drawn - (answer?.responseEnd ?? Number.NaN)
  })
}
