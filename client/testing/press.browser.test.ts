import type { Page } from 'puppeteer'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { testBrowser } from './browser.ts'
import { press } from './press.ts'

let page: Page
beforeAll(async () => {
  page = await (await testBrowser()).newPage()
})

/** Two buttons that log their events: the first is to be pressed, the other must not be. */
beforeEach(async () => {
  await page.setContent(`
    <button id="save" style="position: absolute; left: 20px; top: 0">Save</button>
    <button id="delete" style="position: absolute; left: 20px; top: 300px">Delete</button>
    <div id="toast" style="position: absolute; inset: 0; display: none">It was saved.</div>`)
  await page.evaluate(() => {
    const pressed: string[] = []
    Object.assign(globalThis, { pressed })
    for (const type of ['pointerdown', 'mousedown', 'click'])
      addEventListener(type, ({ target }) => pressed.push(`${type} ${(target as Element).id}`))
  })
})
const pressed = () => page.evaluate(() => (globalThis as unknown as { pressed: string[] }).pressed)
const once = ['pointerdown save', 'mousedown save', 'click save']

test('a moving button is pressed at its final place', async () => {
  await page.evaluate(() => {
    const save = document.querySelector('#save')
    save?.animate([{ top: '0px' }, { top: '500px' }], { duration: 500, fill: 'forwards' })
  })
  await press(page, '#save')
  expect(await pressed()).toEqual(once)
  expect(await page.$eval('#save', (save) => save.getBoundingClientRect().top)).toBe(500)
})

test('a covered button is pressed once the covering element is gone', async () => {
  await page.evaluate(() => {
    const toast = document.querySelector<HTMLElement>('#toast')
    toast?.style.setProperty('display', 'block')
    setTimeout(() => toast?.remove(), 500)
  })
  await press(page, '#save')
  expect(await pressed()).toEqual(once)
})

test('a button that stays covered is not pressed, and the covering element is reported', async () => {
  await page.evaluate(() => document.querySelector<HTMLElement>('#toast')?.style.setProperty('display', 'block'))
  const pressing = press(page, '#save', { timeout: 1_000 })
  await expect(pressing).rejects.toThrow('#save cannot be pressed: div “It was saved.” lies over it')
  expect(await pressed()).toEqual([])
})

test('an element that moves under the pointer at the last moment is not pressed instead', async () => {
  await page.evaluate(() => {
    const [save, other] = document.querySelectorAll<HTMLElement>('#save, #delete')
    const change = () => {
      save?.style.setProperty('top', '300px')
      other?.style.setProperty('top', '0')
    }
    addEventListener('mousemove', change, { once: true })
  })
  await press(page, '#save')
  expect(await pressed()).toEqual(once)
})

test('a button that is redrawn while it is pressed is pressed again', async () => {
  await page.evaluate(() => {
    const draw = () => {
      const save = document.querySelector('#save')
      save?.replaceWith(save.cloneNode(true))
    }
    addEventListener('mousedown', draw, { once: true })
  })
  await press(page, '#save')
  expect((await pressed()).filter((event) => event.startsWith('click'))).toEqual(['click save'])
})

test('a button out of sight is scrolled to, a disabled one waits to be enabled, and a missing one is waited for', async () => {
  await page.evaluate(() => {
    const save = document.querySelector<HTMLButtonElement>('#save')
    if (!save) return
    save.style.top = '3000px'
    save.disabled = true
    save.remove()
    setTimeout(() => document.body.append(save), 200)
    setTimeout(() => (save.disabled = false), 500)
  })
  await press(page, '#save')
  expect(await pressed()).toEqual(once)
})
