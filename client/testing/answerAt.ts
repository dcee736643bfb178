import type { HTTPRequest } from 'puppeteer'
import { onTestFinished } from 'vitest'
import type { Visit } from '#client/testing.ts'

type Answer = Parameters<HTTPRequest['respond']>[0]

/** Intercepts requests to some URLs until the test ends. */
export async function answerAt({ page, complaints }: Visit, url: RegExp, answer: Answer): Promise<void> {
  const respond = (request: HTTPRequest) =>
    url.test(request.url()) ? request.respond({ contentType: 'application/json', ...answer }) : request.continue()
  // Listens first, since an intercepted request without a listener would never be answered.
  page.on('request', respond)
  await page.setRequestInterception(true)
  onTestFinished(async () => {
    page.off('request', respond)
    await page.setRequestInterception(false)
    complaints.splice(0)
  })
}
