import { expect } from 'vitest'
import type { JobDetails } from '#events/jobs/calls.ts'
import type { ActResult } from '#events/jobs/taskResults.ts'
import type { JobType } from '#events/jobs/types.ts'
import { hands, type Visit } from '#client/testing.ts'

/** Steps of journeys through the wizards of actions: search, select, start, and follow the job. */
export function actionJourney(visit: Visit) {
  const { page, product } = visit
  const person = hands(visit)
  const newest = async (type: JobType) => {
    const { answer } = await product.call('GET', '/v1/jobs?size=100')
    return (answer as { elements: JobDetails[] }).elements.find((job) => job.type === type)
  }
  const resultOf = async (type: JobType) => (await newest(type))?.result as ActResult | undefined
  return {
    newest,
    resultOf,
    /** Searches for a text, and waits until the results have these names, in any order. */
    search: async (text: string, names: readonly string[]) => {
      await person.writeAt('input[data-search]', text)
      await person.key('Enter')
      const shown = () =>
        page.$$eval('tr[data-index] td:nth-child(2)', (cells) => cells.map((cell) => (cell.textContent ?? '').trim()))
      await expect.poll(async () => (await shown()).toSorted()).toEqual(names.toSorted())
    },
    selectPage: async () => {
      await person.pressAt('[aria-label^="Select: "]')
      await person.press('Select current page', 'menuitem')
    },
    /** Focuses the first result. */
    focusFirst: () => page.focus('tr[data-index="0"]'),
    /** Waits until the focus is on the dialog or in it. */
    isInDialog: () => page.waitForSelector('[role="dialog"]:focus, [role="dialog"] :focus'),
    /** Presses the last button of the wizard with the mouse; others on the page may have the same name. */
    pressLast: (name: string) =>
      person.pressAt(`::-p-xpath(//*[@role="dialog"]//button[normalize-space(.)="${name}"])`),
    /** Presses Enter on the last button of the wizard. */
    enterLast: async (name: string) => {
      const isFocused = () =>
        page.$eval(
          '[role="dialog"]',
          (dialog, name) => {
            const buttons = [...dialog.querySelectorAll('button')]
            const last = buttons.find(({ textContent, disabled }) => textContent?.trim() === name && !disabled)
            last?.focus()
            return last !== undefined && document.activeElement === last
          },
          name,
        )
      await expect.poll(isFocused).toBe(true)
      await person.key('Enter')
    },
    /** Waits for the end of the newest job of a type, which did this many files. */
    succeeds: async (type: JobType, files: number) => {
      await expect.poll(async () => (await newest(type))?.status, { timeout: 60_000 }).toBe('SUCCESS')
      expect(await resultOf(type)).toMatchObject({ toDo: files, done: files, failed: 0 })
    },
    /** Waits until a scan has found the files of the newest job of a type. */
    finds: (type: JobType, found: { target?: object | null; storages?: object[] }) =>
      expect.poll(async () => (await resultOf(type))?.found, { timeout: 40_000 }).toMatchObject(found),
  }
}
