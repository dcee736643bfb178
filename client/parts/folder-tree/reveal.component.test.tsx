import { useState } from 'react'
import { waitFor } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { films, foldersWith } from '#client/testing/fakeFolders.ts'
import { today } from '#client/testing/examples.ts'
import { draw } from '#client/testing/render.tsx'
import { FolderTree } from './FolderTree.tsx'
import { useTreeStore } from './treeStore.ts'
import type { RevealedPlace } from './useReveal.ts'

const ignored = () => {}
const actions = { onOpen: ignored, onAction: ignored }
const query = {
  volumeId: 1,
  at: { indexingDate: today },
  previousDate: undefined,
  showsHidden: false,
  sort: 'size',
  direction: 'desc',
} as const

function Example() {
  const store = useTreeStore('/', query)
  const [place, reveal] = useState<RevealedPlace>()
  const [node, show] = useState<number>()
  return (
    <>
      <button onClick={() => reveal({ path: '/projects/alpha/notes.txt', isDirectory: false })}>Reveal</button>
      <button onClick={() => reveal({ path: '/projects/gone', isDirectory: true })}>Reveal a missing folder</button>
      <output>{node === undefined ? 'Nothing' : store.tree.entries[node]?.path}</output>
      <FolderTree store={store} rootSize={9_000} column={undefined} revealed={place} onShow={show} actions={actions} />
    </>
  )
}
const shown = () => document.querySelector('output')?.textContent

test('an entry of any depth is selected, and the folders above it are expanded', async () => {
  const { person } = await draw(<Example />, { answers: foldersWith(films()) })
  await person.see('loose.mov')
  await person.press('Reveal')
  await person.see('notes.txt')
  await waitFor(() => expect(shown()).toBe('/projects/alpha/notes.txt'))
  await person.press('Reveal a missing folder')
  expect(shown()).toBe('/projects/alpha/notes.txt')
})
