/** Ref callback that focuses an element and selects the text of a field. */
export function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus()
  if (element instanceof HTMLInputElement) element.select()
}
