import { expect, test } from 'vitest'
import { handlersOf } from './sources.ts'

test('a handler is measured from its opening to its closing bracket', () => {
  const source = `export const routes = [\n  route(one, () => read()),\n  route(two, async ({ body }) => {\n    await write(body)\n  }),\n]\n`
  expect(handlersOf('routes.ts', source)).toEqual([
    { file: 'routes.ts', line: 2, lines: 1 },
    { file: 'routes.ts', line: 3, lines: 3 },
  ])
})
