import type { Page } from 'puppeteer'

/**
 * Returns a function that reports the processor time of the page's main thread since its last call, in milliseconds.
 */
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
