import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'puppeteer'
import { barriers, shouldLookAtAll } from '#client/testing.ts'

/** Display sizes to check. */
const displays = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 1080, height: 1920 },
]

/**
 * Returns legibility problems of the wall: on the first display in the dark scheme; with `LOOK=all`, on each display in
 * both schemes. `SCREENSHOTS=<folder>` also saves screenshots.
 */
export async function lookAtWall(page: Page, name: string): Promise<string[]> {
  const pictures = process.env['SCREENSHOTS']
  if (pictures) mkdirSync(pictures, { recursive: true })
  const faults: string[] = []
  for (const scheme of shouldLookAtAll() ? ['dark', 'light'] : ['dark']) {
    await page.evaluate((scheme) => void (document.documentElement.dataset['mantineColorScheme'] = scheme), scheme)
    for (const display of shouldLookAtAll() ? displays : displays.slice(0, 1)) {
      await page.setViewport(display)
      await page.evaluate(settled)
      const where = `wall-${name}-${display.width}x${display.height}-${scheme}`
      if (pictures) await page.screenshot({ path: join(pictures, `${where}.png`) })
      const found = [...(await barriers(page)), ...wrongWith(await page.evaluate(readPicture))]
      faults.push(...found.map((fault) => `${where}: ${fault}`))
    }
  }
  await page.setViewport({ width: 1920, height: 1080 })
  await page.evaluate(() => void (document.documentElement.dataset['mantineColorScheme'] = 'dark'))
  return faults
}

/** Waits for all animations except the countdown line, which runs for the whole turn. */
const settled = () =>
  Promise.all(
    document
      .getAnimations()
      .filter(({ effect }) => Number(effect?.getComputedTiming().duration) < 5_000)
      .map(({ finished }) => finished.catch(() => {})),
  )

type Box = { left: number; right: number; top: number; bottom: number }
type TextRun = {
  text: string
  colour: string
  height: number
  /** A state, which also has an icon, or text outside the board. */
  isState: boolean
  box: Box
  row: Box | undefined
}
type Picture = { width: number; height: number; scrolls: boolean; canFocus: boolean; ground: string; texts: TextRun[] }

function readPicture(): Picture {
  const { scrollWidth, scrollHeight } = document.documentElement
  const walker = document.createTreeWalker(document.querySelector('#app') as Element, NodeFilter.SHOW_TEXT)
  const texts: TextRun[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent?.trim()
    const element = walker.currentNode.parentElement
    if (!text || !element) continue
    const { color, fontSize } = getComputedStyle(element)
    texts.push({
      text,
      colour: color,
      height: Number.parseFloat(fontSize),
      isState: element.closest('[data-state], [data-tone], header, footer') !== null,
      box: element.getBoundingClientRect().toJSON(),
      row: (element.closest('li') ?? element.closest('main'))?.getBoundingClientRect().toJSON(),
    })
  }
  return {
    width: innerWidth,
    height: innerHeight,
    scrolls: scrollWidth > innerWidth || scrollHeight > innerHeight,
    canFocus: document.querySelector('a, button, input, select, textarea, [tabindex]') !== null,
    ground: getComputedStyle(document.querySelector('#app > *') as Element).backgroundColor,
    texts,
  }
}

/** Text that overflows, is too small or has too little contrast for reading from a distance, and focusable elements. */
function wrongWith({ width, height, scrolls, canFocus, ground, texts }: Picture): string[] {
  const smallest = Math.min(width, height) * 0.026 - 0.1
  const whole = { left: 0, top: 0, right: width, bottom: height }
  return [
    ...(scrolls ? ['it scrolls'] : []),
    ...(canFocus ? ['something can be focused'] : []),
    ...texts.flatMap(({ text, colour, height, isState, box, row }) => {
      const contrast = contrastOf(colour, ground)
      return [
        ...(contrast < (isState ? 4.5 : 7) ? [`"${text}" has a contrast of ${contrast.toFixed(1)}`] : []),
        ...(height < smallest ? [`"${text}" is only ${height} high`] : []),
        ...(isIn(box, whole, 2) ? [] : [`"${text}" is cut off`]),
        ...(row && !isIn(box, row, 2 + height * bearing) ? [`"${text}" leaves its row`] : []),
      ]
    }),
  ]
}

/** Side bearing of a letter relative to its height: text starts this far before its alignment. */
const bearing = 0.05

const isIn = (inner: Box, outer: Box, slack: number): boolean =>
  inner.left >= outer.left - slack &&
  inner.right <= outer.right + slack &&
  inner.top >= outer.top - slack &&
  inner.bottom <= outer.bottom + slack

function contrastOf(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dark + 0.05)
}

/** For a color such as `rgb(12, 34, 56)`. */
function luminanceOf(colour: string): number {
  const [r = 0, g = 0, b = 0] = [...colour.matchAll(/\d+/g)].map(([part]) => {
    const share = Number(part) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
