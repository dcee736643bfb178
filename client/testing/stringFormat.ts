import { expect } from 'vitest'
import type { Visit } from '#client/testing.ts'

/** Text input for the conditions of a query builder. */
export const stringFormat = '[aria-label="Conditions"] textarea:not([aria-hidden])'

/** Waits until the conditions equal a text. */
export async function seeStringFormat({ page }: Visit, text: string): Promise<void> {
  const shown = () => page.$eval(stringFormat, (field) => (field as HTMLTextAreaElement).value)
  await expect.poll(shown).toBe(text)
}
