/** Gives an element the focus, as a reference to it; the words of a field are selected. */
export function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus()
  if (element instanceof HTMLInputElement) element.select()
}
