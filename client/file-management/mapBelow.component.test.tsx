import { screen } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { dominantBelow, mapOfFolder } from '#events/folders/map.ts'
import { mapOf } from '#client/parts/map/testing.ts'
import { today } from '#client/testing/examples.ts'
import { answer, hold } from '#client/testing/fakeApi.ts'
import { films, openFiles } from '#client/testing/fakeFolders.ts'
import { rowsNow, seeNames } from './testing/treeRows.ts'

const map = answer(mapOfFolder, () => ({
  ...mapOf(
    { name: '', in: [{ name: 'projects', in: [{ name: 'alpha', in: [{ name: 'notes.txt', size: 2_500 }] }] }] },
    '/',
  ),
  indexingDate: today,
}))

async function openWithMap() {
  const opened = await openFiles({}, films(), map, hold(dominantBelow))
  await seeNames('projects', 'odd', 'loose.mov')
  rowsNow()[0]!.focus()
  await opened.person.keys('m')
  return opened
}
test('the height of the map can be changed with a control that keys reach', async () => {
  await openWithMap()
  const splitter = await screen.findByRole<HTMLInputElement>('slider', { name: 'Height of the map' })
  expect([splitter.value, splitter.min, splitter.max]).toEqual(['45', '20', '80'])
})
