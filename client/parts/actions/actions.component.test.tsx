import { IconArchive } from '@tabler/icons-react'
import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { SearchFilters } from '#events/search/filters.ts'
import { newSelection, selectAll, toggle } from '#client/parts/selection/selection.ts'
import { entry } from '#client/testing/examples.ts'
import { draw, type Options } from '#client/testing/render.tsx'
import { ActionButton } from './ActionButton.tsx'
import { type ActionTarget, type SelectionAction, targetOf } from '#client/parts/selection/action.ts'

const file = entry('/raw/a.mov', { size: 30 })
const folder = entry('/raw', { isDirectory: true, size: 100 })

/** An action that shows the listed paths of its target. */
const archive: SelectionAction = {
  id: 'archive',
  label: 'Archive',
  icon: IconArchive,
  needs: 'archiware.use',
  bundle: 'archiwareP5',
  disabledReason: (target) => (target().totals.size === 0 ? 'Nothing to archive' : undefined),
  surface: 'dialog',
  Content: ({ target, onClose }) => (
    <dialog open aria-label="Archive files">
      <p>{target.entries.map(({ path }) => path).join(' ')}</p>
      <button type="button" onClick={onClose}>
        Close
      </button>
    </dialog>
  ),
}

const drawButton = (
  options: Options,
  target: () => ActionTarget = () => targetOf(selected(file), undefined, undefined),
) => draw(<ActionButton action={archive} target={target} />, options)

function selected(...entries: (typeof file)[]) {
  const selection = newSelection()
  for (const each of entries) toggle(selection, each)
  return selection
}

test('an action is hidden without its role or its bundle', async () => {
  await drawButton({ roles: ['ROLE_ARCHIWARE_ARCHIVE'] })
  await screen.findByRole('button', { name: 'Archive' })
  await draw(
    <>
      <ActionButton action={archive} target={() => targetOf(selected(file), undefined, undefined)} />
      <p>Drawn</p>
    </>,
    { roles: ['ROLE_SODA_TRANSFER'] },
  )
  await screen.findByText('Drawn')
  expect(screen.queryByRole('button', { name: 'Archive' })).toBeNull()
  await draw(
    <>
      <ActionButton action={archive} target={() => targetOf(selected(file), undefined, undefined)} />
      <p>Drawn</p>
    </>,
    { bundles: ['soda'] },
  )
  await screen.findByText('Drawn')
  expect(screen.queryByRole('button', { name: 'Archive' })).toBeNull()
})

test('a disabled action says why', async () => {
  const empty = entry('/empty', { size: 0 })
  await drawButton({}, () => targetOf(selected(empty), undefined, undefined))
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Archive' })
  expect([button.disabled, button.title]).toEqual([true, 'Nothing to archive'])
})

test('a dialog keeps the entries of the click while the selection changes', async () => {
  let chosen = [file]
  const { person } = await drawButton({}, () => targetOf(selected(...chosen), undefined, undefined))
  await person.press('Archive')
  chosen = [folder]
  expect((await screen.findByRole('dialog')).querySelector('p')?.textContent).toBe('/raw/a.mov')
  await person.press('Close')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a target is the listed entries, or the search whose results are all selected', () => {
  const selection = selected(file, folder)
  const search = { filters: SearchFilters.parse({ name: 'raw' }), isDirectory: true }
  expect(targetOf(selection, search, '2026-01-02')).toEqual({
    selection: {
      entries: [
        { volumeId: file.volumeId, path: '/raw/a.mov', isDirectory: false },
        { volumeId: folder.volumeId, path: '/raw', isDirectory: true },
      ],
    },
    indexingDate: '2026-01-02',
    entries: [file, folder],
    totals: { count: 2, size: 100 },
  })
  selectAll(selection, { count: 7, size: 42 })
  const totals = { count: 7, size: 42 }
  expect(targetOf(selection, search, undefined)).toEqual({
    selection: search,
    indexingDate: undefined,
    entries: [],
    totals,
  })
})
