import { waitFor } from '@testing-library/dom'
import { expect } from 'vitest'

/** Rendered rows of the tree, from top to bottom. */
export const rowsNow = () => [...document.querySelectorAll<HTMLElement>('table[role="treegrid"] tr[data-index]')]
export const cellsOf = (row: HTMLElement) => [...row.querySelectorAll('td')].map(({ textContent }) => textContent)
export const nameOf = (row: HTMLElement) => row.querySelector('bdi')?.textContent ?? row.textContent ?? ''
export const names = () => rowsNow().map(nameOf)
export const seeNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected))
export const rowOf = (name: string) => rowsNow().find((row) => nameOf(row) === name)!
/** Query of the URL. */
export const query = () => Object.fromEntries(new URLSearchParams(location.search))
