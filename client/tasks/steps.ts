import type { ElementHandle } from 'puppeteer'
import { hands, signInAt, type Visit } from '#client/testing.ts'

export type Input = 'mouse' | 'keyboard'
export const inputs: Input[] = ['mouse', 'keyboard']

/** Opens the dashboard, where each task starts, and signs in the first time. */
export function dashboardOf(visit: Visit): () => Promise<void> {
  let isSignedIn = false
  return async () => {
    await (isSignedIn ? visit.page.goto(`${visit.product.address}/`) : signInAt(visit, '/'))
    isSignedIn = true
    await visit.page.waitForSelector('main h1')
  }
}

/** Presses of Tab or an arrow key until an element has the focus. */
const maxKeys = 150

/**
 * A user who counts steps: each press, each field that is filled in, and each chosen option. By keyboard, the element is
 * reached from the one that has the focus, with Tab, and with arrow keys within menus, tabs and radio buttons.
 */
export function counting(visit: Visit, input: Input) {
  let steps = 0
  const counted =
    <Args extends unknown[]>(act: (...args: Args) => Promise<void>) =>
    (...args: Args) => {
      steps += 1
      return act(...args)
    }
  const { press, write, choose, pick, open, submit } = input === 'mouse' ? byMouse(visit) : byKeyboard(visit)
  const { see, closed, key, pressAt } = hands(visit)
  return {
    press: counted(press),
    write: counted(write),
    choose: counted(choose),
    pick: counted(pick),
    open: counted(open),
    submit: counted(submit),
    key: counted(async (name: Parameters<typeof key>[0]) => key(name)),
    pressAt: counted(pressAt),
    see,
    closed,
    steps: () => steps,
  }
}

type Actions = {
  press: (name: string, role?: string) => Promise<void>
  write: (name: string, text: string, role?: string) => Promise<void>
  choose: (name: string, label: string) => Promise<void>
  /** Picks the first suggestion below the last field, which starts with a text. */
  pick: (text: string) => Promise<void>
  /** Opens a row of a list. */
  open: (selector: string) => Promise<void>
  /** Presses the button that saves the form of a dialog. */
  submit: () => Promise<void>
}

/** Radio buttons are hidden behind their labels. */
function byMouse(visit: Visit): Actions {
  const { press, pressAt, writeAt, choose } = hands(visit)
  return {
    press: (name, role) => (role === 'radio' ? pressAt(`label ::-p-text(${name})`) : press(name, role)),
    write: (name, text, role = 'textbox') => writeAt(`aria/${name}[role="${role}"]`, text),
    choose,
    pick: (text) => pressAt(optionOf(text)),
    open: pressAt,
    submit: () => pressAt(submitButton),
  }
}

function byKeyboard(visit: Visit): Actions {
  const { key, type } = hands(visit)
  return {
    press: async (name, role = 'button') => {
      await reach(visit, name, role)
      await key(['checkbox', 'radio', 'switch'].includes(role) ? 'Space' : 'Enter')
    },
    write: async (name, text, role = 'textbox') => {
      const field = await reach(visit, name, role)
      await field.evaluate((node) => (node as HTMLInputElement).select())
      await type(text)
    },
    choose: async (name, label) => {
      await reach(visit, name, 'combobox')
      await type(label)
    },
    pick: async (text) => {
      await visit.page.waitForSelector(optionOf(text))
      await key('ArrowDown')
      await key('Enter')
    },
    open: async (selector) => {
      await reachAt(visit, selector, '')
      await key('Enter')
    },
    submit: async () => {
      await reachAt(visit, submitButton, 'button')
      await key('Enter')
    },
  }
}

const submitButton = '[role="dialog"] button[type="submit"]'
const optionOf = (text: string) => `::-p-xpath(//*[@role="option"][starts-with(normalize-space(.), "${text}")])`

const reach = (visit: Visit, name: string, role: string) => reachAt(visit, `aria/${name}[role="${role}"]`, role)

/** Moves the focus to an element by keyboard; throws if it can't be reached. */
async function reachAt({ page }: Visit, selector: string, role: string): Promise<ElementHandle<Element>> {
  const target = await page.locator(selector).waitHandle()
  const where = () =>
    target.evaluate((node, group) => {
      if (node === document.activeElement) return 'there'
      return node.closest(group)?.contains(document.activeElement) === true ? 'beside' : 'elsewhere'
    }, groupOf[role] ?? 'nothing')
  for (let keys = 0; keys <= maxKeys; keys++) {
    const place = await where()
    if (place === 'there') return target
    await page.keyboard.press(place === 'beside' ? arrowOf(role) : 'Tab')
  }
  throw new Error(`The keyboard does not reach ${selector}`)
}

/** Groups of elements whose focus moves with arrow keys. */
const groupOf: Record<string, string> = {
  button: '[role="toolbar"]',
  menuitem: '[role="menu"]',
  tab: '[role="tablist"]',
  radio: '[role="radiogroup"], fieldset',
}
const arrowOf = (role: string) => (role === 'menuitem' ? 'ArrowDown' : 'ArrowRight')
