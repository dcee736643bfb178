import type { HTTPRequest } from 'puppeteer'
import { expect, test } from 'vitest'
import { hands, look, signInAt, testVisit } from '#client/testing.ts'

const visit = await testVisit()

test('the frame is shown while the session is unknown, and an error explains a failure', async () => {
  const { page } = visit
  const person = hands(visit)
  await signInAt(visit, '/')
  await person.see('No scan has run yet.')
  const held: HTTPRequest[] = []
  const hold = (request: HTTPRequest) =>
    request.url().includes('/currentUserInfo') ? void held.push(request) : void request.continue()
  await page.setRequestInterception(true)
  page.on('request', hold)
  await page.goto(`${visit.product.address}/search`)
  await page.locator('main[aria-label="Loading"]').wait()
  expect(await look(visit, 'session-waiting')).toEqual([])
  await held[0]?.respond({ status: 503, contentType: 'application/json', body: '{"message":"The store is away"}' })
  await person.see('The store is away')
  page.off('request', hold)
  await page.setRequestInterception(false)
  await person.press('Retry')
  await person.see('Nothing has been scanned yet.')
})
