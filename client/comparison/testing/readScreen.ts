import type { Visit } from '#client/testing.ts'

/** Reads the visible texts of the screen. */
export function readScreen(visit: Visit) {
  const texts = (selector: string) =>
    visit.page.$$eval(selector, (found) =>
      found.map((one) => (one as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
    )
  return {
    inAll: () => texts('main div:has(+ fieldset)'),
    kinds: () => texts('fieldset[aria-label="Kinds of change to list"] button'),
    tabs: () => texts('main [role="tab"]').then((tabs) => tabs.map((tab) => tab.replace(/(?<=[a-z])(?=\d)/, ' '))),
    grown: () => texts('section ol > li'),
    rowNames: () => texts('main tr[data-index] td:first-child'),
    /** Rows of the list: name, path relative to the test folder, kind, sizes and growth, if present. */
    rows: () =>
      visit.page.$$eval(
        'main tr[data-index]',
        (rows, above) =>
          rows.map((row) =>
            [...row.querySelectorAll('td')]
              .map((cell) =>
                cell.innerText
                  .replace(/(?<=[^\s→])\n(?=\/)/g, '')
                  .replaceAll(above, '')
                  .replace(/\s+/g, ' ')
                  .trim(),
              )
              .filter((text) => text !== '')
              .join(' | '),
          ),
        visit.scratch,
      ),
  }
}
