import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

export type Person = ReturnType<typeof personAt>

/** Actions of a person on a page drawn by `open`, by the names that they read; the same words as `hands` of browser tests. */
export function personAt() {
  const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
  const named = (name: string | RegExp, role: string) => screen.findByRole(role, { name })
  const text = () => textOf(document.body)
  const fill = async (input: Element, value: string) => {
    await user.clear(input)
    if (value !== '') await user.type(input, value.replaceAll(/[[{]/g, '$&$&'))
  }
  return {
    press: async (name: string | RegExp, role = 'button') => user.click(await named(name, role)),
    pressAt: (element: Element) => user.click(element),
    write: async (field: string | RegExp, value: string) => fill(await named(field, 'textbox'), value),
    fill,
    choose: async (field: string, label: string) => {
      const select = await named(field, 'combobox')
      await waitFor(() => expect(textOf(select)).toContain(label))
      const option = [...(select as HTMLSelectElement).options].find(({ text }) => text.startsWith(label))
      await user.selectOptions(select, option?.value ?? label)
    },
    /** Chooses an option of a list that opens below a field. */
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
