import { expect, test } from 'vitest'
import { visible } from './EntryName.tsx'

test.each([
  ['two\nlines.txt', 'two\u240alines.txt'],
  ['bell\u0007 end\u007f next\u0085', 'bell\u2407 end\u2421 next\u25a1'],
  ['invoice\u202efdp.exe', 'invoice\u25a1fdp.exe'],
  ['\u2067apart\u2069', '\u25a1apart\u25a1'],
  ['caf\uefe9\uefff.txt', 'caf\ufffd\ufffd.txt'],
  ['مرحبا 文件 é.mov', 'مرحبا 文件 é.mov'],
])('%j shows as %j', (name, shown) => {
  expect(visible(name)).toBe(shown)
})
