import { expect, test } from 'vitest'
import { testPassword } from '#deploy/local/testing.ts'
import { testReverseProxy } from '#server/platform/testing/reverseProxy.ts'
import { hands, testVisit } from '#client/testing.ts'

const visit = await testVisit({ environment: { BASE_PATH: '/dataintell', TRUSTED_PROXIES: '127.0.0.1' } })
const proxy = await testReverseProxy(() => Number(new URL(visit.product.address).port), {
  location: '/dataintell',
  headers: (host) => ({ 'x-forwarded-host': host }),
})
const place = () => visit.page.url().replace(proxy.address, '')
const phase = () => visit.page.$eval('output[data-phase]', (mark) => mark.getAttribute('data-phase'))

test('below a path of a proxy, pages, links, live updates and sign-in work', async () => {
  const { page } = visit
  const person = hands(visit)
  await page.goto(`${proxy.address}/projects?date=2026-01-01`)
  await expect.poll(place).toMatch(/^\/login\?redirectTo=%2Fprojects/)
  await person.write('Name', 'admin')
  await person.write('Password', testPassword)
  await person.press('Sign in')
  await expect.poll(place).toMatch(/^\/projects/)
  await expect.poll(phase).toBe('live')
  await person.press('Settings', 'link')
  await expect.poll(place).toMatch(/^\/settings/)
  await page.reload()
  await person.see('Application')
  await person.press('Dashboard', 'link')
  await expect.poll(place).toMatch(/^\/($|\?)/)
  await page.goto(`${proxy.address}/settings/jobs/`)
  await person.see('Jobs')
  expect(place()).toMatch(/^\/settings\/jobs/)
})

test('a wall with a slash in its link opens, and neither its URL nor the history has the token', async () => {
  const { answer } = await visit.product.call('POST', '/v1/wall/tokens', { name: 'Lobby' })
  const { token } = answer as { token: string }
  const { page } = visit
  await page.deleteCookie(...(await page.cookies()))
  const seen: string[] = []
  page.on('framenavigated', (frame) => seen.push(frame.url()))
  await page.goto(`${proxy.address}/wall/?boards=jobs&token=${token}`)
  await expect.poll(() => page.$eval('h1', (title) => title.innerText)).toBe('Jobs')
  expect(place()).toBe('/wall?boards=jobs')
  expect(seen.filter((url) => url.includes(token))).toEqual([])
})
