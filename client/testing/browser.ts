import type { BrowserContext } from 'puppeteer'
import { startChromium } from '#deploy/setup/chromium.ts'
import { measured } from '#server/platform/testing/phases.ts'
import { shareProcessorTime } from '#server/platform/testing/processorTime.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** Disables animations, so that tests don't wait for them. */
const launchArguments = ['--force-prefers-reduced-motion']

let starting: ReturnType<typeof startChromium> | undefined

async function start(): ReturnType<typeof startChromium> {
  const browser = await startChromium(launchArguments)
  shareProcessorTime(browser.process()?.pid ?? 0)
  return browser
}

/**
 * A fresh browser context, closed after the test file, with a download folder. The browser process is shared by all
 * test files of the worker.
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
