import type { BrowserContext } from 'puppeteer'
import { startChromium } from '#deploy/setup/chromium.ts'
import { measured } from '#server/platform/testing/phases.ts'
import { shareProcessorTime } from '#server/platform/testing/processorTime.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** Nothing is waited for that only moves. */
const words = ['--force-prefers-reduced-motion']

let starting: ReturnType<typeof startChromium> | undefined

async function start(): ReturnType<typeof startChromium> {
  const browser = await startChromium(words)
  shareProcessorTime(browser.process()?.pid ?? 0)
  return browser
}

/**
 * A browser without a past, which ends with the test file; what it downloads goes into the folder given. The program serves all
 * test files of the process.
 */
export async function testBrowser(downloads?: string): Promise<BrowserContext> {
  const context = await measured('browser', async () => {
    let browser = await (starting ??= start())
    if (!browser.connected) browser = await (starting = start())
    return browser.createBrowserContext(
      downloads === undefined ? {} : { downloadBehavior: { policy: 'allow', downloadPath: downloads } },
    )
  })
  atEndOfFile(() => context.close())
  return context
}
