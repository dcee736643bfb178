import { expect } from 'vitest'
import type { Visit } from '#client/testing.ts'

/** The field that shows the conditions of a query builder as text. */
export const stringFormat = '[aria-label="Conditions"] textarea:not([aria-hidden])'

/** Waits until the conditions are a text. */
export async function seeStringFormat({ page }: Visit, text: string): Promise<void> {
  const shown = () => page.$eval(stringFormat, (field) => (field as HTMLTextAreaElement).value)
  await expect.poll(shown).toBe(text)
}
