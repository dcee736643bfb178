import { screen, waitFor } from '@testing-library/dom'
import { userEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

export type Person = ReturnType<typeof personAt>

/** User actions on a page opened by `open`, by accessible name; same methods as `hands` of browser tests. */
export function personAt() {
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  const named = (name: string | RegExp, role: string) => screen.findByRole(role, { name })
  const text = () => textOf(document.body)
  /** Replaces the text of an input; `{Enter}` at the end presses Enter. */
  const fill = async (input: Element, value: string) => {
    const [, text = '', enter = ''] = /^(.*?)(\{Enter\})?$/s.exec(value) ?? []
    await user.clear(input)
    if (text !== '') await user.paste(text)
    if (enter !== '') await user.keyboard(enter)
  }
  /** Selects the option of a native select whose text starts with a label. */
  const select = async (field: Element, label: string) => {
    const { options } = field as HTMLSelectElement
    const option = () => [...options].find(({ text }) => text.startsWith(label))
    await waitFor(() => expect([...options].map(({ text }) => text).join('\n')).toContain(label))
    await user.selectOptions(field, option()?.value ?? label)
  }
  return {
    /** Presses an element once it is enabled. */
    press: async (name: string | RegExp, role = 'button') => {
      const element = await named(name, role)
      await waitFor(() => expect(element.matches(':disabled, [data-loading]')).toBe(false))
      await user.click(element)
    },
    pressAt: (element: Element) => user.click(element),
    write: async (field: string | RegExp, value: string) => fill(await named(field, 'textbox'), value),
    fill,
    choose: async (field: string | RegExp, label: string) => select(await named(field, 'combobox'), label),
    select,
    /** Selects an option of a list that opens below an input. */
    pick: async (field: string | RegExp, option: string | RegExp) => {
      await user.click(await screen.findByLabelText(field, { selector: 'input' }))
      await user.click(await named(option, 'option'))
    },
    see: (what: string | RegExp) => waitFor(() => expect(text()).toMatch(what)),
    seeNo: (what: string | RegExp) => waitFor(() => expect(text()).not.toMatch(what)),
    isDisabled: async (name: string | RegExp, role = 'button') => (await named(name, role)).matches(':disabled'),
    hover: async (name: string | RegExp, role = 'button') => user.hover(await named(name, role)),
    hoverAt: (element: Element) => user.hover(element),
    /** Presses keys in the notation of user-event, such as `{Enter}`. */
    keys: (keys: string) => user.keyboard(keys),
    tab: () => user.tab(),
    closed: () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull()),
  }
}

/** Visible text of an element. */
const textOf = (element: Element): string => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: string[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement?.closest('style, script')) texts.push(node.textContent ?? '')
  return texts.join('')
}
