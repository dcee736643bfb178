import type { HTTPRequest } from 'puppeteer'
import { onTestFinished } from 'vitest'
import type { Visit } from '#client/testing.ts'

type Answer = Parameters<HTTPRequest['respond']>[0]

/** Answers in place of the server what is asked at some addresses, until the test ends. */
export async function answerAt({ page, complaints }: Visit, asked: RegExp, answer: Answer): Promise<void> {
  const respond = (request: HTTPRequest) =>
    asked.test(request.url()) ? request.respond({ contentType: 'application/json', ...answer }) : request.continue()
  // A request that is held back before anyone listens would never be answered.
  page.on('request', respond)
  await page.setRequestInterception(true)
  onTestFinished(async () => {
    page.off('request', respond)
    await page.setRequestInterception(false)
    complaints.splice(0)
  })
}
