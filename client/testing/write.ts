import type { Page } from 'puppeteer'
import { expect } from 'vitest'

/**
 * Replaces the text of an input in one step, so that a rerender can't keep part of the old text; repeats it if the text
 * didn't stay. Throws the reason when the timeout is over, by default that of the tests' polls.
 */
export async function write(
  page: Page,
  selector: string,
  text: string,
  options: { timeout?: number } = {},
): Promise<void> {
  const attempt = async () => {
    const found = await page.$(selector)
    const fault = found ? await found.evaluate(replace, text) : 'it is not there'
    if (fault !== undefined) throw new Error(`${selector} does not take “${text}”: ${fault}`)
  }
  await expect.poll(attempt, options).toBeUndefined()
}

/** Runs on the page, so it can't use anything outside. Returns the reason if the input doesn't have the text. */
async function replace(field: Element, text: string): Promise<string | undefined> {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return 'it is no field'
  if (field.matches(':disabled') || field.readOnly) return 'it is not open to writing'
  if (!field.checkVisibility({ visibilityProperty: true })) return 'it is not in sight'
  field.focus()
  if (field.value !== text) {
    field.select()
    document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
  }
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  if (!field.isConnected) return 'it was drawn anew'
  return field.value === text ? undefined : `it holds “${field.value}”`
}
