import type { Page } from 'puppeteer'
import { beforeAll, expect, test } from 'vitest'
import { testBrowser } from './browser.ts'
import { write } from './write.ts'

let page: Page
beforeAll(async () => {
  page = await (await testBrowser()).newPage()
})

const value = () => page.$eval('input', (field) => field.value)

test('a text takes the place of the old one in one step, and an empty one takes it away', async () => {
  await page.setContent('<input value="old">')
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(globalThis, { seen })
    addEventListener('input', ({ target }) => seen.push((target as HTMLInputElement).value))
  })
  await write(page, 'input', 'new')
  expect(await value()).toBe('new')
  await write(page, 'input', '')
  expect(await value()).toBe('')
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual(['new', ''])
})

test('a field that is reset or redrawn while it is written is written again', async () => {
  await page.setContent('<input value="old">')
  await page.evaluate(() => {
    const [field] = document.getElementsByTagName('input')
    field?.addEventListener('input', () => requestAnimationFrame(() => (field.value = 'old')), { once: true })
    setTimeout(() => field?.replaceWith(field.cloneNode()), 200)
  })
  await write(page, 'input', 'new')
  expect(await value()).toBe('new')
})

test('a field that waits is waited for, and one that keeps its text is reported', async () => {
  await page.setContent('<input disabled>')
  await page.evaluate(() => setTimeout(() => document.querySelector('input')?.removeAttribute('disabled'), 300))
  await write(page, 'input', 'new')
  expect(await value()).toBe('new')
  await page.$eval('input', (field) => field.addEventListener('input', () => (field.value = 'mine')))
  const writing = write(page, 'input', 'other', { timeout: 500 })
  await expect(writing).rejects.toThrow('input does not take “other”: it holds “mine”')
})
