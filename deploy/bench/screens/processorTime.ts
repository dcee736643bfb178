import type { Page } from 'puppeteer'

/** Tells, each time it is asked, how long the page's main thread has computed since, in milliseconds. */
export async function processorTime(page: Page): Promise<() => Promise<number>> {
  const client = await page.createCDPSession()
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
  }
  const before = await read()
  return async () => (await read()) - before
}
